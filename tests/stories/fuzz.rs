//! Random input: arbitrary bytes, mutated events and any text of a message.

use proptest::prelude::*;
use serde_json::json;

use crate::shown::Shown;
use crate::world::{OBSERVE, PROMPT, START, STOP, TOOL, World};

const HOOKS: [(&str, &str); 5] = [
    (START, "SessionStart"),
    (PROMPT, "UserPromptSubmit"),
    (TOOL, "PostToolUse"),
    (STOP, "Stop"),
    (OBSERVE, "SessionEnd"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..600), hook in 0_usize..5) {
        let world = World::new();
        let (program, name) = HOOKS[hook];
        prop_assert_eq!(world.session("s1").fire(program, name, &bytes), Shown::Nothing);
    }

    #[test]
    fn a_mutated_event_is_survived(
        hook in 0_usize..5,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..3), 1..6),
    ) {
        let world = World::new();
        world.send("bob", &["--allow-unknown", "--priority", "urgent"]);
        let bob = world.session("s1").named("bob");
        let (program, name) = HOOKS[hook];
        let mut bytes = bob.payload(name, &json!({ "source": "resume", "tool_use_id": "t", "duration_ms": 5 })).to_string().into_bytes();
        for (place, byte, change) in changes {
            let place = place.index(bytes.len());
            match change {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => { bytes.remove(place); }
            }
        }
        // The output is checked against the schema of the event that was sent.
        let _ = bob.fire(program, name, &bytes);
    }

    #[test]
    fn any_text_is_shown_within_the_budget(body in proptest::collection::vec(any::<char>(), 1..300),
        subject in "\\PC{0,60}") {
        let world = World::new();
        let bob = world.session("s1").named("bob");
        let _ = bob.start();
        let mut command = world.command(crate::world::MAILSTOP);
        command.args(["send", "--to", "bob", "--subject", &subject, "-"]);
        let body: String = body.into_iter().collect();
        let said = world.said(&mut command, body.as_bytes());
        prop_assume!(said.status == 0);
        let shown = bob.stop();
        prop_assert!(matches!(&shown, Shown::Block(text) if text.encode_utf16().count() <= 9000));
        let fenced = shown.text().lines().filter(|line| line.starts_with("| ") || *line == "|").count();
        prop_assert_eq!(shown.text().lines().count(), fenced + 4);
        prop_assert_eq!(bob.stop(), Shown::Nothing);
    }
}
