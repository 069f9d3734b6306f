//! The smaller commands, and outputs that nobody takes.

use std::fs::OpenOptions;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::json;

use crate::session::Shown;
use crate::world::{MAILSTOP, OBSERVE, RESOLVE, START, World, run};

#[test]
fn alone_it_tells_the_mailbox_and_the_sessions() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    world.send("bob", &[]);
    let told = "You are user. 1 messages: 1 pending, 1 unread, 0 offered.\n\n\
        NAME       STATE    UNREAD  CLIENT  PROJECT  LAST  SESSION\n\
        agent/bob  running  1       claude  work     now   s1\n\n\
        List mail: mailstop inbox   Send: mailstop send --to NAME --body TEXT   Help: mailstop --help\n";
    assert_eq!(world.mailstop(&[]).stdout, told);
}

#[test]
fn an_inbox_is_a_table() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--subject", "Hi", "--priority", "high"]);
    let table = world.mailstop(&["inbox"]).stdout;
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[0],
        ["ID", "STATE", "PRIORITY", "FROM", "TO", "AGE", "SUBJECT"]
    );
    assert_eq!(
        rows[1],
        ["<1>", "queued", "high", "user", "agent/bob", "now", "Hi"]
    );
    assert_eq!(World::new().mailstop(&["inbox"]).stdout, "no mail\n");
}

#[test]
fn a_message_is_read_whole() {
    let world = World::new();
    let id = world.send("user", &["--subject", "Hi"]);
    let read = "id       <1>\nfrom     user\nto       user\nage      now\n\
        kind     message, normal, actionable\nstatus   pending\nthread   <1>\nsubject  Hi\n\ntext\n";
    assert_eq!(world.mailstop(&["read", &id]).stdout, read);
}

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
        world.json(&["inbox", "--for", "bob"])["messages"]
            .as_array()
            .map(Vec::len),
        Some(1)
    );
}

#[test]
fn an_agent_is_paused_and_unpaused() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    assert_eq!(
        world.mailstop(&["pause", "bob"]).stdout,
        "agent/bob is paused: nothing wakes it\n"
    );
    assert_eq!(
        world.mailstop(&["unpause", "agent/bob"]).stdout,
        "agent/bob can be woken again\n"
    );
    assert_eq!(
        (
            world.mailstop(&["pause", "zoe"]).status,
            world.mailstop(&["pause"]).status
        ),
        (3, 2)
    );
}

#[test]
fn a_broken_setting_stops_no_hook_and_is_told() {
    let world = World::with_config("stall_after = \"soon\"");
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start().brief(), "context");
    assert_eq!(
        (
            world.errors().lines().count(),
            world.mailstop(&["inbox"]).status
        ),
        (1, 1)
    );
    assert_eq!(world.mailstop(&["config"]).status, 1);
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
    assert_eq!(
        world.session("s2").named("two").start().brief(),
        "context 1"
    );
    assert_eq!(
        world.session("s3").named("three").start().brief(),
        "context"
    );
}

#[test]
fn a_session_has_ended_only_when_none_of_its_processes_is_left() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    symlink(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stories/client.sh"),
        world.path("claude"),
    )
    .unwrap();
    let payload = |name: &str| {
        bob.payload(name, &json!({ "source": "resume", "reason": "other" }))
            .to_string()
    };
    std::fs::write(world.path("end"), payload("SessionEnd")).unwrap();
    let mut second = world.command(world.path("claude"));
    second.env(
        "STORY",
        format!("{START} && {OBSERVE} < {}", world.path("end").display()),
    );
    assert!(
        run(&mut second, payload("SessionStart").as_bytes())
            .status
            .success()
    );
    assert_eq!(world.json(&["sessions"])["sessions"][0]["state"], "idle");
    let _ = bob.end();
    assert_eq!(
        world.json(&["sessions", "--all"])["sessions"][0]["state"],
        "ended"
    );
}

/// B28.
#[test]
fn nothing_else_is_printed_whatever_the_environment_says() {
    let world = World::new();
    std::fs::write(world.path("noise"), "echo noise\n").unwrap();
    let noise = world.path("noise").display().to_string();
    let mut bob = world.session("s1").named("bob");
    for (name, value) in [
        ("BASH_ENV", noise.as_str()),
        ("ENV", &noise),
        ("CLAUDECODE", "1"),
        ("AI_AGENT", "1"),
        ("RUST_LOG", "trace"),
        ("RUST_BACKTRACE", "full"),
    ] {
        bob = bob.with(name, value);
    }
    assert_eq!(
        (bob.start().brief(), bob.prompt()),
        ("context".into(), Shown::Nothing)
    );
    world.send("bob", &[]);
    assert_eq!(bob.stop().brief(), "block 1");
}

#[test]
fn what_was_done_stays_done_when_nobody_reads_of_it() {
    let world = World::new();
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let id = world.send("user", &[]);
    let mut resolve = world.command(RESOLVE);
    let resolved = resolve
        .args(["--id", &id])
        .stdout(full())
        .stderr(full())
        .status()
        .unwrap();
    assert_eq!(
        (resolved.code(), world.outcome(&id)),
        (Some(0), "resolved".into())
    );
    let mut none = world.command(RESOLVE);
    assert_eq!(
        none.args(["--id", "none"])
            .stdout(full())
            .stderr(full())
            .status()
            .unwrap()
            .code(),
        Some(3)
    );
    let mut inbox = world.command(MAILSTOP);
    assert_eq!(
        inbox
            .arg("inbox")
            .stdout(full())
            .stderr(full())
            .status()
            .unwrap()
            .code(),
        Some(1)
    );
}

#[test]
fn the_beginning_of_two_sessions_ids_is_refused_with_both() {
    let world = World::new();
    for id in ["abcd-1", "abcd-2"] {
        let _ = world.session(id).start();
    }
    let refused = world.mailstop(&["send", "--to", "session/abcd", "--body", "x"]);
    assert_eq!(
        (refused.status, refused.stderr.lines().next()),
        (3, Some("error: more than one session begins with `abcd`"))
    );
    assert_eq!(
        world.json(&["send", "--to", "session/abcd-1", "--body", "x"])["recipient"],
        "session/abcd-1"
    );
}
