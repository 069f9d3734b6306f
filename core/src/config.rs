//! The only reader of the environment, of the home folder and of `config.toml`.

use std::env;
use std::path::PathBuf;

use serde::Deserialize;

use crate::message::{Client, Priority};
use crate::policy::Rules;
use crate::transcript::open_regular;

/// The blocks in a row after which Claude Code ends a turn by itself.
const CLAUDE_BLOCK_CAP: u32 = 8;

/// What a person may set. Every field has a default.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
}

impl Default for Config {
    fn default() -> Self {
        Config {
            block_until_resolved: vec!["high".to_owned(), "urgent".to_owned()],
            stall_after: 6,
            max_blocks_per_turn: 20,
            output_budget: 9000,
            ttl_days: 30,
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

/// An environment variable that is set to something.
#[must_use]
pub fn variable(name: &str) -> Option<String> {
    let text = env::var_os(name)?.to_string_lossy().trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Whether `MAILSTOP=off` turns the hooks off.
#[must_use]
pub fn is_off() -> bool {
    variable("MAILSTOP").is_some_and(|value| value.eq_ignore_ascii_case("off"))
}

fn home() -> Option<PathBuf> {
    variable("HOME").map(PathBuf::from)
}

fn platform_folder(xdg: &str, linux: &str, mac: &str) -> Option<PathBuf> {
    if cfg!(target_os = "macos") {
        return home().map(|home| home.join(mac));
    }
    // The XDG specification says that a relative path is to be ignored.
    let set = variable(xdg).map(PathBuf::from).filter(|path| path.is_absolute());
    set.or_else(|| home().map(|home| home.join(linux)))
}

/// The folder of the mailbox: `MAILSTOP_HOME`, else the platform's data folder.
/// None when neither that nor `HOME` is set.
#[must_use]
pub fn data_dir() -> Option<PathBuf> {
    if let Some(folder) = variable("MAILSTOP_HOME") {
        return Some(std::path::absolute(&folder).unwrap_or_else(|_| PathBuf::from(folder)));
    }
    platform_folder("XDG_DATA_HOME", ".local/share", "Library/Application Support")
        .map(|folder| folder.join("mailstop"))
}

/// The configuration file: `MAILSTOP_CONFIG`, else in the platform's config folder.
#[must_use]
pub fn config_file() -> Option<PathBuf> {
    if let Some(file) = variable("MAILSTOP_CONFIG") {
        return Some(PathBuf::from(file));
    }
    platform_folder("XDG_CONFIG_HOME", ".config", "Library/Application Support")
        .map(|folder| folder.join("mailstop").join("config.toml"))
}

/// The folder that this executable was started from, by the path it was started
/// with where that is a full one: a stable link survives an upgrade.
#[must_use]
pub fn executable_folder() -> PathBuf {
    let started = env::args_os().next().map(PathBuf::from);
    let stable = started.filter(|path| path.is_absolute() && path.is_file());
    let path = stable.or_else(|| env::current_exe().ok()).unwrap_or_default();
    path.parent().map(PathBuf::from).unwrap_or_default()
}

/// The session that the client of this shell says it is in. Codex comes first: its
/// sandbox hides the processes that would tell which client is the inner one.
#[must_use]
pub fn session_variable() -> Option<String> {
    let names = ["CODEX_THREAD_ID", "CLAUDE_CODE_SESSION_ID", "MAILSTOP_SESSION"];
    names.into_iter().find_map(variable)
}

/// The name that a session's starter wants it to have.
#[must_use]
pub fn asked_name() -> Option<String> {
    variable("MAILSTOP_NAME")
}
