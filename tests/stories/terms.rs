//! Messages that end at their time.

use serde_json::Value;

use crate::shown::Shown;
use crate::world::World;

fn notices(world: &World) -> Vec<String> {
    let inbox = world.json(&["inbox", "--for", "user"]);
    let rows = inbox["messages"].as_array().unwrap().iter();
    let subject = |row: &Value| world.redact(row["subject"].as_str().unwrap());
    rows.map(subject).collect()
}

#[test]
fn a_term_ends_what_nobody_saw_and_its_sender_hears_of_it_once() {
    let world = World::new();
    world.send("bob", &["--allow-unknown", "--expires", "2h", "--priority", "high"]);
    let id = world.send("bob", &["--expires", "3d 1h"]);
    world.age(3);
    let bob = world.session("s1").named("bob");
    let shown = bob.start();
    assert!(!shown.text().contains("<1>") && shown.text().contains("<2>"), "{shown:?}");
    assert_eq!(notices(&world), ["<1> expired before agent/bob saw it"]);
    world.send("bob", &[]);
    assert_eq!(notices(&world).len(), 1);
    assert_eq!(world.outcome(&id), "offered");
}

#[test]
fn what_has_ended_is_told_before_anybody_noted_it() {
    let world = World::new();
    let id = world.send("bob", &["--allow-unknown", "--expires", "30m"]);
    world.age(1);
    assert_eq!(world.outcome(&id), "expired");
    assert_eq!(world.mailstop(&["inbox"]).stdout, "no mail\n");
    let document = world.json(&["resolve", &id]);
    assert_eq!(document["messages"][0]["status"], "expired");
}

#[test]
fn what_was_seen_ends_without_a_word_and_blocks_no_more() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--expires", "1h", "--priority", "urgent"]);
    let (_, blocked) = (bob.prompt(), bob.stop());
    assert!(matches!(blocked, Shown::Block(_)), "{blocked:?}");
    world.age(2);
    assert_eq!(bob.stop(), Shown::Nothing);
    assert_eq!((world.outcome(&id).as_str(), notices(&world).len()), ("expired", 0));
}

#[test]
fn a_duration_that_is_none_is_refused() {
    let world = World::new();
    for text in ["", "soon", "5", "-1h", "0s", "1y"] {
        let words = ["send", "--to", "user", "--body", "x", &format!("--expires={text}")];
        let said = world.mailstop(&words);
        assert_eq!(
            (said.status, said.stderr),
            (
                2,
                format!(
                    "error: not a valid duration: `{text}`\nhint: such as 30m, 2h 30m, 3d or 1w\n"
                )
            )
        );
    }
    assert_eq!(world.json(&["inbox"])["messages"], serde_json::json!([]));
}

/// B41: the wall clock jumps a year ahead in one boot of the machine.
#[test]
fn a_clock_set_forward_ends_nothing_early() {
    let world = World::new();
    let id = world.send("bob", &["--allow-unknown", "--expires", "1h"]);
    world.sql("UPDATE clock SET wall = wall - 31622400000");
    world.age(2);
    assert_eq!(world.outcome(&id), "queued");
    assert_eq!(world.session("s1").named("bob").start().brief(), "context 1");
    assert_eq!(notices(&world), Vec::<String>::new());
    // A restart of the machine settles which time it is.
    world.sql("UPDATE clock SET boot = 'an earlier one'");
    assert_eq!(world.outcome(&id), "expired");
}
