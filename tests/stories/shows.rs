//! Where each kind of mail is shown, and in which order.

use crate::shown::Shown;
use crate::world::World;

#[test]
fn an_acknowledgement_never_blocks_and_waits_for_a_prompt() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    world.send("bob", &["--priority", "urgent", "--disposition", "acknowledgement"]);
    assert_eq!(bob.tool("t1").brief(), "nothing");
    assert_eq!(bob.stop().brief(), "nothing");
    assert_eq!(bob.prompt().brief(), "context 1");
    assert_eq!(bob.stop().brief(), "nothing");
}

#[test]
fn an_acknowledgement_shows_at_the_start() {
    let world = World::new();
    world.send("bob", &["--disposition", "acknowledgement", "--allow-unknown"]);
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
    assert_eq!((bob.tool("t1").brief(), bob.stop().brief()), ("nothing".into(), "nothing".into()));
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
    let (one, two) = (world.session("s1").named("one"), world.session("s2").named("two"));
    let (_, _) = (one.start(), two.start());
    let id = world.send("project/.", &["--priority", "urgent"]);
    assert_eq!(one.stop().brief(), "block 1");
    assert_eq!(one.mailstop(&["resolve", &id]).status, 0);
    assert_eq!((one.stop().brief(), two.stop().brief()), ("nothing".into(), "nothing".into()));
    assert!(two.prompt().text().contains("Already resolved; for your information."));
    let _ = two.stop();
    assert_eq!((one.prompt(), two.prompt()), (Shown::Nothing, Shown::Nothing));
}

#[test]
fn queued_mail_waits_for_the_stop() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let _ = bob.prompt();
    let id = world.send("bob", &["--mode", "queue"]);
    assert_eq!((bob.tool("t1").brief(), world.outcome(&id)), ("nothing".into(), "queued".into()));
    assert_eq!(bob.stop().brief(), "block 1");
    assert_eq!(bob.stop().brief(), "nothing");
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
