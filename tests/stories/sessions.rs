//! What a session keeps when its client clears, compacts, forks or resumes it, and
//! the events that get nothing but silence.

use serde_json::{Value, json};

use crate::session::{Session, Shown};
use crate::world::{OBSERVE, PROMPT, START, STOP, TOOL, World, run};

fn bob(world: &World) -> Session<'_> {
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    bob
}

/// B13.
#[test]
fn every_source_starts_a_session_and_an_unknown_one_is_a_startup() {
    for source in [
        json!("startup"),
        json!("resume"),
        json!("clear"),
        json!("compact"),
        json!("fork"),
        json!("moon"),
        Value::Null,
    ] {
        let world = World::new();
        world.send("bob", &["--allow-unknown"]);
        let bob = world.session("s1").named("bob");
        let payload = bob.payload("SessionStart", &json!({ "source": source }));
        assert_eq!(
            bob.fire(START, "SessionStart", payload.to_string().as_bytes())
                .brief(),
            "context 1",
            "{source}"
        );
    }
}

#[test]
fn a_start_tells_the_name_and_the_commands_in_short() {
    let world = World::new();
    let told = "You are agent bob in Mailstop, mail between agents. With mailstop you send: send --to NAME \
        --subject S - <<'EOF'; list: inbox; read: read ID; answer: reply ID - <<'EOF'; close: resolve ID.";
    let shown = bob(&world).start();
    assert_eq!(shown, Shown::Context(told.to_owned()));
    assert!(shown.text().len() < 400);
}

#[test]
fn a_compaction_is_one_line_and_one_line_for_each_open_message() {
    let world = World::new();
    let bob = bob(&world);
    world.send("bob", &["--priority", "high", "--subject", "Hi"]);
    world.send("bob", &[]);
    let (_, _) = (bob.prompt(), bob.tool("t1"));
    let told = "You are still agent bob in Mailstop. List: mailstop inbox\n\
        [<1>] high from user, now: Hi — still open. When handled, run: resolve --id <1>";
    assert_eq!(bob.start_as("compact"), Shown::Context(told.to_owned()));
    assert_eq!(bob.stop().brief(), "block again 1");
}

#[test]
fn a_clear_carries_the_name_and_the_mail_over() {
    let world = World::new();
    let bob = bob(&world);
    world.send("bob", &["--priority", "high"]);
    let (_, _, _) = (bob.prompt(), bob.tool("t1"), bob.stop());
    world.send("session/s1", &[]);
    let _ = bob.clear();
    let next = world.session("s2").named("bob");
    let shown = next.start_as("clear");
    assert!(
        shown.text().starts_with("You are agent bob in Mailstop"),
        "{shown:?}"
    );
    assert_eq!(shown.brief(), "context again 1 2");
    world.send("session/s1", &[]);
    assert_eq!(next.prompt().brief(), "context open 3");
    assert_eq!(next.mailstop(&["name"]).stdout, "agent/bob\n");
}

#[test]
fn a_fork_has_a_name_of_its_own_and_its_parents_receipts() {
    let world = World::new();
    let bob = bob(&world);
    world.send("project/.", &["--priority", "high"]);
    world.send("project/.", &[]);
    let (_, _) = (bob.prompt(), bob.stop());
    world.send("bob", &[]);
    let fork = world.session("s2");
    let shown = fork.start_as("fork");
    assert!(!shown.text().contains("agent bob"), "{shown:?}");
    assert_eq!(
        (shown.brief(), fork.prompt().brief()),
        ("context".into(), "context open".into())
    );
    assert_eq!(fork.stop().brief(), "block again 1");
    assert_eq!(bob.stop().brief(), "block again 1 3");
}

/// Claude Code 2.1.197 announces a fork as the resumption of its parent.
#[test]
fn a_fork_that_announces_itself_as_its_parent_takes_nothing() {
    let world = World::new();
    let bob = bob(&world);
    world.send("bob", &[]);
    let client = world.path("claude");
    std::os::unix::fs::symlink(
        concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stories/client.sh"),
        &client,
    )
    .unwrap();
    let mut command = world.command(client);
    command
        .args(["--resume", "s1", "--fork-session"])
        .env("STORY", START);
    let output = run(
        &mut command,
        bob.payload("SessionStart", &json!({ "source": "resume" }))
            .to_string()
            .as_bytes(),
    );
    assert_eq!(
        (
            output.status.success(),
            Shown::parse("SessionStart", &output.stdout)
        ),
        (true, Shown::Nothing)
    );
    assert_eq!(bob.prompt().brief(), "context 1");
}

#[test]
fn a_subagents_events_take_nothing_and_block_nothing() {
    let world = World::new();
    let bob = bob(&world);
    let id = world.send("bob", &["--priority", "urgent"]);
    let sub = bob.subagent();
    for shown in [
        sub.prompt(),
        sub.tool("t1"),
        sub.failed_tool("t2"),
        sub.stop(),
        sub.start(),
    ] {
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
        let payload = bob
            .payload("SessionStart", &json!({ "session_id": id }))
            .to_string();
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
    for shown in [
        bob.start(),
        bob.prompt(),
        bob.tool("t1"),
        bob.stop(),
        bob.end(),
    ] {
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
        assert_eq!(
            bob.fire(program, "Stop", payload.as_bytes()),
            Shown::Nothing
        );
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
        assert_eq!(
            briefs,
            ["context 1", "context 2", "context 3", "block 4"],
            "{client}"
        );
        assert_eq!(bob.end(), Shown::Nothing);
    }
}
