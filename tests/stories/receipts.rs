//! From offered to seen: every row of the table of proofs, and what undoes an offer.

use std::fs;

use serde_json::{Value, json};

use crate::session::{Session, Shown};
use crate::world::World;

fn bob(world: &World) -> Session<'_> {
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
    assert_eq!(
        (world.outcome(&first), world.proof(&second)),
        ("seen".into(), "stop".into())
    );
}

#[test]
fn the_stop_of_the_turn_proves_what_a_tool_call_offered() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &[]);
    assert_eq!(
        (world.outcome(&id), bob.tool("t1").brief()),
        ("sent".into(), "context 1".into())
    );
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
    assert_eq!(bob.tool_that_took("t2", json!(60_000)), Shown::Nothing);
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
    fs::write(
        &eve.transcript,
        [call("t1"), call("t2"), end, call("t3")].join("\n"),
    )
    .unwrap();
    assert_eq!(eve.tool_that_took("t1", Value::Null).brief(), "context 1");
    assert_eq!(eve.tool_that_took("t2", Value::Null), Shown::Nothing);
    assert_eq!(world.outcome(&id), "offered");
    assert_eq!(eve.tool_that_took("t3", Value::Null), Shown::Nothing);
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
    assert_eq!(
        (world.outcome(&id), world.proof(&id)),
        ("blocking".into(), "tool call".into())
    );
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

#[test]
fn an_interrupted_turns_offer_is_looked_up_at_the_next_prompt() {
    let world = World::new();
    let bob = bob(&world);
    let seen = world.send("bob", &[]);
    let _ = bob.tool("t1");
    fs::write(
        &bob.transcript,
        format!("{{\"content\":\"[{seen}] normal\"}}\n"),
    )
    .unwrap();
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
    assert_eq!(
        (world.outcome(&id), bob.stop().brief()),
        ("sent".into(), "block 1".into())
    );
}

#[test]
fn what_a_name_has_seen_its_successor_has_seen() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--priority", "high"]);
    let (_, _, _) = (bob.stop(), bob.stop(), bob.end());
    let next = world.session("s2").named("bob");
    assert!(
        next.start()
            .text()
            .starts_with("You are agent bob in Mailstop")
    );
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
