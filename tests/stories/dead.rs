//! Deliveries that are given up: when, who hears of it, and how one is tried again.

use std::fs;

use serde_json::{Value, json};

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

pub(crate) const NOT_FOUND: &str = "offered, but not found in the transcript";
/// Bob, whose transcript holds nothing that he is offered.
pub(crate) fn bob(world: &World) -> Session<'_> {
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    fs::write(&bob.transcript, "{}\n").unwrap();
    bob
}

/// Offers mail at ten prompts, each of them interrupted at once; the next looks it up.
pub(crate) fn in_vain(session: &Session<'_>) {
    for attempt in 1..=10 {
        assert!(matches!(session.prompt(), Shown::Context(_)), "attempt {attempt}");
    }
    assert_eq!(session.prompt(), Shown::Nothing);
}

/// Mail to bob by amy that was given up.
pub(crate) fn dead(world: &World) -> (Session<'_>, Session<'_>, String) {
    let (bob, amy) = (bob(world), world.session("s2").named("amy"));
    let _ = amy.start();
    let id = amy.send("bob", &["--subject", "secret"]);
    in_vain(&bob);
    (bob, amy, id)
}

/// What one recipient's status says.
pub(crate) fn recipient(world: &World, id: &str) -> Value {
    let one = world.json(&["status", id])["recipients"][0].clone();
    assert_eq!(one["dead_at"].is_null(), one["outcome"] != "dead", "{one}");
    json!([one["outcome"], one["attempts"], one["last_error"]])
}

/// The ids that are dead.
pub(crate) fn letters(world: &World) -> Vec<String> {
    let document = world.json(&["dead", "list"]);
    let id = |one: &Value| one["id"].as_str().unwrap().to_owned();
    document["dead"].as_array().unwrap().iter().map(id).collect()
}

/// The notices about a message: what each tells, and how.
pub(crate) fn notices(world: &World, whose: &str) -> Vec<Value> {
    let document = world.json(&["inbox", "--for", whose, "--all"]);
    let all = document["messages"].as_array().unwrap().iter();
    let notices = all.filter(|one| one["kind"] == "notice");
    let told = |one: &Value| {
        json!([one["correlation"], one["priority"], one["disposition"], one["status"]])
    };
    let mut told: Vec<Value> = notices.map(told).collect();
    told.sort_by_key(Value::to_string);
    told
}

/// B42: what an interrupt swallowed is offered again, but not for ever.
#[test]
fn ten_offers_in_a_row_that_nothing_proved_are_the_last() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    for attempt in 1..=9 {
        let _ = bob.prompt();
        let reason = if attempt == 1 { Value::Null } else { json!(NOT_FOUND) };
        assert_eq!(recipient(&world, &id), json!(["offered", attempt, reason]));
    }
    let (_, _) = (bob.prompt(), bob.prompt());
    assert_eq!(recipient(&world, &id), json!(["dead", 10, NOT_FOUND]));
    assert_eq!(
        (bob.tool("t"), bob.stop(), bob.start_as("resume").brief()),
        (Shown::Nothing, Shown::Nothing, "context".into())
    );
    assert_eq!(world.json(&["status", &id])["status"], "pending");
}

#[test]
fn a_proof_begins_the_count_again() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    for _attempt in 0..10 {
        let _ = bob.prompt();
    }
    assert_eq!(bob.stop(), Shown::Nothing);
    assert_eq!(recipient(&world, &id), json!(["seen", 10, NOT_FOUND]));
    assert_eq!(letters(&world), [""; 0]);
    let told = world.mailstop(&["status", &id]).stdout;
    assert!(told.ends_with("proved by stop; 10 attempts\n"), "{told}");
}

#[test]
fn a_status_tells_the_attempts_and_why_the_last_one_failed() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    let (_, _) = (bob.prompt(), bob.prompt());
    let told = |world: &World| world.mailstop(&["status", &id]).stdout;
    let failed = format!("2 attempts; the last one failed: {NOT_FOUND}\n");
    assert!(told(&world).ends_with(&failed), "{}", told(&world));
    for _attempt in 2..11 {
        let _ = bob.prompt();
    }
    let dead = format!("<1> dead: \n  agent/bob: dead; 10 attempts; given up now: {NOT_FOUND}\n");
    assert_eq!(told(&world), dead);
}

