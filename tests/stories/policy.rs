//! The block policy, as the executables keep it.

use crate::shown::Shown;
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
    assert_eq!(bob.stop().brief(), "block 1");
    let line = "[<1>] high from user, now: Hi — still blocks your stop. When handled, run: resolve --id <1>";
    assert_eq!(bob.stop(), Shown::Block(line.to_owned()));
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
fn reading_and_replying_do_not_clear_a_high_message() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let id = world.send("bob", &["--priority", "high"]);
    assert_eq!(bob.mailstop(&["read", &id]).status, 0);
    assert_eq!(bob.stop().brief(), "block 1");
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
fn starting_a_turn_is_refused_by_the_recipients_state() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    assert_eq!(
        world.mailstop(&["send", "--to", "bob", "--body", "x", "--mode", "start"]).status,
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
    let many = world.mailstop(&["send", "--to", "project/.", "--body", "x", "--mode", "start"]);
    assert_eq!(many.status, 2);
    assert_eq!(world.json(&["inbox"])["messages"].as_array().map(Vec::len), Some(1));
}
