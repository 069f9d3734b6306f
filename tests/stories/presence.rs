//! What fires no hook, an Esc or a refused dialog, is known from the client's own word.

use std::fs;

use serde_json::{Value, json};

use crate::session::Session;
use crate::world::World;

/// Bob, whose client keeps its word where Claude Code does.
fn bob(world: &World) -> Session<'_> {
    let mut bob = world.session("s1").named("bob");
    bob.transcript = world.path(".claude/projects/work/s1.jsonl");
    let _shown = (bob.start(), bob.prompt());
    bob
}

/// The client says what it is doing, some seconds from now.
fn says(world: &World, key: &str, status: &str, seconds: i64) {
    let folder = world.path(".claude/sessions");
    fs::create_dir_all(&folder).unwrap();
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis();
    let at = i64::try_from(now).unwrap() + seconds * 1000;
    let word = json!({ "sessionId": key, "status": status, "statusUpdatedAt": at });
    fs::write(folder.join(format!("{}.json", std::process::id())), word.to_string()).unwrap();
}

fn delivery(world: &World) -> Value {
    world.json(&["send", "--to", "bob", "--body", "text"])["delivery"].clone()
}

#[test]
fn a_dialog_that_was_left_holds_nothing_any_more() {
    let world = World::new();
    let bob = bob(&world);
    bob.asks_leave("ls");
    assert_eq!(delivery(&world), "deferred");
    says(&world, "s1", "idle", 5);
    assert_eq!(delivery(&world), "queued");
    assert_eq!(world.json(&["sessions"])["sessions"][0]["state"], "idle");
    says(&world, "s1", "busy", 5);
    assert_eq!(delivery(&world), "sent");
}

/// A command in the background keeps no session from being idle, and a word that nobody knows
/// says nothing.
#[test]
fn a_client_says_in_more_than_one_word_that_it_is_idle() {
    let world = World::new();
    let bob = bob(&world);
    bob.asks_leave("ls");
    for (word, expected) in [("dreaming", "deferred"), ("shell", "queued")] {
        says(&world, "s1", word, 5);
        assert_eq!(delivery(&world), expected);
    }
}

#[test]
fn a_turn_that_was_stopped_is_not_running() {
    let world = World::new();
    let bob = bob(&world);
    assert_eq!(delivery(&world), "sent");
    says(&world, "s1", "idle", 5);
    assert_eq!(delivery(&world), "queued");
    assert_eq!(
        world.json(&["send", "--to", "bob", "--body", "x", "--mode", "start"])["delivery"],
        "queued"
    );
    assert_eq!(bob.prompt().text().matches("| text").count(), 2);
}

#[test]
fn a_word_older_than_the_dialog_or_of_another_session_does_not_count() {
    let world = World::new();
    let bob = bob(&world);
    says(&world, "s1", "idle", -5);
    bob.asks_leave("ls");
    assert_eq!(delivery(&world), "deferred");
    says(&world, "s2", "idle", 5);
    assert_eq!(delivery(&world), "deferred");
    fs::write(world.path(format!(".claude/sessions/{}.json", std::process::id()).as_str()), "{")
        .unwrap();
    assert_eq!(delivery(&world), "deferred");
}

#[test]
fn nobody_is_waited_for_longer_than_a_day() {
    let world = World::new();
    let bob = bob(&world);
    bob.asks_leave("ls");
    world.sql("UPDATE awaited SET since = since - 25 * 3600000");
    assert_eq!(delivery(&world), "sent");
}
