//! The events that get nothing but silence, and the form of every output.

use serde_json::{Value, json};

use crate::sessions::bob;
use crate::shown::Shown;
use crate::world::{OBSERVE, PROMPT, START, STOP, TOOL, World};

#[test]
fn a_subagents_events_take_nothing_and_block_nothing() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--priority", "urgent"]);
    let sub = bob.subagent();
    for shown in [sub.prompt(), sub.tool("t1"), sub.failed_tool("t2"), sub.stop(), sub.start()] {
        assert_eq!(shown, Shown::Nothing);
    }
    assert_eq!(bob.stop().brief(), "block 1");
    assert_eq!(sub.tool("t3"), Shown::Nothing);
    assert_eq!(world.outcome(&id), "offered");
}

#[test]
fn without_a_session_id_nothing_happens() {
    let world = World::new();
    world.send("bob", &["--allow-unknown"]);
    for id in [Value::Null, json!(""), json!(7), json!(["s1"])] {
        let bob = world.session("s1").named("bob");
        let payload = bob.payload("SessionStart", &json!({ "session_id": id })).to_string();
        assert_eq!(
            bob.fire(START, "SessionStart", payload.as_bytes()),
            Shown::Nothing,
            "{payload}"
        );
    }
    assert_eq!(world.json(&["sessions", "--all"])["sessions"], json!([]));
}

#[test]
fn switched_off_the_hooks_do_nothing() {
    let world = World::new();
    world.send("bob", &["--allow-unknown"]);
    let bob = world.session("s1").named("bob").with("MAILSTOP", "off");
    for shown in [bob.start(), bob.prompt(), bob.tool("t1"), bob.stop(), bob.end()] {
        assert_eq!(shown, Shown::Nothing);
    }
    assert_eq!(world.json(&["sessions", "--all"])["sessions"], json!([]));
    assert_eq!(world.errors(), "");
}

#[test]
fn other_clients_that_run_these_hook_files_get_silence() {
    let foreign = [
        json!({ "cursor_version": "2.0", "conversation_id": "c1", "hook_event_name": "stop" }),
        json!({ "cursor_version": "2.0", "session_id": "s1", "hook_event_name": "Stop" }),
        json!({ "sessionId": "s1", "hookEventName": "Stop", "timestamp": 1_700_000_000_000_i64 }),
        json!({ "session_id": "s1", "hook_event_name": "Stop", "timestamp": "2026-01-01T00:00:00Z" }),
        json!({ "session_id": "s1", "hook_event_name": "AfterTool", "timestamp": "2026-01-01T00:00:00Z" }),
    ];
    let world = World::new();
    world.send("session/s1", &["--allow-unknown", "--priority", "urgent"]);
    let other = world.session("s1");
    for payload in foreign {
        assert_eq!(
            other.fire(STOP, "Stop", payload.to_string().as_bytes()),
            Shown::Nothing,
            "{payload}"
        );
    }
    assert_eq!(world.json(&["sessions", "--all"])["sessions"], json!([]));
}

#[test]
fn an_event_of_another_executable_is_not_this_ones() {
    let world = World::new();
    let bob = bob(&world);
    world.send("bob", &["--priority", "urgent"]);
    for program in [START, PROMPT, TOOL, OBSERVE] {
        let payload = bob.payload("Stop", &json!({})).to_string();
        assert_eq!(bob.fire(program, "Stop", payload.as_bytes()), Shown::Nothing);
    }
}

/// B03.
#[test]
fn with_and_without_mail_every_output_is_valid_for_its_client_and_event() {
    for client in ["claude", "codex"] {
        let world = World::new();
        let bob = world.session("s1").named("bob").of(client);
        assert_eq!(
            (bob.start().brief(), bob.prompt().brief()),
            ("context".into(), "nothing".into())
        );
        assert_eq!(
            (bob.tool("t1").brief(), bob.stop().brief()),
            ("nothing".into(), "nothing".into())
        );
        let mut shown = Vec::new();
        for event in 0..4 {
            world.send("bob", &[]);
            shown.push(match event {
                0 => bob.start(),
                1 => bob.prompt(),
                2 => bob.tool("t2"),
                _ => bob.stop(),
            });
        }
        let briefs: Vec<String> = shown.iter().map(Shown::brief).collect();
        assert_eq!(briefs, ["context 1", "context 2", "context 3", "block 4"], "{client}");
        assert_eq!(bob.end(), Shown::Nothing);
    }
}

#[test]
fn a_subagents_tool_call_says_that_its_session_is_at_work() {
    let world = World::new();
    let bob = bob(&world);
    let _ = bob.stop();
    assert_eq!(world.json(&["sessions"])["sessions"][0]["state"], "idle");
    let _ = bob.subagent().tool("t1");
    assert_eq!(world.json(&["sessions"])["sessions"][0]["state"], "running");
}
