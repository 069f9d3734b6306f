//! Somebody else's entries are left alone, and ours are recognised by their command.

use std::fs;

use crate::scratch::Scratch;

const FILE: &str = ".claude/settings.json";

// B08
#[test]
fn hooks_that_only_look_like_ours_stay() {
    let foreign = r#"{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {"type": "command", "command": "/home/mailstop-stop/other.sh"},
          {"type": "command", "command": "bash -c '/opt/mailstop-stop --client claude'"},
          {"type": "command", "command": "/opt/mailstop-stop --client claude | tee log"},
          {"type": "command", "command": "/opt/bin/my-mailstop-stop"},
          {"type": "command", "command": "/opt/wrap", "args": ["/opt/mailstop-stop"]},
          {"type": "command", "command": "/opt/mailstop-stop; rm x"},
          {"type": "prompt", "prompt": "mailstop-stop"}
        ]
      }
    ]
  },
  "permissions": {
    "allow": [
      "Bash(/opt/dns/resolve --id *)",
      "Bash(mailstop read *)",
      "Bash(/opt/mailstop read * && rm *)",
      "Bash(/opt/mailstop send *)"
    ]
  }
}
"#;
    let scratch = Scratch::new();
    scratch.write(FILE, foreign);
    scratch.run("install --client claude").succeeds();
    let installed = scratch.text(FILE);
    for line in foreign.lines() {
        let line = line.trim_end_matches(',');
        assert!(installed.contains(line), "{line}\n{installed}");
    }
    fs::remove_dir_all(scratch.path("data")).expect("the data folder");
    scratch.run("uninstall --client claude").succeeds();
    assert_eq!(scratch.text(FILE), foreign);
}

// B08
#[test]
fn a_shared_group_keeps_the_foreign_hook() {
    let shared = |ours: &str| {
        format!(
            r#"{{"hooks": {{"Stop": [{{"matcher": "", "hooks": [{ours}{{"type": "command", "command": "/opt/x"}}]}}]}}}}"#
        )
    };
    let scratch = Scratch::new();
    scratch.write(FILE, shared(r#"{"type": "command", "command": "/old/mailstop-stop"}, "#));
    scratch
        .run("uninstall --client claude")
        .prints("Claude Code: removed hooks from $HOME/.claude/settings.json\n");
    assert_eq!(scratch.text(FILE), shared(""));
}

// B08
#[test]
fn ours_alone_go_with_their_event_and_never_become_null() {
    let scratch = Scratch::new();
    let text = r#"{
  "a": 1,
  "hooks": {
    "Stop": [{"hooks": [{"type": "command", "command": "mailstop-stop"}]}]
  }
}"#;
    scratch.write(FILE, text);
    scratch.run("uninstall --client claude").succeeds();
    assert_eq!(scratch.text(FILE), "{\n  \"a\": 1\n}");
}

// B08
#[test]
fn uninstalling_works_after_the_executables_and_from_another_path() {
    let scratch = Scratch::new();
    scratch.write(FILE, "{\n  \"a\": 1\n}\n");
    scratch.run("install --client claude").succeeds();
    fs::remove_dir_all(scratch.path("data")).expect("the data folder");
    fs::remove_dir_all(scratch.path("bin")).expect("the executables");
    scratch.link_executables("other");
    fs::remove_file(scratch.path("other/mailstop-stop")).expect("an executable");
    scratch.run_from("other/mailstop", &["uninstall", "--client", "claude"]).succeeds();
    assert_eq!(scratch.text(FILE), "{\n  \"a\": 1\n}\n");
}

// B07, B11
#[test]
fn stale_and_doubled_entries_of_ours_become_one() {
    let scratch = Scratch::new();
    let hand_written = r#"{
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "'/old place/mailstop-stop' --client claude", "timeout": 7}]},
      {"hooks": [{"type": "command", "command": "/older/mailstop-stop", "args": []}]}
    ],
    "PreToolUse": [{"hooks": [{"type": "command", "command": "mailstop-stop"}]}]
  },
  "permissions": {"allow": ["Bash('/old place/resolve' --id *)", "Bash('/old place/mailstop' inbox)"]}
}
"#;
    scratch.write(FILE, hand_written);
    scratch.run("install --client claude").succeeds();
    let text = scratch.redact(&scratch.text(FILE));
    assert_eq!(text.matches("mailstop-stop").count(), 1, "{text}");
    assert!(!text.contains("/old"), "{text}");
    let observes = r#""PreToolUse": [{"hooks": [{"type": "command", "command": "$HOME/bin/mailstop-observe", "args": ["--client", "claude"], "timeout": 5}], "matcher": "AskUserQuestion|ExitPlanMode"}]"#;
    assert!(text.contains(observes), "{text}");
    let entry = r#"{"type": "command", "command": "$HOME/bin/mailstop-stop", "timeout": 7, "args": ["--client", "claude"]}"#;
    assert!(text.contains(entry), "{text}");
    let rules =
        r#""allow": ["Bash($HOME/bin/resolve --id *)", "Bash($HOME/bin/mailstop inbox)", "Bash("#;
    assert!(text.contains(rules), "{text}");
}