#[test]
fn a_list_shows_what_was_given_up_and_changes_nothing() {
    let world = World::new();
    assert_eq!(world.mailstop(&["dead", "list"]).stdout, "nothing was given up\n");
    let (_, _, id) = dead(&world);
    let one = world.json(&["dead", "list"])["dead"][0].clone();
    let told = ["id", "what", "recipient", "attempts", "last_error", "subject"]
        .map(|key| one[key].clone());
    assert_eq!(json!(told), json!([id, "message", "agent/bob", 10, NOT_FOUND, "secret"]));
    let list = world.mailstop(&["dead", "list"]).stdout;
    let row = format!("\n<1>  message  agent/bob  10        {NOT_FOUND}  now    secret\n");
    assert!(list.contains(&row), "{list}");
    assert_eq!(world.mailstop(&["dead", "list"]).stdout, list);
}

/// How much is unread for bob in a list of the sessions.
fn unread_of_bob(world: &World) -> Value {
    let sessions = world.json(&["sessions"])["sessions"].clone();
    let mut all = sessions.as_array().unwrap().iter();
    all.find(|one| one["name"] == "bob").unwrap()["unread"].clone()
}

/// B18: one number everywhere, and what was closed never comes back.
#[test]
fn what_is_dead_is_unread_nowhere_and_what_was_closed_never_returns() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let counts = [
        world.json(&[])["unread"].clone(),
        json!(
            world.json(&["inbox", "--for", "bob", "--unread"])["messages"]
                .as_array()
                .unwrap()
                .len()
        ),
        json!(
            world.json(&["inbox", "--for", "bob", "--blocking"])["messages"]
                .as_array()
                .unwrap()
                .len()
        ),
        unread_of_bob(&world),
    ];
    // Amy's notice is the one that is unread.
    assert_eq!(json!(counts), json!([1, 0, 0, 0]));
    let _ = world.mailstop(&["dead", "retry", &id]);
    assert_eq!(world.resolve(&["--id", &id]).status, 0);
    assert_eq!(
        (bob.prompt(), bob.tool("t"), bob.stop()),
        (Shown::Nothing, Shown::Nothing, Shown::Nothing)
    );
    assert_eq!((world.outcome(&id), letters(&world)), ("resolved".into(), vec![]));
}

#[test]
fn the_record_tells_the_reason_and_no_word_of_the_message() {
    let world = World::new();
    let (_, _, id) = dead(&world);
    let _ = world.mailstop(&["dead", "retry", &id]);
    world.sql("UPDATE deliveries SET dead_at = 1, owed = 0 WHERE message = 1");
    let _ = world.mailstop(&["dead", "drop", &id]);
    let log = world.json(&["log"])["activities"].clone();
    let told: Vec<Value> = log
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| ["dead", "retried", "dropped"].iter().any(|what| one["what"] == *what))
        .map(|one| json!([one["what"], one["id"], one["who"], one["detail"]]))
        .collect();
    let line = |what: &str, detail: Value| json!([what, id, "agent/bob", detail]);
    assert_eq!(
        told,
        [
            line("dead", json!(NOT_FOUND)),
            line("retried", Value::Null),
            line("dropped", Value::Null)
        ]
    );
    assert!(!log.to_string().contains("secret"), "{log}");
}

#[test]
fn a_send_that_waits_ends_when_every_way_is_dead() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    let words = ["send", "--to", "bob", "--body", "x", "--wait-for", "seen", "--timeout", "60"];
    let said = std::thread::scope(|scope| {
        let waits = scope.spawn(|| world.mailstop(&words));
        while !matches!(bob.prompt(), Shown::Context(_)) {}
        for _attempt in 0..10 {
            let _ = bob.prompt();
        }
        waits.join().unwrap()
    });
    let id = letters(&world).remove(0);
    let told = format!(
        "error: {id} was given up: {NOT_FOUND}\nhint: `mailstop dead retry {id}` has it tried again\n"
    );
    assert_eq!((said.status, said.stderr), (1, told));
}
