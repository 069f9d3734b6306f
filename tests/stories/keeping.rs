//! What stays: mail of sessions that ended, and what was done though nobody reads of it.

use std::fs::OpenOptions;
use std::process::Stdio;

use serde_json::json;

use crate::world::{MAILSTOP, OBSERVE, RESOLVE, START, World, run};

#[test]
fn a_session_that_ended_can_be_forgotten_and_a_running_one_not() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    world.send("bob", &[]);
    assert_eq!(
        world.mailstop(&["sessions", "forget", "bob"]).stderr,
        "error: session s1 is running\nhint: end its client first\n"
    );
    let (_, _) = (bob.stop(), bob.end());
    assert_eq!(
        world.mailstop(&["sessions", "forget", "s1"]).stdout,
        "forgot session s1; its mail stays\n"
    );
    assert_eq!(world.json(&["sessions", "--all"])["sessions"], json!([]));
    assert_eq!(
        world.json(&["inbox", "--for", "bob"])["messages"].as_array().map(Vec::len),
        Some(1)
    );
}

#[test]
fn renaming_to_one_that_ended_takes_its_mail_over() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.end());
    world.send("bob", &[]);
    let eve = world.session("s2").named("eve");
    let _ = eve.start();
    world.send("eve", &[]);
    assert_eq!(eve.mailstop(&["name", "bob"]).status, 0);
    world.send("eve", &[]);
    assert_eq!(eve.prompt().brief(), "context 1 2 3");
}

#[test]
fn a_broadcast_that_its_session_never_saw_goes_to_the_next_one() {
    let world = World::new();
    let one = world.session("s1").named("one");
    let _ = one.start();
    world.send("project/.", &[]);
    let _ = one.end();
    assert_eq!(world.session("s2").named("two").start().brief(), "context 1");
    assert_eq!(world.session("s3").named("three").start().brief(), "context");
}

#[test]
fn a_session_has_ended_only_when_none_of_its_processes_is_left() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let payload = |name: &str| {
        bob.payload(name, &json!({ "source": "resume", "reason": "other" })).to_string()
    };
    std::fs::write(world.path("end"), payload("SessionEnd")).unwrap();
    let mut second = world.client();
    second.env("STORY", format!("{START} && {OBSERVE} < {}", world.path("end").display()));
    assert!(run(&mut second, payload("SessionStart").as_bytes()).status.success());
    assert_eq!(world.json(&["sessions"])["sessions"][0]["state"], "idle");
    let _ = bob.end();
    assert_eq!(world.json(&["sessions", "--all"])["sessions"][0]["state"], "ended");
}

#[test]
fn what_was_done_stays_done_when_nobody_reads_of_it() {
    let world = World::new();
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let id = world.send("user", &[]);
    let mut resolve = world.command(RESOLVE);
    let resolved = resolve.args(["--id", &id]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!((resolved.code(), world.outcome(&id)), (Some(0), "resolved".into()));
    let mut none = world.command(RESOLVE);
    assert_eq!(
        none.args(["--id", "none"]).stdout(full()).stderr(full()).status().unwrap().code(),
        Some(3)
    );
    let mut inbox = world.command(MAILSTOP);
    assert_eq!(inbox.arg("inbox").stdout(full()).stderr(full()).status().unwrap().code(), Some(1));
}
