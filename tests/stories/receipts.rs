//! From offered to seen: every row of the table of proofs, and what undoes an offer.

use std::fs;

use serde_json::{Value, json};

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

pub(crate) fn bob(world: &World) -> Session<'_> {
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    bob
}

/// Claude Code writes one row a tool call; those of one response share its id.
fn calls(session: &Session<'_>, rows: &[(&str, &str)]) {
    let row = |(response, call): &(&str, &str)| {
        json!({ "type": "assistant", "message": { "id": response, "content": [{ "type": "tool_use", "id": call }] } })
            .to_string()
    };
    let text: Vec<String> = rows.iter().map(row).collect();
    fs::write(&session.transcript, text.join("\n") + "\n").unwrap();
}

#[test]
fn the_stop_of_the_turn_proves_what_its_prompt_and_start_offered() {
    let world = World::new();
    let first = world.send("bob", &["--allow-unknown"]);
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start().brief(), "context 1");
    let second = world.send("bob", &[]);
    assert_eq!(bob.prompt().brief(), "context 2");
    assert_eq!(
        (world.outcome(&first), world.outcome(&second)),
        ("offered".into(), "offered".into())
    );
    assert_eq!(bob.stop(), Shown::Nothing);
    assert_eq!((world.outcome(&first), world.proof(&second)), ("seen".into(), "stop".into()));
}

#[test]
fn the_stop_of_the_turn_proves_what_a_tool_call_offered() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    assert_eq!((world.outcome(&id), bob.tool("t1").brief()), ("sent".into(), "context 1".into()));
    assert_eq!(world.outcome(&id), "offered");
    assert_eq!(bob.stop(), Shown::Nothing);
    assert_eq!(world.proof(&id), "stop");
}

#[test]
fn a_tool_call_that_began_after_the_prompt_proves_it() {
    let world = World::new();
    let bob = bob(&world);
    let _ = bob.stop();
    let id = world.send("bob", &[]);
    let _ = bob.prompt();
    assert_eq!(bob.tool("t1"), Shown::Nothing);
    assert_eq!(world.proof(&id), "tool call");
}

#[test]
fn a_tool_call_that_began_before_the_offer_proves_nothing() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    let _ = bob.tool("t1");
    assert_eq!(bob.tool_that_took("t2", &json!(60_000)), Shown::Nothing);
    assert_eq!(world.outcome(&id), "offered");
    let _ = bob.tool("t3");
    assert_eq!(world.outcome(&id), "seen");
}

#[test]
fn a_serial_sibling_proves_nothing_and_the_next_response_does() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    calls(&bob, &[("msg_1", "t1"), ("msg_1", "t2"), ("msg_2", "t3")]);
    let _ = bob.tool("t1");
    let _ = bob.tool("t2");
    assert_eq!(world.outcome(&id), "offered");
    let _ = bob.tool("t3");
    assert_eq!(world.proof(&id), "tool call");
}

#[test]
fn a_call_that_the_transcript_does_not_hold_yet_proves_nothing() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    calls(&bob, &[("msg_1", "t1")]);
    let _ = bob.tool("t1");
    let _ = bob.tool("t2");
    assert_eq!(world.outcome(&id), "offered");
}

#[test]
fn codex_calls_of_one_response_are_siblings_by_its_records() {
    let world = World::new();
    let eve = world.session("s1").named("eve").of("codex");
    let (_, _) = (eve.start(), eve.prompt());
    let id = world.send("eve", &[]);
    let call =
        |id: &str| json!({ "payload": { "type": "function_call", "call_id": id } }).to_string();
    let end = json!({ "payload": { "type": "token_usage_record" } }).to_string();
    fs::write(&eve.transcript, [call("t1"), call("t2"), end, call("t3")].join("\n")).unwrap();
    assert_eq!(eve.tool_that_took("t1", &Value::Null).brief(), "context 1");
    assert_eq!(eve.tool_that_took("t2", &Value::Null), Shown::Nothing);
    assert_eq!(world.outcome(&id), "offered");
    assert_eq!(eve.tool_that_took("t3", &Value::Null), Shown::Nothing);
    assert_eq!(world.outcome(&id), "seen");
}

#[test]
fn a_block_is_proved_by_any_later_tool_call_or_stop() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--priority", "high"]);
    let _ = bob.stop();
    assert_eq!(world.outcome(&id), "offered");
    let _ = bob.tool("t1");
    assert_eq!((world.outcome(&id), world.proof(&id)), ("blocking".into(), "tool call".into()));
    let second = world.send("bob", &[]);
    let (_, _) = (bob.stop(), bob.stop());
    assert_eq!(world.proof(&second), "stop");
}

#[test]
fn a_failed_tool_shows_mail_and_proves_an_offer() {
    let world = World::new();
    let bob = bob(&world);
    let _ = bob.stop();
    let first = world.send("bob", &[]);
    let _ = bob.prompt();
    std::thread::sleep(std::time::Duration::from_millis(3));
    world.send("bob", &[]);
    assert_eq!(bob.failed_tool("t1").brief(), "context 2");
    assert_eq!(world.proof(&first), "tool call");
}
