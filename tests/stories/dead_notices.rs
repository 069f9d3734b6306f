//! What the sender of a dead delivery hears, and how often.

use std::fs;

use serde_json::{Value, json};

use crate::dead::{NOT_FOUND, bob, dead, in_vain, letters, notices, recipient};
use crate::shown::Shown;
use crate::world::World;

fn exhausted() -> Value {
    json!(["retry_exhausted", "high", "actionable", "pending"])
}

fn success() -> Value {
    json!(["retry_success", "normal", "acknowledgement", "resolved"])
}

#[test]
fn the_sender_hears_once_and_how_to_go_on() {
    let world = World::new();
    let (bob, amy, id) = dead(&world);
    let Shown::Block(told) = amy.stop() else { panic!("nothing was told") };
    for part in [
        "agent/bob",
        NOT_FOUND,
        "attempts: 10",
        "mailstop dead retry <1>",
        "mailstop dead drop <1>",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(world.mailstop(&["dead", "retry", &id]).status, 0);
    in_vain(&bob);
    assert_eq!(recipient(&world, &id), json!(["dead", 20, NOT_FOUND]));
    assert_eq!(notices(&world, "amy"), [exhausted()]);
}

#[test]
fn a_later_success_is_told_once_and_asks_nothing() {
    let world = World::new();
    let (bob, amy, id) = dead(&world);
    let notice = world.json(&["inbox", "--for", "amy"])["messages"][0]["id"].clone();
    assert_eq!(world.mailstop(&["resolve", notice.as_str().unwrap()]).status, 0);
    for _round in 0..2 {
        let _ = world.mailstop(&["dead", "retry", &id]);
        let (_, _) = (bob.prompt(), bob.stop());
    }
    assert_eq!(recipient(&world, &id), json!(["seen", 11, NOT_FOUND]));
    assert_eq!(notices(&world, "amy").last(), Some(&success()));
    assert_eq!(notices(&world, "amy").len(), 2);
    assert_eq!((amy.stop(), amy.prompt().text().contains("after all")), (Shown::Nothing, true));
}

#[test]
fn reading_or_answering_what_is_dead_ends_its_death() {
    let world = World::new();
    for act in ["read", "reply"] {
        let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
        let _ = amy.start();
        let id = amy.send("bob", &["--priority", "high"]);
        in_vain(&bob);
        let said = bob.mailstop_with(&[act, &id, "-"][..if act == "read" { 2 } else { 3 }], b"ok");
        assert_eq!(
            (said.status, world.proof(&id), world.outcome(&id)),
            (0, act.into(), "blocking".into())
        );
        assert_eq!(letters(&world), [""; 0]);
        assert!(matches!(bob.stop(), Shown::Block(_)));
        assert_eq!(bob.mailstop(&["resolve", &id]).status, 0);
    }
    assert_eq!(notices(&world, "amy"), [exhausted(), exhausted(), success(), success()]);
}

/// B24: a bounce never triggers another bounce.
#[test]
fn a_notice_that_dies_is_listed_and_tells_nobody() {
    let world = World::new();
    let (_, amy, id) = dead(&world);
    fs::write(&amy.transcript, "{}\n").unwrap();
    in_vain(&amy);
    let ids = letters(&world);
    assert_eq!((ids.len(), &ids[0]), (2, &id));
    assert_eq!(world.json(&["status", &ids[1]])["kind"], "notice");
    assert_eq!(world.json(&["inbox", "--all"])["messages"].as_array().unwrap().len(), 2);
    assert_eq!(world.mailstop(&["dead", "retry", &ids[1]]).status, 0);
    assert_eq!(
        (amy.prompt().text().contains("dead retry"), amy.stop().brief()),
        (true, "block".into())
    );
    assert_eq!(notices(&world, "amy"), [exhausted()]);
}

/// Closed information is offered no longer either, and is nobody's to try again.
#[test]
fn what_was_closed_is_not_told_for_ever() {
    let world = World::new();
    let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    let id = amy.send("bob", &["--status", "resolved"]);
    in_vain(&bob);
    assert_eq!(
        (world.outcome(&id), letters(&world), notices(&world, "amy")),
        ("resolved".into(), vec![], vec![])
    );
}
