//! While a session asks its user something, its mail waits, and comes in order as soon as
//! that is settled.

use serde_json::{Value, json};

use crate::session::Session;
use crate::shown::Shown;
use crate::world::{TOOL, World, begin, run};

/// Bob, in a turn, whose client asks for leave to run `ls`.
fn asking(world: &World) -> Session<'_> {
    let bob = world.session("s1").named("bob");
    let _shown = (bob.start(), bob.prompt());
    bob.asks_leave("ls");
    bob
}

fn state(world: &World) -> Value {
    world.json(&["sessions"])["sessions"][0]["state"].clone()
}

fn delivery(world: &World, words: &[&str]) -> String {
    let body = if words.contains(&"--body") { &[][..] } else { &["--body", "text"] };
    let document = world.json(&[&["send", "--to", "bob"], body, words].concat());
    world.learn(document["id"].as_str().unwrap_or_default());
    document["delivery"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn mail_is_held_until_the_dialog_is_settled() {
    let world = World::new();
    let bob = asking(&world);
    assert_eq!(state(&world), "awaiting");
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!(delivery(&world, &["--mode", "steer", "--priority", "urgent"]), "deferred");
    assert_eq!(delivery(&world, &["--mode", "queue"]), "queued");
    assert_eq!(bob.runs("ls").brief(), "context 1 2");
    let log = world.mailstop(&["log"]).stdout;
    assert!(log.contains("<2> held      agent/bob\n"), "{log}");
    assert_eq!((state(&world), bob.runs("pwd").brief()), (json!("running"), "nothing".into()));
    assert_eq!(bob.stop().brief(), "block 3 2");
}

#[test]
fn a_person_is_told_in_words() {
    let world = World::new();
    let _bob = asking(&world);
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x"]);
    let words = " to agent/bob: awaiting user interaction; held, delivers once it settles\n";
    assert!(said.status == 0 && said.stdout.ends_with(words), "{said:?}");
    let listed = world.mailstop(&["sessions"]).stdout;
    assert!(listed.contains("awaiting its user: permission now"), "{listed}");
    let awaiting = &world.json(&["sessions"])["sessions"][0]["awaiting"];
    assert_eq!(
        (awaiting[0]["what"].clone(), awaiting[0]["tool"].clone()),
        (json!("permission"), json!("Bash"))
    );
}

#[test]
fn a_turn_cannot_be_started_into_a_dialog() {
    let world = World::new();
    let _bob = asking(&world);
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x", "--mode", "start", "--json"]);
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((said.status, &document["error"]["code"]), (4, &json!("awaiting_user_interaction")));
    assert_eq!(world.json(&["inbox", "--for", "bob", "--all"])["messages"], json!([]));
}

#[test]
fn what_the_sender_got_wrong_is_refused_before_anything_is_held() {
    let world = World::new();
    let bob = asking(&world);
    for wrong in [["--thread", "nothread"], ["--reply-to", "nobody"]] {
        let said = world.mailstop(&[&["send", "--to", "bob", "--body", "x"], &wrong[..]].concat());
        assert_eq!(said.status, 3, "{said:?}");
    }
    assert_eq!(bob.runs("ls").brief(), "nothing");
}

#[test]
fn every_dialog_of_a_set_has_to_be_settled() {
    let world = World::new();
    let bob = asking(&world);
    bob.asks_leave("pwd");
    let helper = bob.subagent();
    helper.asks_leave("make");
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!((bob.runs("pwd"), bob.runs("ls")), (Shown::Nothing, Shown::Nothing));
    assert_eq!((state(&world), delivery(&world, &[])), (json!("awaiting"), "deferred".into()));
    assert_eq!(helper.runs("make").brief(), "nothing");
    assert_eq!(bob.runs("true").brief(), "context 1 2");
}

#[test]
fn a_sibling_that_needed_no_leave_settles_nothing() {
    let world = World::new();
    let bob = asking(&world);
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!((bob.runs("true").brief(), state(&world)), ("nothing".into(), json!("awaiting")));
    assert_eq!(bob.stop().brief(), "block 1");
}

#[test]
fn a_call_that_began_later_shows_that_the_dialog_is_gone() {
    let world = World::new();
    let bob = asking(&world);
    world.sql("UPDATE awaited SET since = since - 10000");
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!(bob.runs("true").brief(), "context 1");
}

#[test]
fn a_prompt_and_an_end_settle_everything() {
    let world = World::new();
    let bob = asking(&world);
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!(bob.prompt().brief(), "context 1");
    bob.asks_leave("ls");
    let _shown = bob.end();
    assert_eq!(
        (delivery(&world, &[]), bob.start().brief()),
        ("queued".into(), "context 1 2".into())
    );
    assert_eq!(state(&world), "idle");
}

#[test]
fn a_question_of_the_client_is_one_dialog_however_often_it_is_told() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _shown = (bob.start(), bob.prompt());
    let input = json!({ "questions": [{ "question": "Red or blue?" }, { "question": "Why?" }] });
    bob.notes(
        "PreToolUse",
        &json!({ "tool_name": "AskUserQuestion", "tool_use_id": "q1", "tool_input": input }),
    );
    bob.notes("PermissionRequest", &json!({ "tool_name": "AskUserQuestion", "tool_input": input }));
    bob.notes("Notification", &json!({ "notification_type": "permission_prompt", "message": "?" }));
    let awaiting = world.json(&["sessions"])["sessions"][0]["awaiting"].clone();
    assert_eq!(awaiting.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&awaiting[0]["what"], &awaiting[0]["question"]),
        (&json!("question"), &json!("Red or blue?\nWhy?"))
    );
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!(bob.tool("q1").brief(), "context 1");
}

