//! `mailstop migrate` alone: what an older build left unclassified.

use serde_json::json;

use crate::shown::Shown;
use crate::world::{SCHEMA, World};

/// Messages for bob as if nobody had classified them: a consent and a task.
fn unclassified(world: &World) {
    world.send("bob", &["--allow-unknown", "--subject", "consent_grant"]);
    world.send("bob", &["--subject", "task"]);
    world.sql("UPDATE messages SET disposition = NULL; UPDATE deliveries SET lane = 0");
}

#[test]
fn the_rules_of_a_send_decide_once() {
    let world = World::new();
    unclassified(&world);
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start().brief(), "context 1 2");
    let report = |dry_run, backfilled| {
        json!({ "dry_run": dry_run, "schema": { "from": SCHEMA, "to": SCHEMA }, "backfilled": backfilled,
                "orphans": {} })
    };
    let rules = json!({ "consent_subject": 1, "actionable": 1 });
    assert_eq!(world.json(&["migrate", "--dry-run"]), report(true, rules.clone()));
    assert_eq!(world.json(&["migrate"]), report(false, rules));
    assert_eq!(world.json(&["migrate"]), report(false, json!({})));
}

/// A missing disposition counts as actionable; a classified consent blocks nobody.
#[test]
fn what_is_classified_as_information_blocks_no_more() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    unclassified(&world);
    assert!(matches!(bob.stop(), Shown::Block(text) if text.contains("2 messages to handle")));
    world.sql("UPDATE deliveries SET receipt = 0, lane = 0, owed = 1, blocked_turn = NULL");
    assert_eq!(world.mailstop(&["migrate"]).status, 0);
    assert!(matches!(bob.stop(), Shown::Block(text) if text.contains("1 message to handle")));
    assert!(bob.prompt().text().contains("For your information."));
}
