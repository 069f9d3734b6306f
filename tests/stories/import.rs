//! Mail from work-buddy: every row once, with what was done to it there.

use std::fs;

use rusqlite::types::Value::Null;
use serde_json::{Value, json};

use crate::shown::Shown;
use crate::work_buddy::{Old, SHAPES, Shape, text};
use crate::world::World;

/// What an import of so many rows reports when nothing is odd.
fn plain(imported: u64, backfilled: &Value) -> Value {
    json!({ "dry_run": false, "imported": imported, "already_there": 0, "skipped": 0, "odd": {},
            "backfilled": backfilled })
}

#[test]
fn each_shape_comes_over_whole() {
    for shape in SHAPES {
        let world = World::new();
        let old = Old::new(&world, shape);
        old.add("m1", &[("tags", text(r#"["a", "b"]"#)), ("disposition", text("actionable"))]);
        old.add(
            "m2",
            &[
                ("in_reply_to", text("m1")),
                ("disposition", text("acknowledgement")),
                ("status", text("resolved")),
                ("updated_at", text("2026-11-30 11:00:00")),
            ],
        );
        let rules = json!({ "actionable": 1, "closed": 1 });
        let rules = if shape == Shape::Full { json!({}) } else { rules };
        assert_eq!(old.migrate(&world, &[]), plain(2, &rules), "{shape:?}");
        let (one, two) = (world.json(&["read", "m1"]), world.json(&["read", "m2"]));
        assert_eq!((&one["tags"], &one["thread"]), (&json!(["a", "b"]), &json!("thr-1")));
        assert_eq!((&two["reply_to"], &two["thread"]), (&one["id"], &json!("thr-1")));
        assert_eq!(
            (&one["created_at"], &two["closed_at"]),
            (&json!(1_796_033_472_123_i64), &json!(1_796_036_400_000_i64))
        );
        assert_eq!(
            (&one["sender"], &one["recipient"]),
            (&json!("project/beta"), &json!("project/work"))
        );
        assert_eq!(
            (&one["kind"], &one["subject"], &one["body"]),
            (&json!("status-update"), &json!("a subject"), &json!("a body"))
        );
        assert_eq!(world.json(&["thread", "m2"])["messages"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn the_rules_of_a_send_classify_what_has_no_disposition() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("m1", &[("subject", text("consent_grant"))]);
    old.add("m2", &[("tags", text(r#"["consent-callback"]"#))]);
    old.add("m3", &[("body", text(r#"{"title": "Consent: x"}"#))]);
    old.add("m4", &[("status", text("done?"))]);
    old.add("m5", &[("priority", text("high")), ("disposition", text(""))]);
    let report = old.migrate(&world, &[]);
    let rules = json!({ "closed": 1, "consent_subject": 1, "consent_tag": 1, "consent_title": 1,
                        "actionable": 1 });
    assert_eq!(report["backfilled"], rules);
    let one = world.session("s1").named("one");
    let (_, _) = (one.start(), one.prompt());
    assert!(
        matches!(one.stop(), Shown::Block(text) if text.contains("Mailstop: 1 message to handle"))
    );
}

#[test]
fn only_what_was_truly_unread_and_pending_blocks_and_with_its_age() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    let may_block = [("disposition", text("actionable"))];
    let actionable = may_block[0].clone();
    old.add("unread", &[actionable.clone(), ("created_at", text("2026-08-23 10:11:12"))]);
    old.add("read", &may_block).read("read", "x", Some("work"));
    old.add("elsewhere", &may_block).read("elsewhere", "x", Some("beta"));
    old.add("done", &[actionable.clone(), ("status", text("resolved"))]);
    old.add("open", &[actionable, ("priority", text("high"))]).read("open", "x", Some("work"));
    old.add(
        "stale",
        &[("disposition", text("acknowledgement")), ("created_at", text("2026-08-23 10:11:12"))],
    );
    assert_eq!(old.migrate(&world, &[])["odd"], json!({}));
    let outcomes =
        ["unread", "read", "elsewhere", "done", "open", "stale"].map(|id| world.outcome(id));
    assert_eq!(outcomes, ["queued", "seen", "queued", "resolved", "blocking", "expired"]);
    let one = world.session("s1").named("one");
    for id in ["unread", "elsewhere", "open"] {
        world.learn(world.json(&["status", id])["id"].as_str().unwrap());
    }
    assert_eq!(one.start().brief(), "context 1 2");
    let blocked = one.stop();
    assert!(blocked.text().contains("[<3>] high from project/beta"), "{blocked:?}");
    assert!(!blocked.text().contains("[<1>]") && !blocked.text().contains("[<2>]"), "{blocked:?}");
    assert!(world.session("s2").named("two").start().text().contains("You are agent two"));
}

#[test]
fn an_unread_acknowledgement_is_shown_once_as_information() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("ack", &[("disposition", text("acknowledgement"))]);
    let _ = old.migrate(&world, &[]);
    let one = world.session("s1").named("one");
    assert!(one.start().text().contains("For your information."));
    assert_eq!(one.stop(), Shown::Nothing);
    assert_eq!((world.outcome("ack").as_str(), one.prompt()), ("seen", Shown::Nothing));
}

/// Who read it, of which project, for which message, and whether that counts.
#[test]
fn a_reading_counts_for_the_project_that_the_message_went_to() {
    let readings: [(Shape, &str, Option<&str>, &str); 8] = [
        (Shape::Full, "x", Some("work"), "seen"),
        (Shape::Full, "x", Some("Work"), "queued"),
        (Shape::Full, "x", None, "queued"),
        (Shape::Full, "known", None, "seen"),
        (Shape::Full, "target", None, "seen"),
        (Shape::Middle, "x", None, "queued"),
        (Shape::Oldest, "x", None, "seen"),
        (Shape::Oldest, "asker", None, "queued"),
    ];
    for (shape, session, project, outcome) in readings {
        let world = World::new();
        let old = Old::new(&world, shape);
        old.add("other", &[]).read("other", "known", Some("work"));
        let target = if session == "target" { text("target") } else { Null };
        old.add("m1", &[("sender_session", text("asker")), ("recipient_session", target)]);
        old.read("m1", session, project);
        let _ = old.migrate(&world, &[]);
        assert_eq!(world.outcome("m1"), outcome, "{shape:?} {session} {project:?}");
    }
}

#[test]
fn a_second_run_changes_nothing_and_a_later_one_brings_what_is_new() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("m1", &[("in_reply_to", text("m2"))]).add("m2", &[]);
    let _ = old.migrate(&world, &[]);
    let before = world.json(&["inbox", "--all"]);
    assert_eq!(world.json(&["read", "m1"])["reply_to"], world.json(&["read", "m2"])["id"]);
    let again = old.migrate(&world, &[]);
    assert_eq!((&again["imported"], &again["already_there"]), (&json!(0), &json!(2)));
    assert_eq!(world.json(&["inbox", "--all"])["messages"][0]["id"], before["messages"][0]["id"]);
    old.add("m3", &[]);
    let later = old.migrate(&world, &[]);
    assert_eq!((&later["imported"], &later["already_there"]), (&json!(1), &json!(2)));
}

#[test]
fn a_dry_run_tells_the_same_and_makes_nothing() {
    let world = World::new();
    let old = Old::new(&world, Shape::Middle);
    old.add("m1", &[("tags", text("no list"))]).add("m2", &[]);
    let mut planned = old.migrate(&world, &["--dry-run"]);
    assert!(!world.path("mail").exists());
    planned["dry_run"] = json!(false);
    assert_eq!(old.migrate(&world, &[]), planned);
    old.add("m3", &[]);
    let bytes = || {
        ["mailstop.db", "mailstop.db-wal"]
            .map(|name| fs::read(world.path("mail").join(name)).unwrap())
    };
    let before = bytes();
    assert_eq!(old.migrate(&world, &["--dry-run"])["imported"], 1);
    assert!(bytes() == before, "a dry run wrote");
}

#[test]
fn what_was_swept_does_not_come_back() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("m1", &[("status", text("resolved")), ("created_at", text("2026-01-01T00:00:00Z"))]);
    let _ = old.migrate(&world, &[]);
    assert_eq!(world.json(&["sweep"])["removed"], json!({ "resolved": 1 }));
    let again = old.migrate(&world, &[]);
    assert_eq!((&again["imported"], &again["already_there"]), (&json!(0), &json!(1)));
    let status = world.json(&["status", "m1"]);
    assert_eq!((&status["outcome"], &status["subject"]), (&json!("resolved"), &json!("")));
}
