//! What fits into one output, and what is marked. B04, B47.

use serde_json::Value;

use crate::session::Session;
use crate::shown::Shown;
use crate::world::{MAILSTOP, World, run};

fn units(shown: &Shown) -> usize {
    shown.text().encode_utf16().count()
}

fn send(world: &World, to: &str, body: &str, words: &[&str]) {
    let mut command = world.command(MAILSTOP);
    command.args(["send", "--json", "--to", to, "-"]).args(words);
    let output = run(&mut command, body.as_bytes());
    let sent: Value = serde_json::from_slice(&output.stdout).unwrap();
    world.learn(sent["id"].as_str().unwrap());
}

fn unread(world: &World) -> usize {
    world.json(&["inbox", "--unread", "--limit", "500"])["messages"].as_array().unwrap().len()
}

fn bob(world: &World) -> Session<'_> {
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    bob
}

#[test]
fn forty_messages_of_a_thousand_characters_are_marked_as_they_are_shown() {
    let world = World::new();
    let bob = bob(&world);
    for _ in 0..40 {
        send(&world, "bob", &"x".repeat(1000), &[]);
    }
    let mut left = 40;
    let events: [fn(&Session<'_>) -> Shown; 4] =
        [|bob| bob.start(), |bob| bob.prompt(), |bob| bob.tool("t1"), |bob| bob.stop()];
    for happens in events {
        let shown = happens(&bob);
        let whole = shown.text().matches(&format!("| {}\n", "x".repeat(1000))).count();
        assert!(whole > 3 && units(&shown) <= 9000, "{whole} in {}", units(&shown));
        left -= whole;
        assert_eq!(unread(&world), left);
        let line = format!(
            "\n{left} more messages are unread. List: mailstop inbox --unread  Read one: mailstop read ID"
        );
        assert!(shown.text().ends_with(&line), "{shown:?}");
    }
}

#[test]
fn a_long_body_is_its_beginning_and_the_command_for_the_rest() {
    let world = World::new();
    let bob = bob(&world);
    send(&world, "bob", &"x".repeat(60_000), &["--subject", "Long"]);
    send(&world, "bob", "short", &[]);
    let shown = bob.stop();
    assert_eq!(shown.brief(), "block 1 2");
    assert!(
        shown.text().contains("\n(cut here; all 60000 bytes: mailstop read <1>)\n"),
        "{shown:?}"
    );
    assert!(units(&shown) < 3500);
    assert_eq!(bob.stop(), Shown::Nothing);
}

#[test]
fn every_cut_ends_between_characters() {
    for text in ["é", "한", "🙏", "👨\u{200d}👩\u{200d}👧", "e\u{301}"] {
        let world = World::new();
        let bob = bob(&world);
        for length in [5990_usize, 5998, 5999, 6000, 6001, 6008, 16_380, 16_384, 16_388] {
            let bare: usize = text.encode_utf16().count();
            send(
                &world,
                "bob",
                &format!("{}{}", "x".repeat(length % 7), text.repeat(length / bare)),
                &["--subject", &text.repeat(240 / bare)],
            );
        }
        for _stop in 0..9 {
            let shown = bob.stop();
            assert!(units(&shown) <= 9000 && !shown.text().contains('\u{fffd}'), "{text}");
        }
        assert_eq!((unread(&world), bob.stop()), (0, Shown::Nothing), "{text}");
    }
}

#[test]
fn the_smallest_budget_shows_every_message_in_the_end() {
    let world = World::with_config("output_budget = 2000");
    let bob = bob(&world);
    for length in [10, 900, 3000, 60_000] {
        send(
            &world,
            "bob",
            &"x".repeat(length),
            &["--subject", &"s".repeat(300), "--from", "session/a-rather-long-id-of-a-session"],
        );
    }
    let briefs: Vec<String> = (0..5)
        .map(|_| bob.stop())
        .map(|shown| (units(&shown) <= 2000, shown))
        .map(|(fits, shown)| {
            assert!(
                fits && (shown == Shown::Nothing || shown.text().contains("resolve --id <")),
                "{shown:?}"
            );
            shown.brief()
        })
        .collect();
    assert_eq!(briefs, ["block 1", "block 2", "block 3", "block 4", "nothing"]);
}

#[test]
fn many_open_messages_leave_room_for_a_new_one() {
    let world = World::new();
    let bob = bob(&world);
    for _ in 0..40 {
        send(&world, "bob", "x", &["--priority", "high", "--subject", &"s".repeat(190)]);
    }
    while unread(&world) > 0 {
        assert!(bob.stop().brief().starts_with("block"));
        let _ = bob.tool("t");
    }
    send(&world, "bob", &"y".repeat(5980), &[]);
    let shown = bob.stop();
    assert!(shown.text().contains(&"y".repeat(2000)) && units(&shown) <= 9000, "{}", shown.brief());
    assert_eq!(unread(&world), 0);
}
