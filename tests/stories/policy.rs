//! The block policy, as the executables keep it.

use crate::session::Shown;
use crate::world::World;

#[test]
fn an_unread_message_blocks_once_and_says_how_to_clear_it() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    world.send("bob", &["--subject", "Hi"]);
    let block = "Mailstop: 1 message to handle before you stop.\n\
        [<1>] normal from user, now: Hi\n\
        | text\n\
        This blocks your stop once, so that you see it. When handled, run: resolve --id <1>\n\
        Lines marked | were sent by the user through Mailstop. Answer with: mailstop reply ID - <<'EOF'";
    assert_eq!(bob.stop(), Shown::Block(block.to_owned()));
    assert_eq!(bob.stop(), Shown::Nothing);
    let _ = bob.prompt();
    assert_eq!(bob.stop(), Shown::Nothing);
}

#[test]
fn every_priority_blocks_once_and_high_and_urgent_until_resolved() {
    for (priority, then) in [
        ("low", "nothing"),
        ("normal", "nothing"),
        ("high", "block again 1"),
        ("urgent", "block again 1"),
    ] {
        let world = World::new();
        let bob = world.session("s1").named("bob");
        let _ = bob.start();
        let id = world.send("bob", &["--priority", priority]);
        assert_eq!(bob.stop().brief(), "block 1", "{priority}");
        assert_eq!(bob.stop().brief(), then, "{priority}");
        assert_eq!(world.resolve(&["--id", &id]).stdout, "resolved <1>\n");
        assert_eq!(bob.stop().brief(), "nothing", "{priority}");
    }
}

#[test]
fn later_blocks_are_one_line_a_message() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "high", "--subject", "Hi"]);
    let _ = bob.prompt();
    let line = "[<1>] high from user, now: Hi — still blocks your stop. When handled, run: resolve --id <1>";
    assert_eq!(bob.stop(), Shown::Block(line.to_owned()));
}

#[test]
fn an_acknowledgement_never_blocks_and_waits_for_a_prompt() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    world.send(
        "bob",
        &["--priority", "urgent", "--disposition", "acknowledgement"],
    );
    assert_eq!(bob.tool("t1").brief(), "nothing");
    assert_eq!(bob.stop().brief(), "nothing");
    assert_eq!(bob.prompt().brief(), "context 1");
    assert_eq!(bob.stop().brief(), "nothing");
}

#[test]
fn an_acknowledgement_shows_at_the_start() {
    let world = World::new();
    world.send(
        "bob",
        &["--disposition", "acknowledgement", "--allow-unknown"],
    );
    let bob = world.session("s1").named("bob");
    assert_eq!(bob.start().brief(), "context 1");
    assert_eq!(bob.prompt().brief(), "nothing");
}

#[test]
fn mail_born_resolved_is_shown_once_at_the_next_prompt() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    world.send("bob", &["--status", "resolved", "--subject", "FYI"]);
    assert_eq!(
        (bob.tool("t1").brief(), bob.stop().brief()),
        ("nothing".into(), "nothing".into())
    );
    let shown = "Mailstop: 1 message for you.\n[<1>] normal from user, now: FYI\n| text\n\
        Already resolved; for your information.\n\
        Lines marked | were sent by the user through Mailstop. Answer with: mailstop reply ID - <<'EOF'";
    assert_eq!(bob.prompt(), Shown::Context(shown.to_owned()));
    let _ = bob.stop();
    assert_eq!(bob.prompt(), Shown::Nothing);
}

#[test]
fn a_broadcast_that_another_resolved_is_information() {
    let world = World::new();
    let (one, two) = (
        world.session("s1").named("one"),
        world.session("s2").named("two"),
    );
    let (_, _) = (one.start(), two.start());
    let id = world.send("project/.", &["--priority", "urgent"]);
    assert_eq!(one.stop().brief(), "block 1");
    assert_eq!(one.mailstop(&["resolve", &id]).status, 0);
    assert_eq!(
        (one.stop().brief(), two.stop().brief()),
        ("nothing".into(), "nothing".into())
    );
    assert!(
        two.prompt()
            .text()
            .contains("Already resolved; for your information.")
    );
    let _ = two.stop();
    assert_eq!(
        (one.prompt(), two.prompt()),
        (Shown::Nothing, Shown::Nothing)
    );
}

#[test]
fn an_empty_list_makes_every_priority_surface_once() {
    let world = World::with_config("block_until_resolved = []");
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &["--priority", "urgent"]);
    assert_eq!(bob.stop().brief(), "block 1");
    assert_eq!(bob.stop().brief(), "nothing");
    assert_eq!(bob.prompt().brief(), "nothing");
}

#[test]
fn queued_mail_waits_for_the_stop() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    let id = world.send("bob", &["--mode", "queue"]);
    assert_eq!(
        (bob.tool("t1").brief(), world.outcome(&id)),
        ("nothing".into(), "queued".into())
    );
    assert_eq!(bob.stop().brief(), "block 1");
    assert_eq!(bob.stop().brief(), "nothing");
}

#[test]
fn reading_and_replying_do_not_clear_a_high_message() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--priority", "high"]);
    assert_eq!(bob.mailstop(&["read", &id]).status, 0);
    assert_eq!(bob.stop().brief(), "block again 1");
    assert_eq!(bob.mailstop(&["reply", &id, "--body", "ok"]).status, 0);
    assert_eq!(bob.stop().brief(), "block again 1");
}

#[test]
fn reading_a_normal_message_makes_the_receipt_that_a_stop_needs() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &[]);
    assert_eq!(bob.mailstop(&["read", &id]).status, 0);
    assert_eq!(bob.stop(), Shown::Nothing);
}

#[test]
fn withdrawn_mail_neither_blocks_nor_shows() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--priority", "urgent"]);
    assert_eq!(world.mailstop(&["withdraw", &id]).stdout, "withdrawn <1>\n");
    assert_eq!(
        (bob.stop(), bob.prompt(), bob.tool("t1")),
        (Shown::Nothing, Shown::Nothing, Shown::Nothing)
    );
}

#[test]
fn urgent_comes_first_then_high_then_the_order_of_arrival() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    for priority in ["low", "normal", "high", "urgent"] {
        world.send("bob", &["--priority", priority]);
    }
    assert_eq!(bob.stop().brief(), "block 4 3 1 2");
}

#[test]
fn starting_a_turn_is_refused_by_the_recipients_state() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    assert_eq!(
        world
            .mailstop(&["send", "--to", "bob", "--body", "x", "--mode", "start"])
            .status,
        0
    );
    let _ = bob.prompt();
    let busy = world.mailstop(&["send", "--to", "bob", "--body", "x", "--mode", "start"]);
    assert_eq!(
        (busy.status, busy.stderr.lines().next()),
        (4, Some("error: agent/bob is in a turn"))
    );
    let _ = bob.end();
    let gone = world.json(&["send", "--to", "bob", "--body", "x", "--mode", "start"]);
    assert_eq!(gone["error"]["code"], "not_running");
    let many = world.mailstop(&[
        "send",
        "--to",
        "project/.",
        "--body",
        "x",
        "--mode",
        "start",
    ]);
    assert_eq!(many.status, 2);
    assert_eq!(
        world.json(&["inbox"])["messages"].as_array().map(Vec::len),
        Some(1)
    );
}
