//! The smaller commands, and outputs that nobody takes.

use crate::shown::Shown;
use crate::world::World;

#[test]
fn alone_it_tells_the_mailbox_and_the_sessions() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    world.send("bob", &[]);
    let told = "You are user. 1 message: 1 pending, 1 unread, 0 offered.\n\n\
        NAME       STATE    UNREAD  CLIENT  PROJECT  LAST  SESSION\n\
        agent/bob  running  1       claude  work     now   s1\n\n\
        mailstop inbox lists mail; mailstop --help tells the rest\n";
    assert_eq!(world.mailstop(&[]).stdout, told);
}

#[test]
fn an_inbox_is_a_table() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--subject", "Hi", "--priority", "high"]);
    let table = world.mailstop(&["inbox"]).stdout;
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["ID", "STATE", "PRIORITY", "FROM", "TO", "AGE", "SUBJECT"]);
    assert_eq!(rows[1], ["<1>", "queued", "high", "user", "agent/bob", "now", "Hi"]);
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
fn an_agent_is_paused_and_unpaused() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    assert_eq!(world.mailstop(&["pause", "bob"]).stdout, "agent/bob is paused: nothing wakes it\n");
    assert_eq!(world.mailstop(&["unpause", "agent/bob"]).stdout, "agent/bob can be woken again\n");
    assert_eq!(
        (world.mailstop(&["pause", "zoe"]).status, world.mailstop(&["pause"]).status),
        (3, 2)
    );
}

#[test]
fn a_broken_setting_stops_no_hook_and_is_told() {
    let world = World::with_config("stall_after = \"soon\"");
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start().brief(), "context");
    assert_eq!((world.errors().lines().count(), world.mailstop(&["inbox"]).status), (1, 1));
    assert_eq!(world.mailstop(&["config"]).status, 1);
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
    assert_eq!((bob.start().brief(), bob.prompt()), ("context".into(), Shown::Nothing));
    world.send("bob", &[]);
    assert_eq!(bob.stop().brief(), "block 1");
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
