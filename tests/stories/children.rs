//! A parent hears how the turns of its children end.

use serde_json::json;

use crate::world::World;

#[test]
fn a_parent_hears_that_its_child_finished() {
    let world = World::new();
    let (ann, bob) = (world.session("s1").named("ann"), world.session("s2").named("bob"));
    let bob = bob.with("MAILSTOP_PARENT", "ann");
    let _shown = (ann.start(), ann.prompt(), bob.start(), bob.prompt(), bob.stop());
    let told = ann.tool("t");
    assert!(
        told.text().contains("normal from agent/bob, now: agent/bob finished its turn"),
        "{told:?}"
    );
    let _shown = (bob.prompt(), bob.stop(), bob.prompt(), bob.stop());
    assert_eq!(ann.tool("u").text().matches("finished its turn").count(), 1);
}

#[test]
fn a_parent_hears_of_failures_and_interruptions() {
    let world = World::new();
    let ann = world.session("s1").named("ann");
    let bob = world.session("s2").of("codex").named("bob").with("MAILSTOP_PARENT", "session/s1");
    let _shown = (ann.start(), ann.prompt(), bob.start(), bob.prompt());
    bob.notes("Interrupt", &json!({}));
    assert!(ann.tool("t").text().contains("agent/bob was interrupted by its user"));
    let eve = world.session("s3").named("eve").with("MAILSTOP_PARENT", "ann");
    let _shown = (eve.start(), eve.prompt());
    eve.notes("StopFailure", &json!({ "error": "overloaded" }));
    assert!(ann.tool("u").text().contains("agent/eve failed in its turn"));
}

#[test]
fn what_a_parent_hears_is_held_like_any_mail() {
    let world = World::new();
    let (ann, bob) = (world.session("s1").named("ann"), world.session("s2").named("bob"));
    let bob = bob.with("MAILSTOP_PARENT", "ann");
    let _shown = (ann.start(), ann.prompt(), bob.start(), bob.prompt());
    ann.asks_leave("ls");
    let _shown = bob.stop();
    world.send("ann", &["--priority", "urgent"]);
    assert_eq!(ann.runs("true").brief(), "nothing");
    let shown = ann.runs("ls");
    assert!(shown.text().find("finished its turn") < shown.text().find("<1>"), "{shown:?}");
}

#[test]
fn a_parent_that_is_nobody_hears_nothing() {
    let world = World::new();
    let bob = world.session("s2").named("bob").with("MAILSTOP_PARENT", "project/x");
    let _shown = (bob.start(), bob.prompt(), bob.stop());
    assert_eq!(world.json(&["inbox", "--all"])["messages"], json!([]));
}
