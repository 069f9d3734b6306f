//! Names, who speaks, and what an unattended session gets.

use crate::shown::Shown;
use crate::world::{MAILSTOP, START, World, run};
use serde_json::json;

#[test]
fn a_session_without_a_name_gets_a_pair_of_words() {
    let world = World::new();
    let one = world.session("s1");
    let _ = one.start();
    let name = one.mailstop(&["name"]).stdout;
    let (first, second) = name.trim().strip_prefix("agent/").unwrap().split_once('-').unwrap();
    assert!(first.len() > 2 && second.len() > 2);
    let _ = one.prompt();
    assert_eq!(one.mailstop(&["name"]).stdout, name);
}

#[test]
fn an_old_name_stays_an_alias_after_a_rename() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    assert_eq!(bob.mailstop(&["name", "Rob"]).stdout, "agent/rob\n");
    world.send("bob", &[]);
    world.send("rob", &[]);
    assert_eq!(bob.prompt().brief(), "context 1 2");
}

#[test]
fn a_held_name_is_refused_and_a_second_claimant_is_numbered_and_told() {
    let world = World::new();
    let (bob, eve) = (world.session("s1").named("bob"), world.session("s2").named("bob"));
    let _ = bob.start();
    assert!(
        eve.start()
            .text()
            .starts_with("You are agent bob-2 (the name bob is held by another session)")
    );
    let refused = eve.mailstop(&["name", "bob"]);
    assert_eq!(
        (refused.status, refused.stderr.lines().next()),
        (2, Some("error: the name bob is held by another session"))
    );
    world.send("bob", &[]);
    assert_eq!((eve.prompt(), bob.prompt().brief()), (Shown::Nothing, "context 1".into()));
}

#[test]
fn a_name_whose_owner_ended_or_died_can_be_taken() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.end());
    let dying = world.session("s2").named("bob");
    let mut command = world.client();
    command.env("STORY", START).env("MAILSTOP_NAME", "bob");
    let payload = dying.payload("SessionStart", &json!({ "source": "startup" })).to_string();
    assert!(run(&mut command, payload.as_bytes()).status.success());
    let next = world.session("s3").named("bob");
    assert!(next.start().text().starts_with("You are agent bob in Mailstop"));
    let states = world.mailstop(&["sessions", "--all"]).stdout;
    assert_eq!(states.matches(" cut ").count(), 1, "{states}");
}

#[test]
fn a_name_inherited_from_the_client_around_it_is_the_parents() {
    let world = World::new();
    let parent = world.session("s1").named("bob");
    let _ = parent.start();
    let child = world
        .session("s2")
        .named("bob")
        .with("MAILSTOP_SESSION", "s1")
        .with("CLAUDE_CODE_SESSION_ATTENDED", "0");
    assert_eq!(child.start(), Shown::Nothing);
    world.send("bob", &[]);
    world.send("project/.", &[]);
    assert_eq!((child.prompt(), child.stop()), (Shown::Nothing, Shown::Nothing));
    assert_eq!(parent.prompt().brief(), "context 1 2");
}

#[test]
fn an_unattended_session_gets_only_what_is_sent_to_its_id() {
    let world = World::new();
    world.send("project/.", &[]);
    let lone = world.session("s1").with("CLAUDE_CODE_SESSION_ATTENDED", "0");
    assert_eq!(lone.start(), Shown::Nothing);
    world.send("project/.", &[]);
    world.send("session/s1", &[]);
    assert_eq!(lone.prompt().brief(), "context 3");
    let named = world.session("s2").named("amy").with("CLAUDE_CODE_SESSION_ATTENDED", "0");
    assert_eq!(named.start().brief(), "context 1 2");
}

#[test]
fn an_agents_shell_knows_who_it_is_and_cannot_speak_as_another() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = bob.send("user", &["--from", "bob"]);
    assert_eq!(world.json(&["read", &id])["sender"], "agent/bob");
    for claim in ["amy", "user", "session/s2", "project/x"] {
        let refused = bob.mailstop(&["send", "--to", "user", "--body", "x", "--from", claim]);
        assert_eq!(
            (
                refused.status,
                refused.stderr.starts_with("error: this is agent/bob, which cannot speak as ")
            ),
            (2, true),
            "{claim}"
        );
    }
    let codex = world.session("s2").named("eve").of("codex");
    let _ = codex.start();
    assert_eq!(codex.mailstop(&["name"]).stdout, "agent/eve\n");
}

#[test]
fn below_a_registered_client_its_processes_tell_who_speaks() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let mut command = world.client();
    command.env("MAILSTOP_NAME", "bob").env(
        "STORY",
        format!("{START} && {MAILSTOP} name && {MAILSTOP} send --to user --body x --from user"),
    );
    let payload = bob.payload("SessionStart", &json!({ "source": "startup" })).to_string();
    let said = world.said(&mut command, payload.as_bytes());
    assert_eq!((said.status, said.stdout.lines().last()), (2, Some("agent/bob")));
    assert_eq!(
        said.stderr,
        "error: this is agent/bob, which cannot speak as user\nhint: leave --from out\n"
    );
}

#[test]
fn the_person_may_speak_for_anybody_and_the_message_says_who_really_sent_it() {
    let world = World::new();
    let id = world.json(&["send", "--to", "user", "--from", "amy", "--body", "x"])["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let message = world.json(&["read", &id]);
    assert_eq!((&message["sender"], &message["sent_by"]), (&"agent/amy".into(), &"user".into()));
}

#[test]
fn a_sender_is_not_in_its_own_broadcast() {
    let world = World::new();
    let (bob, amy) = (world.session("s1").named("bob"), world.session("s2").named("amy"));
    let (_, _) = (bob.start(), amy.start());
    let _ = bob.send("project/.", &[]);
    assert_eq!((bob.prompt(), amy.prompt().brief()), (Shown::Nothing, "context 1".into()));
}
