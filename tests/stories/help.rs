//! The help of every verb: what it gives as an example works.

use std::path::Path;
use std::process::Command;

use crate::work_buddy::{Old, Shape};
use crate::world::{MAILSTOP, World};

/// The ids in examples; each stands for a message of its own.
const PLACEHOLDERS: [&str; 2] = ["k7f3m2qd", "p4x9s2hc"];

/// A world in which everything that the examples name is there: the agent bob, who
/// runs, amy, who ended, and a folder with a project.
fn world() -> World {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let _ = (bob.start(), bob.prompt(), amy.start(), amy.end());
    // A repository of its own keeps an example's files out of one around all scratch.
    for folder in ["work/.git", "work/app"] {
        std::fs::create_dir(world.path(folder)).unwrap();
    }
    Old::at(world.path("work/messages.db"), Shape::Full).add("m1", &[]);
    world
}

/// The shell of a person, or of bob for what only an agent can do.
fn shell(world: &World, verb: &str) -> Command {
    let bin = Path::new(MAILSTOP).parent().unwrap();
    let mut shell = world.command("/bin/sh");
    shell.arg("-euc").env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    if verb == "name" {
        shell.env("CLAUDE_CODE_SESSION_ID", "s1");
    }
    shell
}

fn help(verb: &str) -> String {
    let words: Vec<&str> = verb.split_whitespace().chain(["--help"]).collect();
    World::new().mailstop(&words).stdout
}

/// The indented lines below a heading of a help.
fn below<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    lines.map_while(|line| line.strip_prefix("  ")).collect()
}

/// Every verb that the help knows, those of verbs too; the first is none at all.
pub(crate) fn verbs() -> Vec<String> {
    let mut verbs = vec![String::new()];
    for place in 0.. {
        let Some(verb) = verbs.get(place).cloned() else { break };
        let help = help(&verb);
        let nested = below(&help, "Commands:");
        let names = nested.iter().filter(|line| !line.starts_with(' '));
        let names = names.filter_map(|line| line.split_whitespace().next());
        verbs.extend(names.map(|name| format!("{verb} {name}").trim().to_owned()));
    }
    verbs
}

#[test]
fn every_example_works() {
    for verb in verbs() {
        let world = world();
        let help = help(&verb);
        let mut examples = below(&help, "Examples:").join("\n");
        assert!(!examples.is_empty(), "`{verb}` has no example:\n{help}");
        for placeholder in PLACEHOLDERS {
            examples = examples.replace(placeholder, &world.send("bob", &[]));
        }
        if verb.starts_with("dead") {
            world.sql("UPDATE deliveries SET owed = 0, dead_at = 1");
        }
        let said = world.said(shell(&world, &verb).arg(&examples), b"");
        assert_eq!(said.status, 0, "{examples}\n{}{}", said.stdout, said.stderr);
    }
}

/// The pages of `man` are 80 columns wide, and indent an example by 7.
#[test]
fn every_example_fits_a_small_terminal() {
    for verb in verbs() {
        let help = help(&verb);
        for example in below(&help, "Examples:") {
            assert!(example.len() <= 73, "`{verb}`: {example}");
        }
    }
}

#[test]
fn the_verbs_are_found() {
    let verbs = verbs();
    for verb in ["", "send", "man", "sessions forget"] {
        assert!(verbs.iter().any(|found| found == verb), "{verb}: {verbs:?}");
    }
}