#[test]
fn a_denial_settles_its_own_dialog() {
    let world = World::new();
    let bob = asking(&world);
    bob.asks_leave("pwd");
    let denied =
        json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "x" });
    bob.notes("PermissionDenied", &denied);
    assert_eq!((state(&world), bob.runs("pwd")), (json!("awaiting"), Shown::Nothing));
    assert_eq!(state(&world), "running");
}

#[test]
fn a_form_of_a_server_is_a_dialog() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _shown = (bob.start(), bob.prompt());
    bob.notes("Elicitation", &json!({ "mcp_server_name": "db", "message": "Which table?" }));
    assert_eq!(delivery(&world, &[]), "deferred");
    bob.notes("ElicitationResult", &json!({ "mcp_server_name": "db", "action": "accept" }));
    assert_eq!(bob.tool("t").brief(), "context 1");
}

#[test]
fn where_nobody_can_be_asked_nothing_is_held() {
    let world = World::new();
    let bob = world.session("s1").named("bob").with("CLAUDE_CODE_SESSION_ATTENDED", "0");
    let _shown = (bob.start(), bob.prompt());
    bob.asks_leave("ls");
    assert_eq!((state(&world), delivery(&world, &[])), (json!("running"), "sent".into()));
    let eve = world.session("s2").named("eve");
    let _shown = (eve.start(), eve.prompt());
    let none = json!({ "tool_name": "AskUserQuestion", "permission_mode": "dontAsk" });
    eve.notes("PreToolUse", &none);
    assert_eq!(world.json(&["send", "--to", "eve", "--body", "x"])["delivery"], "sent");
}

/// A rule may want it asked.
#[test]
fn what_is_asked_although_permissions_are_bypassed_holds() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _shown = (bob.start(), bob.prompt());
    let asks = json!({ "tool_name": "Bash", "permission_mode": "bypassPermissions" });
    bob.notes("PermissionRequest", &asks);
    assert_eq!(delivery(&world, &[]), "deferred");
}

/// The first of two dialogs took its time; its call began only when it was allowed.
#[test]
fn a_dialog_that_took_long_settles_no_sibling() {
    let world = World::new();
    let bob = asking(&world);
    bob.asks_leave("pwd");
    world.sql("UPDATE awaited SET since = since - 10000");
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!((bob.runs("ls").brief(), state(&world)), ("nothing".into(), json!("awaiting")));
    assert_eq!(bob.runs("pwd").brief(), "context 1");
}

/// Its agent goes on, ends its turn, and is told of another subagent's end meanwhile.
#[test]
fn a_subagents_dialog_outlasts_what_its_agent_does() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _shown = (bob.start(), bob.prompt());
    let (helper, other) = (bob.subagent(), bob.subagent_named("a2"));
    helper.asks_leave("make");
    world.sql("UPDATE awaited SET since = since - 10000");
    let done = [bob.runs("ls"), other.runs("ls"), bob.stop(), bob.prompt(), bob.stop()];
    assert!(done.iter().all(|shown| *shown == Shown::Nothing), "{done:?}");
    assert_eq!((state(&world), delivery(&world, &[])), (json!("awaiting"), "deferred".into()));
    other.notes("SubagentStop", &json!({}));
    assert_eq!(state(&world), "awaiting");
    assert_eq!((helper.runs("make").brief(), state(&world)), ("nothing".into(), json!("running")));
    assert_eq!(bob.prompt().brief(), "context 1");
}

/// Its dialog was refused, which fires nothing.
#[test]
fn a_subagent_that_ends_awaits_nobody() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _shown = (bob.start(), bob.prompt());
    let helper = bob.subagent();
    helper.asks_leave("make");
    assert_eq!(state(&world), "awaiting");
    helper.notes("SubagentStop", &json!({}));
    assert_eq!((state(&world), delivery(&world, &[])), (json!("running"), "sent".into()));
}

