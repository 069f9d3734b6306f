//! Which hooks a client runs: the product's own, or a few lines of shell that
//! prove the harness itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, Kind};
use super::home::Home;

/// The command under test; the other executables lie beside it.
pub(crate) const MAILSTOP: &str = env!("CARGO_BIN_EXE_mailstop");

/// The product's hooks, by event. Codex knows no twin of PostToolUse.
const PRODUCT: [(&str, &str); 6] = [
    ("SessionStart", "mailstop-session-start"),
    ("UserPromptSubmit", "mailstop-user-prompt-submit"),
    ("PostToolUse", "mailstop-post-tool-use"),
    ("PostToolUseFailure", "mailstop-post-tool-use"),
    ("Stop", "mailstop-stop"),
    ("SessionEnd", "mailstop-observe"),
];

/// Registers the product's hooks.
///
/// Stands in for `mailstop install --client …`, and is to become one call of it.
pub(crate) fn install(home: &Home, client: &Client) {
    let known = |event: &str| client.kind == Kind::Claude || event != "PostToolUseFailure";
    let hooks = PRODUCT.iter().filter(|(event, _)| known(event));
    let commands: Vec<_> = hooks.map(|(event, name)| (*event, beside(name))).collect();
    match client.kind {
        Kind::Claude => {
            let allow = [
                format!("Bash({} --id *)", beside("resolve")),
                format!("Bash({MAILSTOP} read *)"),
                format!("Bash({MAILSTOP} inbox *)"),
            ];
            let settings =
                json!({"hooks": entries(client, &commands), "permissions": {"allow": allow}});
            home.write(".claude/settings.json", &settings.to_string());
        }
        Kind::Codex => {
            let hooks = json!({"hooks": entries(client, &commands)});
            home.write(".codex/hooks.json", &hooks.to_string());
            let roots = format!(
                "[sandbox_workspace_write]\nwritable_roots = [{:?}]\n",
                home.data()
            );
            let config = home.read(".codex/config.toml");
            home.write(".codex/config.toml", &format!("{config}\n{roots}"));
            // The sandbox opens only folders that are there when the client starts.
            fs::create_dir_all(home.data()).expect("a data folder");
        }
    }
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
    home.write(
        file,
        &json!({"hooks": entries(client, &commands)}).to_string(),
    );
}

/// The path of an executable beside `mailstop`. Cargo has a variable for each, but
/// a shell that wraps the compiler loses those with a hyphen in their name.
fn beside(name: &str) -> String {
    Path::new(MAILSTOP)
        .with_file_name(name)
        .display()
        .to_string()
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
