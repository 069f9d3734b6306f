//! The only reader of the environment, of the home folder and of `config.toml`.

mod environment;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::message::{Client, Priority};
use crate::policy::Rules;
use crate::transcript::open_regular;

pub use environment::{
    Chosen, VARIABLES, asked_name, config_file, courier_is_off, data_dir, environment,
    executable_folder, is_off, session_variable, variable,
};

/// The blocks in a row after which Claude Code ends a turn by itself.
const CLAUDE_BLOCK_CAP: u32 = 8;

/// What a person may set. Every field has a default.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Priorities that go on blocking after they were shown.
    pub block_until_resolved: Vec<String>,
    /// Consecutive blocks without a tool call after which a Stop lets go.
    pub stall_after: u32,
    /// Blocks in one turn after which a Stop lets go.
    pub max_blocks_per_turn: u32,
    /// The most that one hook prints, in the client's measure.
    pub output_budget: usize,
    /// After how many days the content of what is closed is removed.
    pub ttl_days: u32,
    /// Unread messages of one reader beyond which a send is refused.
    pub max_unread: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            block_until_resolved: vec!["high".to_owned(), "urgent".to_owned()],
            stall_after: 6,
            max_blocks_per_turn: 20,
            output_budget: 9000,
            ttl_days: 30,
            max_unread: 10_000,
        }
    }
}

/// One documented key: its name, what it means.
pub const KEYS: &[(&str, &str)] = &[
    (
        "block_until_resolved",
        "priorities that go on blocking a Stop after they were shown, until they are resolved; \
         [] makes every message surface once",
    ),
    (
        "stall_after",
        "consecutive blocks without a tool call after which a Stop lets go and the sender is \
         told; 0 blocks until resolved, whatever the client does",
    ),
    ("max_blocks_per_turn", "blocks in one turn after which a Stop lets go; 0 is no limit"),
    (
        "output_budget",
        "the most that one hook prints, 2000 to 9500, in UTF-16 units for Claude Code and in bytes \
         for Codex; clients cut at 10000",
    ),
    (
        "ttl_days",
        "days after which a sweep removes the content of what is closed, and expires \
         acknowledgements; open actionable mail stays; 0 keeps everything",
    ),
    ("max_unread", "unread messages of one reader beyond which a send is refused; 0 is no limit"),
];

/// What is wrong with the configuration file.
#[derive(Debug)]
pub struct Broken {
    /// The file.
    pub path: PathBuf,
    /// What is wrong, in the parser's words.
    pub reason: String,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl Config {
    /// Reads the configuration; a missing file is the defaults.
    ///
    /// # Errors
    /// When the file cannot be read or a value makes no sense.
    pub fn load() -> Result<Config, Broken> {
        let Some(path) = config_file() else {
            return Ok(Config::default());
        };
        let broken = |reason: String| Broken { path: path.clone(), reason };
        let text = match open_regular(&path).and_then(std::io::read_to_string) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Config::default());
            }
            Err(error) => return Err(broken(error.to_string())),
        };
        let config: Config =
            toml::from_str(&text).map_err(|error| broken(error.to_string().trim().to_owned()))?;
        for word in &config.block_until_resolved {
            word.parse::<Priority>().map_err(|error| {
                broken(format!("block_until_resolved: {error}; {}", error.hint))
            })?;
        }
        if !(2000..=9500).contains(&config.output_budget) {
            return Err(broken("output_budget: must be 2000 to 9500".to_owned()));
        }
        Ok(config)
    }

    /// The block policy's rules for a client.
    #[must_use]
    pub fn rules(&self, client: Client) -> Rules {
        Rules {
            block_until_resolved: self
                .block_until_resolved
                .iter()
                .filter_map(|word| word.parse().ok())
                .collect(),
            stall_after: self.stall_after,
            max_blocks_per_turn: self.max_blocks_per_turn,
            max_unread: self.max_unread,
            client_cap: match client {
                Client::Claude => claude_block_cap(),
                Client::Codex => None,
            },
        }
    }
}

fn claude_block_cap() -> Option<u32> {
    match variable("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP").map(|text| text.parse::<i64>()) {
        Some(Ok(cap)) if cap <= 0 => None,
        Some(Ok(cap)) => u32::try_from(cap).ok(),
        Some(Err(_)) | None => Some(CLAUDE_BLOCK_CAP),
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, KEYS};

    #[test]
    fn every_key_is_documented() {
        let config = serde_json::to_value(Config::default()).expect("a document");
        let fields: Vec<&String> = config.as_object().expect("an object").keys().collect();
        let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
        assert_eq!(fields, keys);
    }
}
