//! Who a session is, by the processes around its hooks.

use serde_json::json;

use crate::shown::Shown;
use crate::world::{PROMPT, START, World, run};

fn start(world: &World, id: &str, source: &str) -> String {
    let payload = world.session(id).payload("SessionStart", &json!({ "source": source }));
    world.event(&format!("{id}.{source}"), &payload)
}

/// What the hooks of a client's process printed, a line each.
fn printed(world: &World, words: &[&str], story: &str) -> Vec<String> {
    let mut client = world.client();
    client.args(words).env("STORY", story).env("START", START).env("MAILSTOP_NAME", "bob");
    let output = run(&mut client, b"");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |line: &str| match Shown::parse("SessionStart", format!("{line}\n").as_bytes()) {
        Shown::Context(text) => world.redact(&text),
        other => panic!("{other:?}"),
    };
    text.lines().map(line).collect()
}

#[test]
fn a_client_inside_a_client_does_not_take_its_name() {
    let world = World::new();
    let (outer, inner) = (start(&world, "s1", "startup"), start(&world, "s2", "startup"));
    let story =
        format!("$START < {outer} && STORY='$START < {inner}' {}", world.path("claude").display());
    let told = printed(&world, &[], &story);
    assert!(told[0].starts_with("You are agent bob in Mailstop"), "{told:?}");
    assert!(!told[1].contains("bob"), "{told:?}");
}

#[test]
fn a_clear_carries_over_only_within_its_process() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let told = printed(&world, &[], &format!("$START < {}", start(&world, "s2", "clear")));
    assert!(
        told[0].starts_with("You are agent bob-2 (the name bob is held by another session)"),
        "{told:?}"
    );
    let both = format!(
        "$START < {} && $START < {}",
        start(&world, "s3", "startup"),
        start(&world, "s4", "clear")
    );
    let told = printed(&world, &[], &both);
    assert!(told[1].starts_with("You are agent bob-2 in Mailstop"), "{told:?}");
}

/// Claude Code 2.1.332: only the client's own words name the parent.
#[test]
fn a_fork_in_a_process_of_its_own_has_its_parents_receipts() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("project/.", &["--priority", "high"]);
    let (_, _) = (bob.prompt(), bob.stop());
    let told = printed(
        &world,
        &["--resume", "s1", "--fork-session"],
        &format!("$START < {}", start(&world, "s2", "fork")),
    );
    assert!(told[0].starts_with("You are agent bob-2") && !told[0].contains("<1>"), "{told:?}");
    let fork = world.session("s2");
    assert_eq!(fork.stop().brief(), "block again 1");
}

/// Some clients run a hook through a shell, which is not the client.
#[test]
fn a_shell_between_client_and_hook_is_nobody() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    world.send("bob", &[]);
    let mut shell = world.command("/bin/sh");
    shell.args(["-c", &format!("X=1 {PROMPT} --client claude || true")]);
    let payload = bob.payload("UserPromptSubmit", &json!({})).to_string();
    let output = run(&mut shell, payload.as_bytes());
    assert!(matches!(Shown::parse("UserPromptSubmit", &output.stdout), Shown::Context(_)));
    assert_eq!(world.json(&["sessions"])["sessions"][0]["state"], "running");
}
