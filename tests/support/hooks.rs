//! Which hooks a client runs: the product's own, or a few lines of shell that
//! prove the harness itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, Kind};
use super::home::Home;
use super::mailbox::Mailbox;

/// Registers the product's hooks, as a user would.
pub(crate) fn install(mail: &Mailbox, client: &Client) {
    let _done = mail.ask(&["install", "--client", client.kind.word()]);
}

/// Registers shell scripts, by event.
pub(crate) fn install_scripts(home: &Home, client: &Client, scripts: &[(&'static str, &str)]) {
    let command = |(event, text): &(&'static str, &str)| {
        let name = format!("hooks/{event}");
        home.write(&name, &format!("#!/bin/sh\n{text}\n"));
        let path = home.path().join(name);
        executable(&path);
        (*event, path.display().to_string())
    };
    let commands: Vec<_> = scripts.iter().map(command).collect();
    let file = match client.kind {
        Kind::Claude => ".claude/settings.json",
        Kind::Codex => ".codex/hooks.json",
    };
    home.write(file, &json!({"hooks": entries(client, &commands)}).to_string());
}

fn entries(client: &Client, commands: &[(&str, String)]) -> Value {
    let entry = |(event, path): &(&str, String)| {
        let word = client.kind.word();
        let hook = match client.kind {
            Kind::Claude => {
                json!({"type": "command", "command": path, "args": ["--client", word], "timeout": 10})
            }
            Kind::Codex => {
                json!({"type": "command", "command": format!("'{path}' --client {word}"), "timeout": 3})
            }
        };
        ((*event).to_owned(), json!([{"hooks": [hook]}]))
    };
    Value::Object(commands.iter().map(entry).collect())
}

fn executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a script can be run");
}
