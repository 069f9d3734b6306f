//! `send --wait-for`: a sender goes on when the message has come far enough.

use std::io::Read;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::shown::Shown;
use crate::world::{MAILSTOP, World};

const TEXT: [&str; 7] = ["send", "--to", "bob", "--body", "x", "--priority", "high"];

/// A send that waits, once it has told the id.
fn waiting(world: &World, goal: &str) -> Child {
    let mut command = world.command(MAILSTOP);
    command.args(TEXT).args(["--wait-for", goal]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = [0; 8];
    child.stdout.as_mut().unwrap().read_exact(&mut line).unwrap();
    world.learn(std::str::from_utf8(&line).unwrap());
    child
}

/// What it printed after that, with its exit code.
fn end(world: &World, mut child: Child) -> (i32, String, String) {
    let (mut stdout, mut stderr) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let last = stdout.lines().last().unwrap_or_default();
    (child.wait().unwrap().code().unwrap(), world.redact(last), world.redact(&stderr))
}

#[test]
fn it_ends_when_the_model_has_got_it() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let child = waiting(&world, "seen");
    assert_eq!(bob.prompt().brief(), "context 1");
    assert!(matches!(bob.stop(), Shown::Block(_)));
    assert_eq!(end(&world, child), (0, "<1> is blocking".into(), String::new()));
}

#[test]
fn it_ends_when_somebody_resolves_it() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    let child = waiting(&world, "resolved");
    assert_eq!(world.resolve(&["--id", &world.id(1)]).status, 0);
    assert_eq!(end(&world, child), (0, "<1> is resolved".into(), String::new()));
}

#[test]
fn it_ends_when_it_can_come_no_further() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    let child = waiting(&world, "resolved");
    assert_eq!(world.mailstop(&["withdraw", &world.id(1)]).status, 0);
    let told = "error: <1> was withdrawn\nhint: `mailstop status` tells by whom\n";
    let (status, _, stderr) = end(&world, child);
    assert_eq!((status, stderr.as_str()), (1, told));
}

#[test]
fn a_time_out_tells_how_far_it_came() {
    let world = World::new();
    let _ = world.session("s1").named("bob").start();
    let document = world.json(&[&TEXT[..], &["--wait-for", "seen", "--timeout", "0"]].concat());
    let told = ["delivery", "outcome", "status"].map(|name| document[name].as_str().unwrap());
    assert_eq!(told, ["queued", "queued", "pending"]);
    assert_eq!(document["error"]["code"], "timed_out");
    world.learn(document["id"].as_str().unwrap());
    let said = world.mailstop(&[&TEXT[..], &["--wait-for", "seen", "--timeout", "0"]].concat());
    assert_eq!(said.status, 5, "{said:?}");
    assert_eq!(
        world.json(&["inbox", "--for", "bob"])["messages"].as_array().map(Vec::len),
        Some(2)
    );
}

/// Every recipient of a broadcast has to come so far.
#[test]
fn a_broadcast_waits_for_its_slowest_recipient() {
    let world = World::new();
    let (one, two) = (world.session("s1").named("one"), world.session("s2").named("two"));
    let (_, _) = (one.start(), two.start());
    let words = ["send", "--to", "project/.", "--body", "x", "--wait-for", "seen", "--timeout"];
    let (_, _) = (one.prompt(), one.stop());
    let document: Value = world.json(&[&words[..], &["0"]].concat());
    assert_eq!(document["outcome"], "queued");
    let (_, _, _, _) = (one.prompt(), one.stop(), two.prompt(), two.stop());
    assert_eq!(world.outcome(document["id"].as_str().unwrap()), "seen");
}
