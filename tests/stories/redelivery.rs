//! A delivery that was given up is tried again, or put aside.

use std::fs;

use serde_json::json;

use crate::dead::{NOT_FOUND, dead, in_vain, letters, recipient};
use crate::shown::Shown;
use crate::world::World;

#[test]
fn a_retry_shows_it_again_where_it_would_have_been() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let said = world.mailstop(&["dead", "retry", &id]);
    assert_eq!(said.stdout, "<1> is tried again, for agent/bob\n");
    assert_eq!((letters(&world), world.outcome(&id)), (vec![], "sent".into()));
    assert_eq!(bob.tool("t1").brief(), "context 1");
    assert_eq!((bob.stop(), world.proof(&id)), (Shown::Nothing, "stop".into()));
}

/// Mail that is tried again waits for a dialog as any other does.
#[test]
fn a_retry_is_held_while_the_reader_awaits_its_user() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    bob.asks_leave("ls");
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 0);
    assert_eq!((world.outcome(&id), bob.runs("true")), ("deferred".into(), Shown::Nothing));
    assert_eq!(bob.runs("ls").brief(), "context 1");
}

/// The count goes on, and the budget is the operator's alone to renew.
#[test]
fn a_retry_begins_a_new_budget() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let _ = world.mailstop(&["dead", "retry", &id]);
    for _attempt in 0..10 {
        let _ = bob.prompt();
    }
    assert_eq!(recipient(&world, &id), json!(["offered", 20, NOT_FOUND]));
    let _ = bob.prompt();
    assert_eq!(recipient(&world, &id), json!(["dead", 20, NOT_FOUND]));
}

#[test]
fn a_retry_of_what_is_not_dead_or_not_pending_is_refused() {
    let world = World::new();
    let (_, amy, id) = dead(&world);
    let (other, code) =
        (world.send("bob", &[]), |words: &[&str]| world.json(words)["error"]["code"].clone());
    assert_eq!(world.mailstop(&["dead", "retry", &other]).status, 3);
    assert_eq!(code(&["dead", "retry", "zzz"]), "not_found");
    assert_eq!(amy.mailstop(&["withdraw", &id]).status, 0);
    assert_eq!((letters(&world), world.outcome(&id)), (vec![], "withdrawn".into()));
    for verb in ["retry", "drop"] {
        assert_eq!(code(&["dead", verb, &id]), "not_pending");
        assert_eq!(world.mailstop(&["dead", verb, &id]).status, 4);
    }
}

#[test]
fn what_was_dropped_stays_dead_and_is_not_tried_again() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let rehearsed = world.mailstop(&["dead", "drop", &id, "--dry-run"]).stdout;
    assert_eq!(rehearsed, "<1> for agent/bob would be put aside\nnothing was changed\n");
    assert_eq!(letters(&world), std::slice::from_ref(&id));
    assert_eq!(world.mailstop(&["dead", "drop", &id]).stdout, "<1> for agent/bob is put aside\n");
    assert_eq!((letters(&world), recipient(&world, &id)), (vec![], json!(["dead", 10, NOT_FOUND])));
    assert!(world.mailstop(&["status", &id]).stdout.ends_with("; put aside now\n"));
    assert_eq!(world.json(&["dead", "retry", &id])["error"]["code"], "already_dropped");
    assert_eq!((world.mailstop(&["dead", "drop", &id]).status, bob.prompt()), (4, Shown::Nothing));
    assert_eq!(world.json(&["dead", "retry", "--all"])["retried"], json!([]));
}

#[test]
fn a_rehearsed_retry_of_all_tells_what_the_real_one_does() {
    let world = World::new();
    let (bob, _, first) = dead(&world);
    let second = world.send("bob", &[]);
    in_vain(&bob);
    let rehearsed = world.json(&["dead", "retry", "--all", "--dry-run"])["retried"].clone();
    assert_eq!(letters(&world), [first, second]);
    assert_eq!(world.json(&["dead", "retry", "--all"])["retried"], rehearsed);
    assert_eq!((letters(&world).len(), bob.prompt().brief()), (0, "context 1 2".into()));
    assert_eq!(world.mailstop(&["dead", "retry", "--all"]).stdout, "nothing was given up\n");
}

/// Whatever the old attempts still have to say comes too late.
#[test]
fn an_old_offer_proves_nothing_after_a_redelivery() {
    let world = World::new();
    let (bob, _, id) = dead(&world);
    let _ = world.mailstop(&["dead", "retry", &id]);
    fs::write(&bob.transcript, format!("{{\"old\":\"[{id}]\"}}\n")).unwrap();
    assert_eq!(
        (bob.stop().brief(), recipient(&world, &id)),
        ("block 1".into(), json!(["offered", 11, NOT_FOUND]))
    );
    assert_eq!((bob.prompt().brief(), world.outcome(&id)), ("context 1".into(), "offered".into()));
}
