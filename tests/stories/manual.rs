//! The manual pages.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Mutex;

use serde_json::json;

use crate::help::verbs;
use crate::pty;
use crate::verbs::failed;
use crate::world::{MAILSTOP, World};

/// The headings of a page.
fn headings(page: &str) -> Vec<&str> {
    page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect()
}

#[test]
fn every_verb_has_a_page_and_every_page_its_sections() {
    let world = World::new();
    let said = world.mailstop(&["man", "--into", "share/man1"]);
    let verbs = verbs();
    assert_eq!(said.stdout, format!("wrote {} pages to share/man1\n", verbs.len()));
    for verb in &verbs {
        let name = format!("mailstop {verb}").trim().replace(' ', "-");
        let page = fs::read_to_string(world.path(&format!("work/share/man1/{name}.1"))).unwrap();
        let (title, version) = (name.to_uppercase(), env!("CARGO_PKG_VERSION"));
        let title = format!("\n.TH {title} 1 \"\" \"mailstop {version}\" \"Mailstop\"\n");
        assert!(page.contains(&title), "{page}");
        let headings = headings(&page);
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
            assert!(headings.contains(&heading), "{name}: {headings:?}");
        }
        let words: Vec<&str> = ["man"].into_iter().chain(verb.split_whitespace()).collect();
        assert_eq!(world.mailstop(&words).stdout, page);
        assert_eq!(world.json(&words), json!({ "verb": verb, "page": page }));
    }
    assert_eq!(fs::read_dir(world.path("work/share/man1")).unwrap().count(), verbs.len());
}

#[test]
fn the_page_about_all_tells_what_belongs_to_no_verb() {
    let page = World::new().mailstop(&["man"]).stdout;
    let told = [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "OPTIONS",
        "COMMANDS",
        "EXAMPLES",
        "FILES",
        "ENVIRONMENT",
        "\"EXIT STATUS\"",
    ];
    assert_eq!(headings(&page), told);
    for line in [
        "mailstop\\-send(1)\nSend a message",
        "\\fBMAILSTOP_HOME\\fR\nthe folder of the mailbox",
        "\\fB6\\fR\nthe mailbox cannot be used",
    ] {
        assert!(page.contains(&format!(".TP\n{line}\n")), "{line}: {page}");
    }
}

#[test]
fn an_example_stays_as_it_is_written() {
    let page = World::new().mailstop(&["man", "reply"]).stdout;
    let example = ".SH EXAMPLES\n.nf\nmailstop reply k7f3m2qd \\- <<\\*(AqEOF\\*(Aq\n\
        Done, see the branch.\nEOF\n.fi\n";
    assert!(page.contains(example), "{page}");
}

#[test]
fn a_verb_that_is_not_there_is_refused_with_close_ones() {
    let world = World::new();
    let hint = "error: mailstop has no verb `sned`\nhint: did you mean send?\n";
    assert_eq!(world.mailstop(&["man", "sned"]), failed(3, hint));
    let hint = "error: mailstop sessions has no verb `forge`\nhint: did you mean forget?\n";
    assert_eq!(world.mailstop(&["man", "sessions", "forge"]), failed(3, hint));
    let hint =
        "error: mailstop send has no verb `x`\nhint: `mailstop send --help` lists what there is\n";
    assert_eq!(world.mailstop(&["man", "send", "x"]), failed(3, hint));
    assert_eq!(world.json(&["man", "x"])["error"]["code"], "not_found");
    assert_eq!(world.mailstop(&["man", "send", "--into", "pages"]).status, 2);
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let world = World::new();
    fs::write(world.path("work/pages"), "").unwrap();
    let told = "error: cannot make pages: file exists (os error 17)\n";
    assert_eq!(world.mailstop(&["man", "--into", "pages"]), failed(1, told));
}

/// What a terminal shows of a page, where `man` is this script.
fn on_a_terminal(world: &World, script: &str) -> String {
    let man = world.path("man");
    fs::write(&man, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&man, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = world.command(MAILSTOP);
    command.args(["man", "send"]).env("PATH", format!("{}:/bin", world.path("").display()));
    let (mut child, mut terminal) = pty::spawn(&mut command).unwrap();
    drop(command);
    let screen = Mutex::default();
    // A terminal that nobody has open any more ends in an error.
    let _ = pty::watch(&mut terminal, &screen);
    assert!(child.wait().unwrap().success());
    String::from_utf8(screen.into_inner().unwrap()).unwrap().replace("\r\n", "\n")
}

#[test]
fn on_a_terminal_man_shows_the_page() {
    let world = World::new();
    let page = world.mailstop(&["man", "send"]).stdout;
    let shown = on_a_terminal(&world, "echo \"man $*\" && cat");
    assert_eq!(shown, format!("man -l -\n{page}"));
    assert_eq!(on_a_terminal(&world, "echo usage && exit 64"), page);
}
