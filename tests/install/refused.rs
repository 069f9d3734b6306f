//! What cannot be edited without guessing is left as it is, byte for byte.

use std::fs;

use crate::scratch::Scratch;

const FILE: &str = ".claude/settings.json";

fn assert_refused(text: &[u8], reason: &str) {
    for verb in ["install", "install --dry-run"] {
        let scratch = Scratch::new();
        scratch.write(FILE, text);
        let ran = scratch.run(&format!("{verb} --client claude"));
        assert_eq!((ran.status, &*ran.stdout), (1, ""), "{reason}");
        let start = "error: $HOME/.claude/settings.json was left as it is: ";
        assert!(ran.stderr.starts_with(start) && ran.stderr.contains(reason), "{}", ran.stderr);
        assert!(ran.stderr.contains("\nhint: "), "{}", ran.stderr);
        assert_eq!(fs::read(scratch.path(FILE)).expect("the file"), text);
        assert_eq!(scratch.files(), [FILE]);
    }
}

// B06
#[test]
fn what_is_not_settings_is_refused_untouched() {
    assert_refused(b"[]", "it is not a JSON object");
    assert_refused(b"null", "it is not a JSON object");
    assert_refused(b"{\"a\": 1", "EOF");
    assert_refused(b"{\"a\": \"x", "EOF");
    assert_refused(b"{} {}", "trailing characters");
    assert_refused(b"{\"a\": 01}", "invalid number");
    assert_refused(b"{'a': 1}", "key must be a string");
    assert_refused(b"{\"a\": [,]}", "expected value");
    assert_refused(b"{\"a\": [1,,]}", "expected value");
    assert_refused(b"{\"a\": 1 /* }", "expected");
    assert_refused(b"{\"a\": \"\\ud800\"}", "surrogate");
    assert_refused(b"// only a comment\n", "EOF");
    assert_refused(b"{\"a\": \"\xff\"}", "it is not UTF-8");
    assert_refused("[".repeat(200_000).as_bytes(), "EOF");
    assert_refused(
        format!("{{\"a\":{}{}}}", "[".repeat(600), "]".repeat(600)).as_bytes(),
        "nesting",
    );
}

// B06
#[test]
fn wrong_types_where_we_would_edit_are_refused_untouched() {
    assert_refused(b"{\"hooks\": []}", "`hooks` is not an object");
    assert_refused(b"{\"hooks\": null}", "`hooks` is not an object");
    assert_refused(b"{\"hooks\": {\"Stop\": {}}}", "`hooks.Stop` is not a list");
    assert_refused(b"{\"hooks\": {\"Stop\": null}}", "`hooks.Stop` is not a list");
    assert_refused(b"{\"permissions\": []}", "`permissions` is not an object");
    assert_refused(b"{\"permissions\": {\"allow\": \"x\"}}", "`permissions.allow` is not a list");
}

#[test]
fn doubled_keys_where_we_would_edit_are_refused_untouched() {
    assert_refused(b"{\"hooks\": {}, \"hooks\": {}}", "it has the key `hooks` twice");
    assert_refused(
        b"{\"hooks\": {\"Stop\": [], \"Stop\": []}}",
        "`hooks` has the key `Stop` twice",
    );
    assert_refused(b"{\"permissions\": {\"allow\": [], \"allow\": []}}", "the key `allow` twice");
    assert_refused(
        b"{\"hooks\": {\"Stop\": [{\"hooks\": [{\"command\": \"a\", \"command\": \"b\"}]}]}}",
        "a hook has the key `command` twice",
    );
}

// B08
#[test]
fn doubled_keys_are_refused_by_uninstalling_too() {
    let scratch = Scratch::new();
    scratch.run("install --client claude").succeeds();
    let text = scratch.text(FILE).replacen('{', "{\"hooks\": {},", 1);
    scratch.write(FILE, &text);
    scratch.run("uninstall --client claude").fails(
        1,
        "error: $HOME/.claude/settings.json was left as it is: it has the key `hooks` twice\n\
         hint: repair the file and run the command again\n",
    );
    assert_eq!(scratch.text(FILE), text);
}

#[test]
fn a_broken_file_without_anything_of_ours_does_not_keep_the_rest() {
    for (file, text) in [(".codex/hooks.json", "{ x"), (".codex/config.toml", "x = [")] {
        let scratch = Scratch::new();
        scratch.run("install --client claude").succeeds();
        scratch.write(file, text);
        scratch.run("uninstall").prints(
            "Claude Code: deleted $HOME/.claude/settings.json\n\
             Codex: nothing to remove in $HOME/.codex/hooks.json\n",
        );
        assert_eq!(scratch.text(file), text);
    }
    let scratch = Scratch::new();
    scratch.write(".codex/hooks.json", "{ \"command\": \"/opt/mailstop-stop");
    assert_eq!(scratch.run("uninstall").status, 1);
}

// B06
#[test]
fn a_folder_in_the_place_of_the_file_is_refused() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path(FILE)).expect("a folder");
    for verb in ["install", "uninstall"] {
        scratch.run(&format!("{verb} --client claude")).fails(
            1,
            "error: $HOME/.claude/settings.json is not a file\n\
             hint: move it away and run the command again\n",
        );
    }
}

#[test]
fn one_bad_file_stops_the_others_too() {
    let scratch = Scratch::new();
    scratch.write(".codex/hooks.json", "{");
    let ran = scratch.run("install --client all --json");
    assert_eq!((ran.status, &*ran.stderr), (1, ""));
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(document["error"]["code"], "failed");
    assert_eq!(scratch.files(), [".codex/hooks.json"]);
}
