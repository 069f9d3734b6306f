//! A full mailbox refuses the sender; nothing is dropped in silence. B55.

use serde_json::json;

use crate::dead;
use crate::shown::Shown;
use crate::world::World;

fn full() -> World {
    let world = World::with_config("max_unread = 2");
    world.send("bob", &["--allow-unknown"]);
    world.send("bob", &["--disposition", "acknowledgement"]);
    world
}

#[test]
fn a_send_to_a_full_mailbox_is_refused_and_stores_nothing() {
    let world = full();
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x", "--priority", "urgent"]);
    let told = "error: the mailbox of agent/bob is full: 2 unread messages\n\
        hint: nothing was stored; send again when some were read or withdrawn, or raise max_unread in config.toml\n";
    assert_eq!((said.status, said.stderr.as_str()), (4, told));
    let document = world.json(&["send", "--to", "bob", "--body", "x"]);
    assert_eq!(document["error"]["code"], "mailbox_full");
    assert_eq!(world.json(&[])["messages"], 2);
    assert_eq!(world.json(&["log"])["activities"].as_array().unwrap().len(), 2);
}

#[test]
fn a_mailbox_that_was_read_takes_more() {
    let world = full();
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start().brief(), "context 1 2");
    for expected in [0, 0, 4] {
        assert_eq!(world.mailstop(&["send", "--to", "bob", "--body", "x"]).status, expected);
    }
    assert!(matches!(bob.prompt(), Shown::Context(_)));
    world.send("bob", &[]);
}

#[test]
fn what_was_given_up_takes_no_room() {
    let world = World::with_config("max_unread = 1");
    let bob = dead::bob(&world);
    let id = world.send("bob", &[]);
    dead::in_vain(&bob);
    assert_eq!(world.outcome(&id), "dead");
    world.send("bob", &[]);
}

#[test]
fn a_reply_and_a_broadcast_are_refused_too() {
    let world = World::with_config("max_unread = 1");
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let id = amy.send("bob", &[]);
    world.send("amy", &[]);
    let said = bob.mailstop_with(&["reply", &id, "-"], b"ok");
    assert_eq!((said.status, world.proof(&id)), (4, "-".into()));
    world.send("session/s1", &[]);
    let said = world.mailstop(&["send", "--to", "project/.", "--body", "x"]);
    assert!(said.stderr.contains("the mailbox of session/s1 is full"), "{said:?}");
    assert_eq!(world.json(&[])["messages"], 3);
}

/// The product's own word to a sender is never what is left out.
#[test]
fn a_notice_is_stored_in_a_full_mailbox() {
    let world = World::with_config("max_unread = 1");
    let (bob, amy) = (dead::bob(&world), world.session("s2").named("amy"));
    let _ = amy.start();
    amy.send("bob", &[]);
    world.send("amy", &[]);
    dead::in_vain(&bob);
    assert_eq!(dead::notices(&world, "amy").len(), 1);
    assert_eq!(world.mailstop(&["send", "--to", "amy", "--body", "x"]).status, 4);
}

#[test]
fn zero_is_no_limit() {
    let world = World::with_config("max_unread = 0");
    for _message in 0..5 {
        world.send("bob", &["--allow-unknown"]);
    }
    assert_eq!(world.json(&[])["unread"], json!(5));
}
