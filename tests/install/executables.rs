//! By which path the executables are named.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::scratch::{EXECUTABLES, Scratch, built_folder};

/// The folder that the Stop hook's command names.
fn stored_folder(scratch: &Scratch) -> String {
    let settings: Value =
        serde_json::from_str(&scratch.text(".claude/settings.json")).expect("JSON");
    let command = &settings["hooks"]["Stop"][0]["hooks"][0]["command"];
    let command = scratch.redact(command.as_str().expect("a command"));
    command.strip_suffix("/mailstop-stop").expect("our hook").to_owned()
}

fn copy_executables(scratch: &Scratch, folder: &str) {
    fs::create_dir_all(scratch.path(folder)).expect("a folder");
    for name in EXECUTABLES {
        fs::copy(built_folder().join(name), scratch.path(folder).join(name)).expect("a copy");
    }
}

// B11
#[test]
fn a_stable_link_is_stored_and_survives_an_upgrade() {
    let scratch = Scratch::new();
    copy_executables(&scratch, "opt/Cellar/m/1.0/bin");
    fs::create_dir_all(scratch.path("opt/bin")).expect("a folder");
    for name in EXECUTABLES {
        symlink(format!("../Cellar/m/1.0/bin/{name}"), scratch.path("opt/bin").join(name))
            .expect("a link");
    }
    scratch.run_from("opt/bin/mailstop", &["install", "--client", "claude"]).succeeds();
    assert_eq!(stored_folder(&scratch), "$HOME/opt/bin");
    fs::rename(scratch.path("opt/Cellar/m/1.0"), scratch.path("opt/Cellar/m/1.1"))
        .expect("an upgrade");
    for name in EXECUTABLES {
        let link = scratch.path("opt/bin").join(name);
        fs::remove_file(&link).expect("a link");
        symlink(format!("../Cellar/m/1.1/bin/{name}"), link).expect("a link");
    }
    let ran = scratch.run_from("opt/bin/mailstop-stop", &["--client", "claude"]);
    assert_eq!(ran.status, 0);
    scratch
        .run_from("opt/bin/mailstop", &["install", "--client", "claude"])
        .prints("Claude Code: already installed in $HOME/.claude/settings.json\n");
}

// B11
#[test]
fn without_a_stable_link_the_real_path_is_stored_and_replaced_by_the_next_install() {
    let scratch = Scratch::new();
    copy_executables(&scratch, "m/1.0/bin");
    fs::create_dir(scratch.path("lone")).expect("a folder");
    symlink("../m/1.0/bin/mailstop", scratch.path("lone/mailstop")).expect("a link");
    scratch.run_from("lone/mailstop", &["install", "--client", "claude"]).succeeds();
    assert_eq!(stored_folder(&scratch), "$HOME/m/1.0/bin");
    fs::rename(scratch.path("m/1.0"), scratch.path("m/1.1")).expect("an upgrade");
    scratch.run_from("m/1.1/bin/mailstop", &["install", "--client", "claude"]).succeeds();
    assert_eq!(stored_folder(&scratch), "$HOME/m/1.1/bin");
    assert_eq!(scratch.text(".claude/settings.json").matches("mailstop-stop").count(), 1);
}

// B11
#[test]
fn a_bare_name_is_looked_up_and_a_relative_one_made_whole() {
    let mut scratch = Scratch::new();
    let path = format!("/nonexistent:{}", scratch.path("bin").display());
    scratch.set("PATH", &path);
    let mut command = scratch.command("mailstop");
    scratch.finish(command.args(["install", "--client", "claude"])).succeeds();
    assert_eq!(stored_folder(&scratch), "$HOME/bin");
    scratch.link_executables("other");
    let mut command = scratch.command("/bin/sh");
    command.args(["-c", "../work/.././other/mailstop install --client claude"]);
    scratch.finish(&mut command).succeeds();
    assert_eq!(stored_folder(&scratch), "$HOME/other");
}

#[test]
fn a_missing_sibling_is_told() {
    let scratch = Scratch::new();
    copy_executables(&scratch, "half");
    fs::remove_file(scratch.path("half/resolve")).expect("an executable");
    scratch.run_from("half/mailstop", &["install", "--client", "claude"]).fails(
        1,
        "error: resolve is not in $HOME/half\n\
         hint: install every executable into one folder: run install.sh\n",
    );
}

// B10
#[test]
fn any_folder_name_works_in_the_commands_and_in_the_rules() {
    let scratch = Scratch::new();
    let folder = "a b/it's $HOME (x) \"q\" `y` \\z/bin";
    scratch.link_executables(folder);
    let ran = scratch.run_from(&format!("{folder}/mailstop"), &["install", "--client", "all"]);
    assert_eq!(ran.status, 0);
    let claude: Value = serde_json::from_str(&scratch.text(".claude/settings.json")).expect("JSON");
    let hook = &claude["hooks"]["Stop"][0]["hooks"][0];
    let stop = scratch.path(folder).join("mailstop-stop").display().to_string();
    assert_eq!(
        (hook["command"].as_str(), &hook["args"]),
        (Some(&*stop), &serde_json::json!(["--client", "claude"]))
    );
    let rule = claude["permissions"]["allow"][2].as_str().expect("a rule");
    let shown =
        rule.strip_prefix("Bash(").and_then(|rule| rule.strip_suffix(" inbox *)")).expect("a rule");
    let run = |line: &str| scratch.finish(scratch.command("/bin/sh").args(["-c", line]));
    assert_eq!(run(&format!("{shown} --version")).succeeds(), "mailstop 0.1.0\n");
    let codex: Value = serde_json::from_str(&scratch.text(".codex/hooks.json")).expect("JSON");
    for event in ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"] {
        let line = codex["hooks"][event][0]["hooks"][0]["command"].as_str().expect("a command");
        assert_eq!(run(line).status, 0, "{line}");
    }
    scratch.run("uninstall").succeeds();
    // Hooks without an event complain in the mailbox's folder, which stays.
    let left: Vec<_> =
        scratch.files().into_iter().filter(|file| !file.starts_with(folder)).collect();
    assert_eq!(left, ["data/errors.log"]);
}
