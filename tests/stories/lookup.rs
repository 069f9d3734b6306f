//! What undoes an offer, who else has seen what a reader has, and how a status tells it.

use std::fs;

use crate::receipts::bob;
use crate::shown::Shown;
use crate::world::World;

#[test]
fn an_interrupted_turns_offer_is_looked_up_at_the_next_prompt() {
    let world = World::new();
    let bob = bob(&world);
    let seen = world.send("bob", &[]);
    let _ = bob.tool("t1");
    fs::write(&bob.transcript, format!("{{\"content\":\"[{seen}] normal\"}}\n")).unwrap();
    assert_eq!(bob.prompt(), Shown::Nothing);
    assert_eq!(world.proof(&seen), "transcript");
    let lost = world.send("bob", &[]);
    assert_eq!(bob.tool("t2").brief(), "context 2");
    assert_eq!(bob.prompt().brief(), "context 2");
    assert_eq!(world.outcome(&lost), "offered");
}

#[test]
fn an_id_before_the_offset_is_no_proof() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    fs::write(&bob.transcript, format!("an earlier mention of {id}\n")).unwrap();
    assert_eq!(bob.tool("t1").brief(), "context 1");
    assert_eq!(bob.prompt().brief(), "context 1");
}

#[test]
fn acting_on_a_message_proves_it() {
    for act in [vec!["read"], vec!["reply", "--body", "ok"], vec!["resolve"]] {
        let world = World::new();
        let bob = bob(&world);
        let id = world.send("bob", &[]);
        let mut words = vec![act[0], &id];
        words.extend(&act[1..]);
        assert_eq!(bob.mailstop(&words).status, 0);
        assert_eq!(world.proof(&id), act[0]);
        assert_eq!((bob.stop(), bob.prompt()), (Shown::Nothing, Shown::Nothing));
    }
}

#[test]
fn a_person_who_reads_an_agents_mail_proves_nothing() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    assert_eq!(world.mailstop(&["read", &id]).status, 0);
    assert_eq!((world.outcome(&id), bob.stop().brief()), ("sent".into(), "block 1".into()));
}

#[test]
fn what_a_name_has_seen_its_successor_has_seen() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--priority", "high"]);
    let (_, _, _) = (bob.stop(), bob.stop(), bob.end());
    let next = world.session("s2").named("bob");
    assert!(next.start().text().starts_with("You are agent bob in Mailstop"));
    assert_eq!(next.prompt().brief(), "context open");
    assert_eq!(next.stop().brief(), "block again 1");
    assert_eq!(world.outcome(&id), "blocking");
}

#[test]
fn a_resumed_session_repeats_nothing_it_has_seen() {
    let world = World::new();
    let bob = bob(&world);
    world.send("bob", &[]);
    let (_, _, _) = (bob.stop(), bob.stop(), bob.end());
    world.send("bob", &[]);
    assert_eq!(bob.start_as("resume").brief(), "context 2");
    assert_eq!(bob.prompt().brief(), "nothing");
}

#[test]
fn a_status_tells_each_outcome_in_words() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--subject", "Hi", "--priority", "high"]);
    let status = |expected: &str| assert_eq!(world.mailstop(&["status", &id]).stdout, expected);
    status("<1> sent: Hi\n  agent/bob: sent\n");
    let _ = bob.tool("t1");
    status("<1> offered: Hi\n  agent/bob: offered; offered by PostToolUse now\n");
    let _ = bob.stop();
    status(
        "<1> blocking: Hi\n  agent/bob: blocking; offered by PostToolUse now; seen now, proved by stop\n",
    );
    assert_eq!(bob.mailstop(&["resolve", &id, "--note", "done"]).status, 0);
    status(
        "<1> resolved: Hi\n  resolved by agent/bob, now: done\n  \
        agent/bob: resolved; offered by PostToolUse now; seen now, proved by stop\n",
    );
}
