//! What ends with a session that is forgotten, and who hears of it.

use std::fs;

use serde_json::{Value, json};

use crate::dead::{bob, letters, notices, recipient};
use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

const REASON: &str = "recipient forgotten";

/// A message of amy's to bob's session alone, which ended and was forgotten.
fn forgotten(world: &World) -> (Session<'_>, String) {
    let (bob, amy) = (bob(world), world.session("s2").named("amy"));
    let (_, id) = (amy.start(), amy.send("session/s1", &[]));
    let _ = bob.end();
    assert_eq!(world.mailstop(&["sessions", "forget", "s1"]).status, 0);
    (amy, id)
}

/// B24: who writes to somebody that is gone hears of it, once.
#[test]
fn unread_mail_to_a_forgotten_session_is_dead_and_its_sender_hears() {
    let world = World::new();
    let (_, id) = forgotten(&world);
    assert_eq!(recipient(&world, &id), json!(["dead", 0, REASON]));
    assert_eq!(
        notices(&world, "amy"),
        [json!(["retry_exhausted", "high", "actionable", "pending"])]
    );
    assert_eq!(world.mailstop(&["send", "--to", "session/s1", "--body", "x"]).status, 3);
}

#[test]
fn forgetting_says_how_much_died_and_leaves_the_names_mail() {
    let world = World::new();
    let bob = bob(&world);
    let (named, own) = (world.send("bob", &[]), world.send("session/s1", &[]));
    let closed = world.send("session/s1", &["--status", "resolved"]);
    let _ = bob.end();
    let said = world.mailstop(&["sessions", "forget", "bob"]).stdout;
    let told = "forgot session s1; its mail stays, but 1 unread message to the session itself: mailstop dead list\n";
    assert_eq!((said.as_str(), letters(&world)), (told, vec![own]));
    assert_eq!(
        (world.outcome(&named), world.outcome(&closed)),
        ("queued".into(), "resolved".into())
    );
    assert_eq!(world.session("s3").named("bob").start().brief(), "context 1");
}

#[test]
fn what_it_was_offered_is_looked_up_first() {
    let world = World::new();
    let bob = bob(&world);
    let (got, lost) = (world.send("session/s1", &[]), world.send("session/s1", &[]));
    let _ = bob.prompt();
    fs::write(&bob.transcript, format!("{{}}\n[{got}]\n")).unwrap();
    let _ = bob.end();
    let document = world.json(&["sessions", "forget", "s1"]);
    assert_eq!(document, json!({ "id": "s1", "forgotten": true, "dead": 1, "held_dead": 0 }));
    assert_eq!(
        (world.proof(&got), recipient(&world, &lost)),
        ("transcript".into(), json!(["dead", 1, REASON]))
    );
}

#[test]
fn a_redelivery_finds_nobody_and_stays_dead() {
    let world = World::new();
    let (_, id) = forgotten(&world);
    let said = world.mailstop(&["dead", "retry", &id]);
    let told = "error: session/s1 was forgotten, and nobody is there in its place\n\
        hint: <1> stays dead; send it to somebody else, or `mailstop dead drop <1>`\n";
    assert_eq!((said.status, said.stderr.as_str()), (4, told));
    let all = world.json(&["dead", "retry", "--all"]);
    assert_eq!((&all["retried"], &all["still_dead"][0]["id"]), (&json!([]), &json!(id)));
    assert_eq!(recipient(&world, &id), json!(["dead", 0, REASON]));
}

#[test]
fn a_redelivery_goes_to_whoever_has_the_name_now() {
    let world = World::new();
    let (_, id) = forgotten(&world);
    let next = world.session("s3").named("bob");
    let _ = next.start();
    let said = world.mailstop(&["dead", "retry", &id]).stdout;
    assert_eq!(said, "<1> is tried again, for agent/bob\n");
    assert_eq!((next.prompt().brief(), next.stop()), ("context 1".into(), Shown::Nothing));
    assert_eq!((world.outcome(&id), world.proof(&id)), ("seen".into(), "stop".into()));
    assert_eq!(notices(&world, "amy").len(), 2);
}

/// What was given up before counts as mail that the session never got.
#[test]
fn what_was_dead_already_goes_to_whoever_has_the_name_too() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("session/s1", &[]);
    crate::dead::in_vain(&bob);
    let _ = (bob.end(), world.mailstop(&["sessions", "forget", "s1"]));
    let next = world.session("s3").named("bob");
    let _ = (next.start(), next.mailstop(&["name", "rob"]));
    let said = world.mailstop(&["dead", "retry", &id]).stdout;
    assert_eq!(
        (said.as_str(), next.prompt().brief()),
        ("<1> is tried again, for agent/rob\n", "context 1".into())
    );
}

