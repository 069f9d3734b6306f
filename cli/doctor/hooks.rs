//! The hooks as the clients' files hold them: what is stored, whether it is there,
//! and whether anything is stored twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Finding;
use crate::args::Scope;
use crate::clients::command::{self, HOOK_EXECUTABLES};
use crate::clients::{CLIENTS, Client};
use crate::paths::Surroundings;
use crate::settings::json::Document;

/// One hook command of ours in a client's file.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    /// Whose file.
    pub(crate) client: &'static Client,
    /// The file.
    pub(crate) file: PathBuf,
    /// The event it is stored for.
    pub(crate) event: String,
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    /// The line for a shell, where the client uses one.
    pub(crate) line: Option<String>,
}

impl Stored {
    /// The command as it stands in the file.
    pub(crate) fn shown(&self) -> String {
        self.line.clone().unwrap_or_else(|| self.words.join(" "))
    }

    fn executable(&self) -> &str {
        self.words[0].rsplit('/').next().unwrap_or_default()
    }
}

/// Finds every hook of ours in every scope.
pub(crate) fn stored(around: &Surroundings) -> Vec<Stored> {
    let mut found = Vec::new();
    for client in CLIENTS {
        let mut files: Vec<PathBuf> = [Scope::User, Scope::Project, Scope::Local]
            .iter()
            .filter_map(|&scope| client.settings(around, scope).ok())
            .collect();
        files.dedup();
        for file in files {
            found.extend(in_file(client, &file));
        }
    }
    found
}

fn in_file(client: &'static Client, file: &Path) -> Vec<Stored> {
    let document = fs::read_to_string(file).ok().and_then(|text| {
        let document = Document::parse(text.trim_start_matches('\u{feff}')).ok()?;
        serde_json::from_str::<Value>(&document.blank).ok()
    });
    let Some(Value::Object(events)) = document.as_ref().and_then(|document| document.get("hooks"))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (event, groups) in events {
        let groups = groups.as_array().into_iter().flatten();
        let handlers = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
        found.extend(handlers.filter_map(|handler| one(client, file, event, handler)));
    }
    found
}

fn one(client: &'static Client, file: &Path, event: &str, handler: &Value) -> Option<Stored> {
    let line = handler.get("command")?.as_str()?;
    let (words, line) = match handler.get("args").and_then(Value::as_array) {
        Some(args) => {
            let args = args.iter().filter_map(Value::as_str).map(str::to_owned);
            ([line.to_owned()].into_iter().chain(args).collect(), None)
        }
        None => (command::words(line)?, Some(line.to_owned())),
    };
    let words: Vec<String> = words;
    command::folder_of(words.first()?, &HOOK_EXECUTABLES)?;
    Some(Stored { client, file: file.to_owned(), event: event.to_owned(), words, line })
}

/// Checks what is stored.
pub(crate) fn check(around: &Surroundings, stored: &[Stored]) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        CLIENTS.iter().flat_map(|client| of_client(client, around, stored)).collect();
    findings.extend(missing(stored));
    findings.extend(doubled(stored));
    findings
}

fn of_client(client: &Client, around: &Surroundings, stored: &[Stored]) -> Vec<Finding> {
    let ours: Vec<&Stored> =
        stored.iter().filter(|stored| stored.client.word == client.word).collect();
    let again = format!("mailstop install --client {}", client.word);
    if ours.is_empty() {
        let present = client.is_present(around);
        return present
            .then(|| {
                Finding::wrong("hooks", format!("{} has no hooks of Mailstop", client.name), again)
            })
            .into_iter()
            .collect();
    }
    let absent: Vec<&str> = client
        .hooks
        .iter()
        .map(|hook| hook.event)
        .filter(|event| !ours.iter().any(|stored| stored.event == *event))
        .collect();
    let mut findings = vec![if absent.is_empty() {
        Finding::fine(
            "hooks",
            format!("{}: {} hooks in {}", client.name, ours.len(), ours[0].file.display()),
        )
    } else {
        Finding::wrong(
            "hooks",
            format!("{} lacks the hooks for {}", client.name, absent.join(", ")),
            again,
        )
    }];
    if client.has_allow_rules {
        let mut files: Vec<&PathBuf> = ours.iter().map(|stored| &stored.file).collect();
        files.dedup();
        findings.extend(files.into_iter().filter_map(|file| ignored(client, file)));
    }
    findings
}

/// Claude Code loads no settings that are more than plain JSON.
fn ignored(client: &Client, file: &Path) -> Option<Finding> {
    let text = fs::read_to_string(file).ok()?;
    let plain =
        Document::parse(text.trim_start_matches('\u{feff}')).is_ok_and(|file| file.is_plain());
    (!plain).then(|| {
        Finding::wrong(
            "hooks",
            format!(
                "{} ignores {}: it has comments or trailing commas",
                client.name,
                file.display()
            ),
            "remove them from the file",
        )
    })
}

fn missing(stored: &[Stored]) -> Vec<Finding> {
    let gone = stored.iter().filter(|stored| !Path::new(&stored.words[0]).is_file());
    gone.map(|stored| {
        Finding::wrong(
            "hooks",
            format!("{} runs {}, which is not there", stored.event, stored.words[0]),
            "mailstop install writes the path of this mailstop",
        )
    })
    .collect()
}

/// Two hooks for one event deliver once, but cost twice.
fn doubled(stored: &[Stored]) -> Vec<Finding> {
    let mut places: BTreeMap<(&str, &str, &str), Vec<String>> = BTreeMap::new();
    for stored in stored {
        let key = (stored.client.name, stored.event.as_str(), stored.executable());
        places.entry(key).or_default().push(stored.file.display().to_string());
    }
    places
        .into_iter()
        .filter(|(_, files)| files.len() > 1)
        .map(|((client, event, executable), files)| {
            Finding::note(
                "duplicates",
                format!("{client} runs {executable} for {event} from {}", files.join(" and ")),
                "mailstop uninstall --scope user|project|local removes one of them",
            )
        })
        .collect()
}
