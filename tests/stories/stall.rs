//! The block must end: the budget, the notice, and what later turns do.

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

fn stops(session: &Session<'_>, count: usize) -> Vec<String> {
    (0..count).map(|_| session.stop().brief()).collect()
}

#[test]
fn a_stop_lets_go_after_the_budget_and_tells_the_user_alone() {
    let world = World::with_config("stall_after = 2");
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--priority", "high"]);
    assert_eq!(stops(&bob, 2), ["block 1", "block again 1"]);
    let told = "Mailstop: agent/bob did not handle <1>; its stop was let go and the sender was told. \
        It blocks again on later turns, once each.";
    assert_eq!(bob.stop(), Shown::User(told.to_owned()));
    assert_eq!(world.outcome(&id), "stalled");
    for _turn in 0..2 {
        let _ = bob.prompt();
        assert_eq!(stops(&bob, 2), ["block again 1", "nothing"]);
    }
}

/// B01.
#[test]
fn the_clients_flag_is_no_truth_and_a_second_message_blocks_for_itself() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &[]);
    let briefs = stops(&bob, 21);
    assert_eq!((briefs[0].as_str(), briefs[1..].iter().all(|b| b == "nothing")), ("block 1", true));
    world.send("bob", &[]);
    assert_eq!(stops(&bob, 2), ["block 2", "nothing"]);
}

#[test]
fn a_tool_call_begins_the_count_again_and_the_turns_limit_holds() {
    let world = World::with_config("stall_after = 2\nmax_blocks_per_turn = 5");
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "high"]);
    let mut blocks = 0;
    while bob.stop().brief().starts_with("block") {
        blocks += 1;
        assert_eq!(bob.tool(&format!("t{blocks}")), Shown::Nothing);
    }
    assert_eq!(blocks, 5);
}

#[test]
fn a_subagents_tool_call_is_not_the_agents() {
    let world = World::with_config("stall_after = 2");
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "high"]);
    let _ = stops(&bob, 2);
    assert_eq!(bob.subagent().tool("t1"), Shown::Nothing);
    assert_eq!(bob.stop().brief(), "user");
}

#[test]
fn zero_blocks_until_resolved_whatever_the_client_does() {
    let world = World::with_config("stall_after = 0\nmax_blocks_per_turn = 0");
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--priority", "high"]);
    assert!(stops(&bob, 30).iter().all(|brief| brief.starts_with("block")));
    assert_eq!(world.resolve(&["--id", &id]).status, 0);
    assert_eq!(bob.stop(), Shown::Nothing);
}

#[test]
fn the_clients_own_cap_is_never_reached() {
    let world = World::new();
    let bob = world.session("s1").named("bob").with("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "3");
    let _ = bob.start();
    world.send("bob", &["--priority", "high"]);
    assert_eq!(stops(&bob, 3), ["block 1", "block again 1", "user"]);
    let codex = world.session("s2").named("eve").of("codex");
    let _ = codex.start();
    world.send("eve", &["--priority", "high"]);
    assert_eq!(stops(&codex, 7)[5..], ["block again 2", "user"]);
}

#[test]
fn the_sender_has_one_notice_ever_and_none_about_a_notice() {
    let world =
        World::with_config("stall_after = 1\nblock_until_resolved = [\"normal\", \"high\"]");
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let id = amy.send("bob", &["--priority", "high"]);
    for _turn in 0..3 {
        let _ = bob.prompt();
        let _ = stops(&bob, 3);
    }
    let notices = world.json(&["inbox", "--for", "amy"]);
    let notices = notices["messages"].as_array().unwrap();
    assert_eq!(notices.len(), 1);
    assert_eq!((&notices[0]["about"], &notices[0]["kind"]), (&id.into(), &"notice".into()));
    assert_eq!(notices[0]["disposition"], "actionable");
    let _ = amy.prompt();
    let _ = stops(&amy, 3);
    assert_eq!(world.json(&["inbox"])["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn mail_that_the_budget_kept_back_is_shown_at_the_next_prompt() {
    let world = World::with_config("stall_after = 2");
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    for block in ["block 1", "block 2"] {
        world.send("bob", &[]);
        assert_eq!(bob.stop().brief(), block);
    }
    let id = world.send("bob", &[]);
    let told = "Mailstop: agent/bob was let go with 1 unread message(s); they are shown at its next prompt.";
    assert_eq!(bob.stop(), Shown::User(told.to_owned()));
    assert_eq!((world.outcome(&id), bob.prompt().brief()), ("queued".into(), "context 3".into()));
}
