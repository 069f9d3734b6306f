//! Dead letters among many processes, and processes that are killed.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::dead::{bob, in_vain, letters};
use crate::races::at_once;
use crate::shown::Shown;
use crate::world::{MAILSTOP, World, begin};

/// How often something was recorded.
fn recorded(world: &World, what: &str) -> usize {
    let log = world.json(&["log", "--limit", "10000"])["activities"].clone();
    log.as_array().unwrap().iter().filter(|one| one["what"] == what).count()
}

/// Gives up everything that is unread.
fn kill_unread(world: &World) {
    world.sql("UPDATE deliveries SET owed = 0, dead_at = 1, last_error = 'x' WHERE receipt = 0 AND owed = 1");
}

#[test]
fn two_retries_at_once_are_one() {
    let world = World::new();
    let bob = bob(&world);
    let mut id = String::new();
    for round in 1..=20 {
        id = world.send("bob", &[]);
        kill_unread(&world);
        let retry = |_| world.mailstop(&["dead", "retry", &id]).status;
        let mut codes = at_once(2, retry);
        codes.sort_unstable();
        assert_eq!((codes, recorded(&world, "retried")), (vec![0, 3], round));
        assert_eq!(bob.prompt().brief(), format!("context {round}"));
        assert_eq!(bob.stop(), Shown::Nothing);
    }
    assert_eq!(world.outcome(&id), "seen");
}

/// A retry beside a drop: one of them comes first, and the other one is told.
#[test]
fn a_retry_beside_a_drop_is_either() {
    let world = World::new();
    let _ = bob(&world);
    for _round in 0..20 {
        let id = world.send("bob", &[]);
        kill_unread(&world);
        let verbs = ["retry", "drop"];
        let codes = at_once(2, |number| world.mailstop(&["dead", verbs[number], &id]).status);
        let outcome = world.outcome(&id);
        let expected = if codes == [0, 3] { "queued" } else { "dead" };
        assert!(codes == [0, 3] || codes == [4, 0], "{codes:?}");
        assert_eq!((outcome.as_str(), letters(&world).len()), (expected, 0));
        assert_eq!(world.mailstop(&["withdraw", &id]).status, 0);
    }
}

/// All of it or nothing, whenever it is killed.
#[test]
fn a_retry_of_all_that_was_killed_loses_nothing() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    let ids: Vec<String> = (0..12).map(|_| world.send("bob", &[])).collect();
    let mut before = 0;
    for round in 0..60u64 {
        kill_unread(&world);
        let mut command = world.command(MAILSTOP);
        let mut child = begin(command.args(["dead", "retry", "--all"]), b"", Stdio::null());
        std::thread::sleep(Duration::from_micros(round.wrapping_mul(2_654_435_761) % 12_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let left = letters(&world);
        assert!(left.is_empty() || left == ids, "round {round}: {left:?}");
        before += usize::from(!left.is_empty());
    }
    kill_unread(&world);
    assert_eq!(world.mailstop(&["dead", "retry", "--all"]).status, 0);
    let unread = world.json(&["inbox", "--for", "bob", "--unread"])["messages"].clone();
    assert_eq!(unread.as_array().map(Vec::len), Some(12));
    eprintln!("60 rounds, {before} killed before the retry was done");
}

/// A hook that gives a delivery up is killed: the notice comes with the end, or neither.
#[test]
fn a_prompt_that_was_killed_gives_up_once() {
    for round in 0..30u64 {
        let world = World::new();
        let (bob, amy) = (bob(&world), world.session("s2").named("amy"));
        let (_, id) = (amy.start(), amy.send("bob", &[]));
        let _ = bob.prompt();
        world.sql("UPDATE deliveries SET attempts = 10, errors = 9 WHERE message = 1");
        let payload = bob.payload("UserPromptSubmit", &json!({ "prompt": "go" })).to_string();
        let mut hook = bob.hook(crate::world::PROMPT);
        let mut child = begin(&mut hook, payload.as_bytes(), Stdio::null());
        std::thread::sleep(Duration::from_micros(round.wrapping_mul(2_654_435_761) % 8_000));
        child.kill().unwrap();
        child.wait().unwrap();
        let _ = bob.prompt();
        assert_eq!((world.outcome(&id), recorded(&world, "dead")), ("dead".into(), 1));
        assert_eq!(crate::dead::notices(&world, "amy").len(), 1, "round {round}");
    }
}

/// Eight prompts at once are twins or follow each other; each lost offer counts once.
#[test]
fn prompts_at_once_count_each_lost_offer_once() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    let _ = bob.prompt();
    let _ = at_once(8, |number| bob.tool(&format!("t{number}")));
    let attempts = |world: &World| -> Value {
        world.json(&["status", &id])["recipients"][0]["attempts"].clone()
    };
    assert_eq!((attempts(&world), recorded(&world, "offered")), (json!(1), 1));
    let fresh = world.send("bob", &[]);
    in_vain(&bob);
    assert_eq!((world.outcome(&fresh), recorded(&world, "dead")), ("dead".into(), 1));
}
