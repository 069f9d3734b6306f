//! What a session keeps when its client clears, compacts, forks or resumes it, and
//! the events that get nothing but silence.

use serde_json::{Value, json};

use crate::session::Session;
use crate::shown::Shown;
use crate::world::{START, World, run};

pub(crate) fn bob(world: &World) -> Session<'_> {
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
            bob.fire(START, "SessionStart", payload.to_string().as_bytes()).brief(),
            "context 1",
            "{source}"
        );
    }
}

#[test]
fn a_start_tells_the_name_and_the_commands_in_short() {
    let world = World::new();
    let told = "You are agent bob in Mailstop, mail between agents. mailstop send --to NAME --subject S - \
        <<'EOF' sends; inbox lists; read ID reads; reply ID - <<'EOF' answers; resolve ID closes.";
    let shown = world.session("s1").named("bob").start();
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
    assert_eq!(bob.stop().brief(), "block 1");
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
    assert!(shown.text().starts_with("You are agent bob in Mailstop"), "{shown:?}");
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
    assert_eq!((shown.brief(), fork.prompt().brief()), ("context".into(), "context open".into()));
    assert_eq!(fork.stop().brief(), "block again 1");
    assert_eq!(bob.stop().brief(), "block again 1 3");
}

/// Claude Code 2.1.197 announces a fork as the resumption of its parent.
#[test]
fn a_fork_that_announces_itself_as_its_parent_takes_nothing() {
    let world = World::new();
    let bob = bob(&world);
    world.send("bob", &[]);
    let mut command = world.client();
    command.args(["--resume", "s1", "--fork-session"]).env("STORY", START);
    let output = run(
        &mut command,
        bob.payload("SessionStart", &json!({ "source": "resume" })).to_string().as_bytes(),
    );
    assert_eq!(
        (output.status.success(), Shown::parse("SessionStart", &output.stdout)),
        (true, Shown::Nothing)
    );
    assert_eq!(bob.prompt().brief(), "context 1");
}
