//! Links survive; the file that they lead to is edited.

use std::fs;
use std::os::unix::fs::symlink;

use crate::scratch::Scratch;

const FILE: &str = ".claude/settings.json";

/// Installs and uninstalls through a link and checks both of its ends.
fn edits_the_target(scratch: &Scratch, target: &str, links: &[&str]) {
    let before: Vec<_> = links.iter().map(|link| fs::read_link(scratch.path(link)).ok()).collect();
    scratch.run("install --client claude").succeeds();
    assert!(scratch.text(target).contains("mailstop-stop"));
    scratch
        .run("uninstall --client claude")
        .prints("Claude Code: restored $HOME/.claude/settings.json\n");
    assert_eq!(scratch.text(target), "{ \"a\": 1 }\n");
    let after: Vec<_> = links.iter().map(|link| fs::read_link(scratch.path(link)).ok()).collect();
    assert_eq!(after, before);
    assert!(after.iter().all(Option::is_some));
}

fn with_target(target: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write(target, "{ \"a\": 1 }\n");
    scratch
}

// B09
#[test]
fn a_relative_link_stays() {
    let scratch = with_target("dot/settings.json");
    fs::create_dir(scratch.path(".claude")).expect("a folder");
    symlink("../dot/settings.json", scratch.path(FILE)).expect("a link");
    edits_the_target(&scratch, "dot/settings.json", &[FILE]);
}

// B09
#[test]
fn an_absolute_link_stays() {
    let scratch = with_target("dot/settings.json");
    fs::create_dir(scratch.path(".claude")).expect("a folder");
    symlink(scratch.path("dot/settings.json"), scratch.path(FILE)).expect("a link");
    edits_the_target(&scratch, "dot/settings.json", &[FILE]);
}

// B09
#[test]
fn a_chain_of_links_stays() {
    let scratch = with_target("store/real.json");
    fs::create_dir(scratch.path(".claude")).expect("a folder");
    fs::create_dir(scratch.path("dot")).expect("a folder");
    symlink("../dot/settings.json", scratch.path(FILE)).expect("a link");
    symlink("../store/real.json", scratch.path("dot/settings.json")).expect("a link");
    edits_the_target(&scratch, "store/real.json", &[FILE, "dot/settings.json"]);
}

// B09
#[test]
fn a_linked_folder_stays() {
    let scratch = with_target("dot/claude/settings.json");
    symlink("dot/claude", scratch.path(".claude")).expect("a link");
    edits_the_target(&scratch, "dot/claude/settings.json", &[".claude"]);
}

// B09
#[test]
fn a_link_to_nothing_is_refused() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path(".claude")).expect("a folder");
    symlink("../dot/settings.json", scratch.path(FILE)).expect("a link");
    for verb in ["install", "uninstall"] {
        scratch.run(&format!("{verb} --client claude")).fails(
            1,
            "error: $HOME/.claude/settings.json is a link to a file that does not exist\n\
             hint: create a file where it links to, or remove the link\n",
        );
    }
    assert!(scratch.exists(FILE) && !scratch.exists("dot"));
}

// B09
#[test]
fn a_folder_that_links_to_nothing_is_refused() {
    let scratch = Scratch::new();
    symlink("dot/claude", scratch.path(".claude")).expect("a link");
    let ran = scratch.run("install --client claude");
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.starts_with("error: $HOME/.claude is a link to a"), "{}", ran.stderr);
    assert!(!scratch.exists("dot"));
}
