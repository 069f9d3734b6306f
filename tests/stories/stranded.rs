//! Mail that a clear, a rename, a resume, a fork or somebody's resolve could strand.

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::shown::Shown;
use crate::world::World;

/// Ends a prompt whose mail nothing proves: its transcript is there and holds nothing.
fn interrupted(session: &crate::session::Session<'_>) {
    let _ = session.prompt();
    fs::write(&session.transcript, "{}\n").unwrap();
}

#[test]
fn a_resumed_session_is_the_first_one_after_too() {
    let world = World::new();
    let one = world.session("s1").named("one");
    let (_, _) = (one.start(), one.end());
    world.send("project/.", &[]);
    assert_eq!(one.start_as("resume").brief(), "context 1");
}

#[test]
fn forgetting_a_session_strands_no_project_mail() {
    let world = World::new();
    let one = world.session("s1").named("one");
    let _ = one.start();
    world.send("project/.", &[]);
    let _ = one.end();
    assert_eq!(world.mailstop(&["sessions", "forget", "s1"]).status, 0);
    assert_eq!(world.session("s2").named("two").start().brief(), "context 1");
}

#[test]
fn a_broadcast_offered_in_vain_and_resolved_by_another_is_told() {
    let world = World::new();
    let (one, two) = (world.session("s1").named("one"), world.session("s2").named("two"));
    let (_, _) = (one.start(), two.start());
    let id = world.send("project/.", &[]);
    interrupted(&one);
    assert_eq!(two.mailstop(&["resolve", &id]).status, 0);
    assert!(one.prompt().text().contains("Already resolved; for your information."));
    assert_eq!(one.stop(), Shown::Nothing);
}

#[test]
fn who_held_a_name_that_moved_is_numbered_when_back() {
    let world = World::new();
    let (old, new) = (world.session("s1").named("bob"), world.session("s2").named("bob"));
    let (_, _) = (world.session("s0").named("carol").start(), world.session("s0").end());
    let (_, _, _) = (old.start(), old.end(), new.start());
    assert_eq!(new.mailstop(&["name", "carol"]).stdout, "agent/carol\n");
    let told = old.start_as("resume");
    assert!(told.text().starts_with("You are agent carol-2 (the name carol"), "{told:?}");
    world.send("bob", &[]);
    assert_eq!(
        (old.prompt().brief(), new.prompt().brief()),
        ("nothing".into(), "context 1".into())
    );
}

#[test]
fn a_fork_proves_nothing_that_its_parent_was_only_offered() {
    let world = World::new();
    let parent = world.session("s1").named("bob");
    let _ = parent.start();
    let id = world.send("project/.", &["--priority", "high"]);
    let (_, _) = (parent.prompt(), world.session("s2").start_as("fork"));
    let recipients = world.json(&["status", &id])["recipients"].clone();
    let proofs: Vec<_> = recipients.as_array().unwrap().iter().map(|one| &one["proof"]).collect();
    assert!(proofs.iter().all(|proof| proof.is_null()), "{recipients}");
}

#[test]
fn only_the_configured_priorities_count_however_many_others_are_open() {
    let world = World::with_config("block_until_resolved = [\"low\"]");
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let low = world.send("bob", &["--priority", "low"]);
    world.send("bob", &["--priority", "urgent"]);
    let (_, _) = (bob.prompt(), bob.stop());
    assert_eq!(bob.stop().brief(), "block again 1");
    assert_eq!(world.outcome(&low), "blocking");
}

/// Moves everything the mailbox noted into the future, as setting the clock back does.
fn set_the_clock_back(world: &World) {
    let mailbox = rusqlite::Connection::open(world.path("mail/mailstop.db")).unwrap();
    mailbox
        .execute_batch(
            "UPDATE deliveries SET offered_at = offered_at + 3600000;
             UPDATE turns SET started_at = started_at + 3600000;",
        )
        .unwrap();
}

#[test]
fn a_clock_that_is_set_back_strands_no_offer() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &[]);
    interrupted(&bob);
    set_the_clock_back(&world);
    assert_eq!(bob.prompt().brief(), "context 1");
    set_the_clock_back(&world);
    assert_eq!((bob.stop(), world.proof(&id)), (Shown::Nothing, "stop".to_owned()));
}

/// A pipe in place of a transcript has no end to wait for.
#[test]
fn a_transcript_that_is_no_file_holds_up_nobody() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, pipe) = (bob.start(), bob.transcript.display().to_string());
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    world.send("bob", &[]);
    assert_eq!(bob.prompt().brief(), "context 1");
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(bob.prompt().brief(), "context 1");
}