#[test]
fn a_question_of_codex_holds_until_its_call_has_ended() {
    let world = World::new();
    let bob = world.session("s1").of("codex").named("bob");
    let _shown = (bob.start(), bob.prompt());
    let asks = json!({ "tool_name": "request_user_input", "tool_use_id": "q",
        "tool_input": { "questions": [{ "question": "Which?" }] } });
    bob.notes("PreToolUse", &asks);
    assert_eq!(delivery(&world, &[]), "deferred");
    let listed = world.json(&["sessions"])["sessions"][0]["awaiting"].clone();
    assert_eq!(
        (&listed[0]["what"], &listed[0]["question"]),
        (&json!("question"), &json!("Which?"))
    );
    assert_eq!(bob.runs("next").brief(), "context 1");
}

#[test]
fn what_is_held_again_keeps_its_place() {
    let world = World::with_config("output_budget = 2000");
    let bob = asking(&world);
    let long = "x".repeat(1200);
    for priority in ["low", "normal", "urgent"] {
        assert_eq!(delivery(&world, &["--body", &long, "--priority", priority][..]), "deferred");
    }
    assert_eq!(bob.runs("ls").brief(), "context 1");
    bob.asks_leave("pwd");
    assert_eq!(delivery(&world, &[]), "deferred");
    assert_eq!(bob.runs("pwd").brief(), "context 2");
    assert_eq!(bob.runs("true").brief(), "context 3 4");
}

#[test]
fn what_was_taken_back_leaves_the_hold_and_the_next_goes_out() {
    let world = World::new();
    let bob = asking(&world);
    assert_eq!(
        (delivery(&world, &[]), delivery(&world, &[])),
        ("deferred".into(), "deferred".into())
    );
    assert_eq!(world.mailstop(&["withdraw", &world.id(1)]).status, 0);
    assert_eq!(bob.runs("ls").brief(), "context 2");
    assert_eq!(world.outcome(&world.id(1)), "withdrawn");
}

#[test]
fn a_death_between_settling_and_showing_loses_nothing() {
    let world = World::new();
    let bob = asking(&world);
    assert_eq!(delivery(&world, &[]), "deferred");
    let more = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "ls", "duration_ms": 0 });
    let stdin = bob.payload("PostToolUse", &more).to_string();
    for patience in [0, 1, 2, 4] {
        let mut hook = begin(&mut bob.hook(TOOL), stdin.as_bytes(), std::process::Stdio::null());
        std::thread::sleep(std::time::Duration::from_millis(patience));
        hook.kill().unwrap();
        hook.wait().unwrap();
    }
    let shown =
        [bob.runs("ls"), bob.prompt()].iter().filter(|shown| shown.brief().ends_with(" 1")).count();
    assert!(shown <= 1 && world.outcome(&world.id(1)) != "queued");
}

#[test]
fn hooks_at_once_show_what_was_held_once() {
    let world = World::new();
    let bob = asking(&world);
    assert_eq!(delivery(&world, &[]), "deferred");
    let more = json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "ls", "duration_ms": 0 });
    let stdin = bob.payload("PostToolUse", &more).to_string();
    let shown: usize = std::thread::scope(|scope| {
        let hook = || run(&mut bob.hook(TOOL), stdin.as_bytes()).stdout;
        let hooks: Vec<_> = (0..8).map(|_| scope.spawn(hook)).collect();
        hooks
            .into_iter()
            .filter(|_| true)
            .map(|hook| usize::from(!hook.join().unwrap().is_empty()))
            .sum()
    });
    assert_eq!(shown, 1);
}

#[test]
fn a_compaction_between_turns_is_work() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _shown = bob.start();
    bob.notes("PreCompact", &json!({ "trigger": "manual" }));
    assert_eq!(state(&world), "running");
    bob.notes("PostCompact", &json!({ "trigger": "manual" }));
    assert_eq!(state(&world), "idle");
    let _shown = bob.prompt();
    bob.notes("PreCompact", &json!({ "trigger": "auto" }));
    bob.notes("PostCompact", &json!({ "trigger": "auto" }));
    assert_eq!(state(&world), "running");
}

#[test]
fn a_turn_that_failed_or_was_interrupted_is_over() {
    let world = World::new();
    let bob = asking(&world);
    bob.notes("StopFailure", &json!({ "error": "rate_limit" }));
    assert_eq!((state(&world), delivery(&world, &[])), (json!("idle"), "queued".into()));
    let eve = world.session("s2").of("codex").named("eve");
    let _shown = (eve.start(), eve.prompt());
    eve.asks_leave("ls");
    eve.notes("Interrupt", &json!({}));
    assert_eq!(world.json(&["send", "--to", "eve", "--body", "x"])["delivery"], "queued");
}

#[test]
fn a_client_that_rests_has_settled_everything() {
    let world = World::new();
    let bob = asking(&world);
    let rests = json!({ "notification_type": "idle_prompt", "message": "?" });
    bob.notes("Notification", &rests);
    assert_eq!(state(&world), "awaiting", "the turn is younger than the rest");
    world.sql("UPDATE turns SET started_at = started_at - 60000");
    bob.notes("Notification", &rests);
    assert_eq!((state(&world), delivery(&world, &[])), (json!("idle"), "queued".into()));
}