#[test]
fn a_redelivery_reaches_a_session_that_came_back() {
    let world = World::new();
    let (_, id) = forgotten(&world);
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start_as("resume").brief(), "context");
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 0);
    assert_eq!(bob.prompt().brief(), "context 1");
}

/// A cleared session goes on under its new id, and so do its mail and its dead letters.
#[test]
fn a_redelivery_follows_a_session_that_was_cleared() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("session/s1", &[]);
    crate::dead::in_vain(&bob);
    let _ = bob.clear();
    let next = world.session("s2").named("bob");
    let _ = next.start_as("clear");
    assert_eq!(world.json(&["sessions", "forget", "s1"])["dead"], 0);
    assert_eq!(
        world.mailstop(&["dead", "retry", &id]).stdout,
        "<1> is tried again, for session/s2\n"
    );
    assert_eq!(next.prompt().brief(), "context 1");
}

#[test]
fn project_mail_offered_in_vain_to_a_forgotten_session_waits_for_the_next() {
    let world = World::new();
    let bob = bob(&world);
    world.send("project/.", &[]);
    let (_, _) = (bob.prompt(), bob.end());
    assert_eq!(world.json(&["sessions", "forget", "s1"])["dead"], 0);
    assert_eq!(world.session("s3").named("eve").start().brief(), "context 1");
}

#[test]
fn project_mail_that_died_with_its_reader_goes_to_who_is_there() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("project/.", &[]);
    crate::dead::in_vain(&bob);
    let _ = (bob.end(), world.mailstop(&["sessions", "forget", "s1"]));
    let eve = world.session("s3").named("eve");
    assert_eq!(eve.start().brief(), "context");
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 0);
    assert_eq!(eve.prompt().brief(), "context 1");
}

/// What waited until somebody else was free ends with its sender; the next still goes out.
#[test]
fn held_mail_of_a_forgotten_sender_is_dead_with_one_warning() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let (_, _) = (amy.start(), bob.prompt());
    bob.asks_leave("ls");
    let (first, second, other) =
        (amy.send("bob", &[]), amy.send("bob", &[]), world.send("bob", &[]));
    let _ = amy.end();
    let said = world.mailstop(&["sessions", "forget", "amy"]);
    let told =
        "warning: 2 unread messages by session s2 will not be delivered: mailstop dead list\n";
    assert_eq!((said.status, said.stderr.as_str()), (0, told));
    assert_eq!(letters(&world), [first.clone(), second]);
    assert_eq!(recipient(&world, &first), json!(["dead", 0, "sender forgotten"]));
    let log = world.json(&["log"])["activities"].clone();
    let dead: Vec<&Value> =
        log.as_array().unwrap().iter().filter(|one| one["what"] == "dead").collect();
    assert_eq!(dead.len(), 2, "{log}");
    assert_eq!(
        (bob.runs("ls").brief(), world.outcome(&other)),
        ("context 3".into(), "offered".into())
    );
}

/// A notice to a session that is forgotten in the same breath would be stranded.
#[test]
fn a_forgotten_sender_without_a_name_is_told_nothing() {
    let world = World::new();
    let (bob, nameless) = (bob(&world), world.session("s2"));
    let _ = nameless.start();
    world.sql("UPDATE sessions SET agent_mailbox = NULL WHERE key = 's2'");
    bob.asks_leave("ls");
    let id = nameless.send("bob", &[]);
    let _ = nameless.end();
    assert_eq!(world.json(&["sessions", "forget", "s2"])["held_dead"], 1);
    assert_eq!((letters(&world), world.json(&[])["messages"].clone()), (vec![id], json!(1)));
    assert_eq!(bob.runs("ls"), Shown::Nothing);
}

#[test]
fn held_mail_of_a_sender_that_was_cleared_goes_out() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    bob.asks_leave("ls");
    let id = amy.send("bob", &[]);
    let (_, _) = (amy.clear(), world.session("s3").named("amy").start_as("clear"));
    assert_eq!(world.json(&["sessions", "forget", "s2"])["held_dead"], 0);
    assert_eq!((bob.prompt().brief(), world.outcome(&id)), ("context 1".into(), "offered".into()));
}

#[test]
fn a_session_that_runs_is_not_forgotten() {
    let world = World::new();
    let _ = bob(&world);
    let id = world.send("session/s1", &[]);
    assert_eq!(world.json(&["sessions", "forget", "s1"])["error"]["code"], "already_active");
    assert_eq!(world.outcome(&id), "queued");
}
