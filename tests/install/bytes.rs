//! Every byte that is not ours stays, and uninstalling gives all of them back.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::scratch::Scratch;

const FILE: &str = ".claude/settings.json";

/// Installs over a text, checks that each of its lines is still there in order, and
/// uninstalls to the same bytes: once as it is, and once without the record.
fn round_trip(text: &str) -> String {
    let scratch = Scratch::new();
    scratch.write(FILE, text);
    assert_eq!(scratch.run("install --client claude").status, 0, "{text}");
    let installed = scratch.text(FILE);
    assert_eq!(fs::read_dir(scratch.path(".claude")).expect("a folder").count(), 1);
    let again = scratch.run("install --client claude").succeeds();
    assert_eq!(again, "Claude Code: already installed in $HOME/.claude/settings.json\n");
    scratch
        .run("uninstall --client claude")
        .prints("Claude Code: restored $HOME/.claude/settings.json\n");
    assert_eq!(scratch.text(FILE), text);
    scratch.redact(&installed)
}

/// What is left when the record of the install is gone.
fn without_record(text: &str) -> String {
    let scratch = Scratch::new();
    scratch.write(FILE, text);
    assert_eq!(scratch.run("install --client claude").status, 0, "{text}");
    fs::remove_dir_all(scratch.path("data")).expect("the data folder");
    assert_eq!(scratch.run("uninstall --client claude").status, 0, "{text}");
    scratch.text(FILE)
}

// B06
#[test]
fn texts_of_every_shape_come_back() {
    for text in [
        "{}",
        "{ }",
        "{\n}\n",
        "{\r\n}\r\n",
        "{\"a\":1}",
        "{ \"a\": 1 }\n",
        "{\n\t\"a\": 1\n}",
        "{\n    \"n\": [1e400, 1.0, -0, 12345678901234567890123]\n}\n",
        "\u{feff}{\r\n  \"a\": \"\u{e9}\",\r\n  \"b\": 2\r\n}\r\n",
        "\n\n  {\"hooks\": {}, \"permissions\": {\"allow\": []}}  \n\n",
        "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\"\n    ],\n    \"deny\": []\n  }\n}\n",
        "{\"hooks\":{\"Stop\":[],\"PreCompact\":[{\"hooks\":[]}]}}",
        "{ \"z\": \"\\ud83d\\ude00 \\u00e9\", \"a\": \"}{][,//\" }\n",
    ] {
        round_trip(text);
    }
}

// B06
#[test]
fn an_empty_file_comes_back_empty() {
    for text in ["", " ", "\n\n", "\u{feff}", "\u{feff}\r\n"] {
        let installed = round_trip(text);
        let plain = installed.trim_start_matches('\u{feff}');
        assert!(plain.starts_with("{\n  \"hooks\": {\n"), "{text:?}: {installed}");
    }
}

// B06
#[test]
fn comments_and_trailing_commas_stay() {
    let text = "// mine\n{\n  \"model\": \"opus\", // the big one\n  /* all\n     hooks */\n  \"hooks\": {\n    \
                // none yet\n  },\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls)\", // list\n    ],\n  },\n}\n// end\n";
    let installed = round_trip(text);
    for line in text.lines() {
        assert!(installed.lines().any(|other| other == line), "{line}\n{installed}");
    }
    assert_eq!(without_record(text), text);
}

// B06
#[test]
fn a_file_that_claude_will_not_read_is_told() {
    for text in ["{ \"a\": 1, }", "{ /* c */ \"a\": 1 }"] {
        let scratch = Scratch::new();
        scratch.write(FILE, text);
        assert_eq!(
            scratch.run("install --client claude").stderr,
            "warning: Claude Code ignores $HOME/.claude/settings.json while it has comments or \
             trailing commas: remove them, or no hook runs\n"
        );
    }
}

