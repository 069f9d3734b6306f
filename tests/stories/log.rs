//! The activity record: what happened, in order, and no word of what was said.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::{MAILSTOP, World};

/// What, to which message, who and the detail: a line for each activity.
fn told(world: &World) -> Vec<String> {
    let document = world.json(&["log"]);
    let word = |one: &Value, name: &str| one[name].as_str().unwrap_or("-").to_owned();
    let line = |one: &Value| ["what", "id", "who", "detail"].map(|name| word(one, name)).join(" ");
    document["activities"].as_array().unwrap().iter().map(|one| world.redact(&line(one))).collect()
}

#[test]
fn a_message_is_followed_from_send_to_its_end() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--subject", "secret", "--tag", "secret", "--priority", "high"]);
    let (_, _) = (bob.stop(), bob.tool("t1"));
    assert_eq!(bob.mailstop(&["resolve", &id, "--note", "secret"]).status, 0);
    let (_, _) = (bob.stop(), bob.end());
    assert_eq!(
        told(&world),
        [
            "started - session/s1 bob",
            "stored <1> user agent/bob",
            "offered <1> agent/bob Stop",
            "blocked <1> agent/bob -",
            "seen <1> agent/bob tool call",
            "resolved <1> agent/bob -",
            "ended - session/s1 -",
        ]
    );
    let log = world.mailstop(&["log"]).stdout;
    assert!(!log.contains("secret") && !log.contains("text"), "{log}");
}

#[test]
fn an_offer_that_nothing_proved_is_told_to_be_unread_again() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &[]);
    let _ = bob.prompt();
    std::fs::write(&bob.transcript, "{}\n").unwrap();
    let _ = bob.prompt();
    let last = told(&world).split_off(2);
    let offered = "offered <1> agent/bob UserPromptSubmit";
    assert_eq!(last, [offered, "unread <1> agent/bob -", offered]);
}

#[test]
fn other_ends_and_names_are_told_too() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let (taken, ended) = (world.send("bob", &[]), world.send("bob", &["--expires", "1h"]));
    let _ = world.mailstop(&["withdraw", &taken]);
    world.sql(&format!("UPDATE messages SET expires_at = 5 WHERE id = '{ended}'"));
    assert_eq!(bob.mailstop(&["name", "rob"]).status, 0);
    let last = told(&world).split_off(3);
    let notice = last[2].split_whitespace().nth(1).unwrap().to_owned();
    assert_eq!(
        last,
        [
            "withdrawn <1> user -".to_owned(),
            "expired <2> mailstop -".to_owned(),
            format!("stored {notice} agent/bob user"),
            "renamed - agent/bob agent/rob".to_owned(),
        ]
    );
}

#[test]
fn a_followed_log_tells_what_happens() {
    let world = World::new();
    world.send("bob", &["--allow-unknown"]);
    let mut command = world.command(MAILSTOP);
    let mut child = command.args(["log", "--follow", "--limit", "1", "--json"]);
    child = child.stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["id"], world.id(1));
    let id = world.send("bob", &[]);
    assert_eq!(next()["id"], id);
    let _ = world.mailstop(&["withdraw", &id]);
    assert_eq!(next()["what"], "withdrawn");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn old_activities_go_with_a_sweep() {
    let world = World::new();
    world.send("bob", &["--allow-unknown", "--status", "resolved"]);
    world.age(31 * 24);
    world.sql("UPDATE activities SET at = at - 31 * 86400000");
    assert_eq!(world.json(&["sweep"])["removed"], json!({ "resolved": 1 }));
    assert_eq!(told(&world), ["swept - mailstop 1 messages"]);
}
