//! Which folder is edited.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::scratch::{Ran, Scratch};

fn claude_file(ran: Ran) -> String {
    let document: Value = serde_json::from_str(&ran.succeeds()).expect("JSON");
    document["clients"][0]["file"].as_str().expect("a file").to_owned()
}

// B40
#[test]
fn the_clients_own_variable_decides() {
    for (value, file) in [
        ("$HOME/my config", "$HOME/my config/settings.json"),
        ("rel/dir", "$HOME/work/rel/dir/settings.json"),
        ("", "$HOME/.claude/settings.json"),
        ("  ", "$HOME/.claude/settings.json"),
    ] {
        let mut scratch = Scratch::new();
        let home = scratch.path("").display().to_string();
        scratch.set("CLAUDE_CONFIG_DIR", &value.replace("$HOME", home.trim_end_matches('/')));
        assert_eq!(claude_file(scratch.run("install --client claude --json")), file);
        assert_eq!(scratch.exists(".claude"), file.contains("/.claude/"));
        assert_eq!(claude_file(scratch.run("uninstall --client claude --json")), file);
        assert_eq!(scratch.files(), Vec::<String>::new());
    }
}

// B40
#[test]
fn a_linked_folder_is_the_same_folder() {
    let mut scratch = Scratch::new();
    fs::create_dir(scratch.path("real")).expect("a folder");
    symlink("real", scratch.path("link")).expect("a link");
    let link = scratch.path("link").display().to_string();
    scratch.set("CLAUDE_CONFIG_DIR", &link);
    scratch.run("install --client claude").succeeds();
    let real = scratch.path("real").display().to_string();
    scratch.set("CLAUDE_CONFIG_DIR", &real);
    scratch
        .run("uninstall --client claude")
        .prints("Claude Code: deleted $HOME/real/settings.json\n");
}

// B40
#[test]
fn a_folder_that_is_not_the_present_one_is_named() {
    let mut scratch = Scratch::new();
    let other = scratch.path("other").display().to_string();
    scratch.set("CLAUDE_CONFIG_DIR", &other);
    scratch.run("install --client claude").succeeds();
    scratch.unset("CLAUDE_CONFIG_DIR");
    let ran = scratch.run("uninstall --client claude");
    assert_eq!(ran.stdout, "Claude Code: nothing to remove in $HOME/.claude/settings.json\n");
    assert_eq!(ran.stderr, "warning: hooks are still in $HOME/other/settings.json\n");
}

// B40
#[test]
fn codex_home_decides_for_both_of_its_files() {
    let mut scratch = Scratch::new();
    let folder = scratch.path("my codex").display().to_string();
    scratch.set("CODEX_HOME", &folder);
    scratch.run("install --client codex").succeeds();
    assert!(scratch.exists("my codex/hooks.json") && scratch.exists("my codex/config.toml"));
    assert!(!scratch.exists(".codex"));
    scratch.run("uninstall --client codex").succeeds();
    assert_eq!(scratch.files(), Vec::<String>::new());
}

#[test]
fn without_a_home_folder_the_error_says_what_to_set() {
    let scratch = Scratch::new();
    let mut command = scratch.command(scratch.path("bin/mailstop"));
    command.args(["install", "--client", "claude"]).env_remove("HOME");
    scratch
        .finish(&mut command)
        .fails(1, "error: HOME is not set\nhint: set HOME or CLAUDE_CONFIG_DIR\n");
}