#[test]
fn a_file_on_one_line_stays_on_one_line() {
    let installed = round_trip("{\"a\":1}");
    assert_eq!(
        installed.get(..70),
        Some(r#"{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"#)
    );
    assert_eq!(installed.lines().count(), 1);
    assert_eq!(round_trip("{ \"a\": 1 }\n").lines().count(), 1);
}

#[test]
fn line_ends_and_indentation_are_the_files_own() {
    let installed = round_trip("{\r\n\t\"a\": 1\r\n}");
    assert!(
        installed.starts_with("{\r\n\t\"a\": 1,\r\n\t\"hooks\": {\r\n\t\t\"SessionStart\": [\r\n")
    );
    assert!(installed.ends_with("\r\n}"));
    assert_eq!(installed.matches('\n').count(), installed.matches("\r\n").count());
}

#[test]
fn what_is_written_by_hand_in_between_stays() {
    let scratch = Scratch::new();
    scratch.write(FILE, "{\n  \"a\": 1\n}\n");
    scratch.run("install --client claude").succeeds();
    let edited = scratch.text(FILE).replace("\"a\": 1", "\"a\": 2");
    scratch.write(FILE, edited);
    scratch
        .run("uninstall --client claude")
        .prints("Claude Code: removed hooks from $HOME/.claude/settings.json\n");
    assert_eq!(scratch.text(FILE), "{\n  \"a\": 2\n}\n");
}

#[test]
fn the_record_gives_back_the_bytes_from_before_the_first_of_several_installs() {
    let scratch = Scratch::new();
    scratch.write(FILE, "{ \"hooks\": {} }");
    scratch.run("install --client claude").succeeds();
    scratch.link_executables("other");
    scratch.run_from("other/mailstop", &["install", "--client", "claude"]).prints(
        "Claude Code: updated hooks in $HOME/.claude/settings.json\n\
         next, Claude Code: restart sessions that are running; new ones have the hooks\n",
    );
    scratch.run("uninstall --client claude").succeeds();
    assert_eq!(scratch.text(FILE), "{ \"hooks\": {} }");
}

#[test]
fn containers_that_were_there_before_stay_although_empty() {
    let scratch = Scratch::new();
    let text = "{\"hooks\": {\"Stop\": []}, \"permissions\": {\"allow\": []}, \"b\": 1}";
    scratch.write(FILE, text);
    scratch.run("install --client claude").succeeds();
    let edited = scratch.text(FILE).replace("\"b\": 1", "\"b\": 2");
    scratch.write(FILE, edited);
    scratch.run("uninstall --client claude").succeeds();
    assert_eq!(scratch.text(FILE), text.replace("\"b\": 1", "\"b\": 2"));
}

#[test]
fn a_file_of_ours_that_somebody_added_to_stays() {
    let scratch = Scratch::new();
    scratch.run("install --client claude").succeeds();
    let edited = scratch.text(FILE).replacen('{', "{\n  \"model\": \"opus\",", 1);
    scratch.write(FILE, edited);
    scratch.run("uninstall --client claude").succeeds();
    assert_eq!(scratch.text(FILE), "{\n  \"model\": \"opus\"\n}\n");
}

#[test]
fn the_mode_stays_and_records_are_private() {
    let scratch = Scratch::new();
    scratch.write(FILE, "{}");
    let mode = |path: &str| {
        fs::metadata(scratch.path(path)).expect("a file").permissions().mode() & 0o7777
    };
    fs::set_permissions(scratch.path(FILE), fs::Permissions::from_mode(0o640)).expect("a mode");
    scratch.run("install --client claude").succeeds();
    assert_eq!(mode(FILE), 0o640);
    assert_eq!(mode("data"), 0o700);
    let record = scratch.files().into_iter().find(|file| file.starts_with("data/installs/"));
    assert_eq!(mode(&record.expect("a record")), 0o600);
    scratch.run("uninstall --client claude").succeeds();
    assert_eq!(mode(FILE), 0o640);
}
