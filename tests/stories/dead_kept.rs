//! Dead deliveries stay, and are told of, until somebody does something about them.

use serde_json::json;

use crate::dead::{NOT_FOUND, bob, dead, in_vain, letters, recipient};
use crate::world::World;

#[test]
fn the_glance_and_the_doctor_tell_what_is_dead() {
    let world = World::new();
    let find = |world: &World| {
        let document = world.json(&["doctor"]);
        let checks = document["findings"].as_array().unwrap().clone();
        checks.into_iter().find(|one| one["check"] == "dead").unwrap()
    };
    world.send("bob", &["--allow-unknown"]);
    assert_eq!(
        (find(&world)["level"].clone(), world.json(&[])["dead"].clone()),
        (json!("ok"), json!(0))
    );
    let (_, _, id) = dead(&world);
    let finding = find(&world);
    assert_eq!((&finding["level"], &world.json(&[])["dead"]), (&json!("note"), &json!(2)));
    assert!(finding["remedy"].as_str().unwrap().contains("mailstop dead retry "), "{finding}");
    assert!(letters(&world).contains(&id));
    assert!(world.mailstop(&[]).stdout.contains("\n2 given up: mailstop dead list\n"));
}

/// A sweep leaves the truth of what it empties.
#[test]
fn an_acknowledgement_that_died_is_swept_at_its_age_and_stays_dead() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--disposition", "acknowledgement"]);
    let open = world.send("bob", &[]);
    in_vain(&bob);
    world.age(31 * 24);
    assert_eq!(world.json(&["sweep"])["removed"], json!({ "acknowledgement": 1 }));
    assert_eq!(
        (recipient(&world, &id), letters(&world)),
        (json!(["dead", 10, NOT_FOUND]), vec![open])
    );
}

/// Nothing is pushed out by what comes later.
#[test]
fn there_is_no_end_to_how_many_are_kept() {
    let world = World::new();
    let _ = bob(&world);
    world.send("bob", &[]);
    world.sql(
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
         INSERT INTO messages (id, sender, sent_by, recipient, kind, priority, disposition, mode,
           status, subject, body, thread, created_at)
         SELECT 'm' || i, 'user', 'user', 'agent/bob', 'message', 'normal', 'actionable', 'auto',
           'pending', '', 'x', 'm' || i, 1 FROM n;
         INSERT OR IGNORE INTO deliveries (message, reader, owed, lane, rank)
         SELECT m.seq, d.reader, 1, 0, 2 FROM messages m, deliveries d WHERE d.message = 1;
         UPDATE deliveries SET owed = 0, dead_at = 1, last_error = 'x'",
    );
    assert_eq!(letters(&world).len(), 1501);
    assert_eq!(world.json(&["dead", "retry", "--all"])["retried"].as_array().unwrap().len(), 1501);
    assert_eq!((letters(&world).len(), world.json(&[])["unread"].clone()), (0, json!(1501)));
}

#[test]
fn a_backup_has_what_is_dead() {
    let world = World::new();
    let (_, _, id) = dead(&world);
    assert_eq!(world.mailstop(&["backup", "copy.db"]).status, 0);
    assert_eq!(world.mailstop(&["dead", "drop", &id]).status, 0);
    assert_eq!(world.mailstop(&["restore", "copy.db"]).status, 0);
    assert_eq!(
        (recipient(&world, &id), letters(&world)),
        (json!(["dead", 10, NOT_FOUND]), vec![id])
    );
}
