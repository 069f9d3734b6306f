//! Rows of work-buddy that make no sense: imported as far as they do, and counted.

use rusqlite::types::Value as Sql;
use serde_json::{Value, json};

use crate::work_buddy::{Old, Shape, row, text};
use crate::world::World;

/// Imports one changed row, and returns the report's oddities with the message.
fn one(changes: &[(&'static str, Sql)]) -> (Value, Value) {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.insert(&row(changes));
    let report = old.migrate(&world, &[]);
    assert_eq!((&report["imported"], &report["skipped"]), (&json!(1), &json!(0)), "{report}");
    let listed = world.json(&["inbox", "--all"]);
    let id = listed["messages"][0]["id"].as_str().unwrap();
    (report["odd"].clone(), world.json(&["read", id]))
}

/// An oddity counted once, and nothing else.
fn only(reason: &str) -> Value {
    json!({ reason: 1 })
}

#[test]
fn tags_that_are_no_list_become_tags() {
    for (tags, kept) in [
        ("no json", json!(["no json"])),
        (r#""one""#, json!(["one"])),
        (r#"{"a": 1}"#, json!([r#"{"a": 1}"#])),
        (r#"["a", 5]"#, json!([r#""a""#, "5"])),
        ("5", json!(["5"])),
    ] {
        let (odd, message) = one(&[("tags", text(tags))]);
        assert_eq!((odd, &message["tags"]), (only("tags that are not a list"), &kept), "{tags}");
    }
    for tags in [text(""), text("[]"), Sql::Null] {
        assert_eq!(one(&[("tags", tags)]).0, json!({}));
    }
}

/// B41: each form is one moment, and what cannot be read has the next best time.
#[test]
fn times_come_in_both_text_forms() {
    let moment = json!(1_796_033_472_000_i64);
    for written in [
        "2026-11-30T10:11:12+00:00",
        "2026-11-30T10:11:12Z",
        "2026-11-30 10:11:12",
        "2026-12-01T00:11:12.000+14:00",
    ] {
        let (odd, message) = one(&[("created_at", text(written))]);
        assert_eq!((odd, &message["created_at"]), (json!({}), &moment), "{written}");
    }
    for broken in [text("yesterday"), text(""), Sql::Null] {
        let (odd, message) = one(&[("created_at", broken)]);
        assert_eq!((odd, &message["created_at"]), (only("a time that cannot be read"), &moment));
    }
    let changes =
        [("id", text("x")), ("created_at", text("?")), ("updated_at", text("2026-11-30 10:11:12"))];
    assert_eq!(one(&changes).1["created_at"], moment);
}

#[test]
fn words_that_nobody_knows_are_taken_the_safe_way() {
    let (odd, message) = one(&[("status", text("parked"))]);
    let told = (&message["status"], &message["note"]);
    assert_eq!((odd, told), (only("an unknown status"), (&json!("resolved"), &json!("parked"))));
    let (odd, message) = one(&[("status", Sql::Null)]);
    assert_eq!((odd, &message["status"]), (only("no status"), &json!("pending")));
    let (odd, message) = one(&[("priority", text("ASAP"))]);
    assert_eq!((odd, &message["priority"]), (only("an unknown priority"), &json!("normal")));
    let (odd, message) = one(&[("disposition", text("maybe"))]);
    assert_eq!(
        (odd, &message["disposition"]),
        (only("an unknown disposition"), &json!("actionable"))
    );
    let (odd, message) = one(&[("type", text("!"))]);
    assert_eq!((odd, &message["kind"]), (only("a kind that is no word"), &json!("message")));
    let (odd, message) = one(&[("type", text("Bus.Event"))]);
    assert_eq!((odd, &message["kind"]), (json!({}), &json!("bus-event")));
    assert_eq!(one(&[("status", text("read"))]).1["status"], "resolved");
}

#[test]
fn missing_parts_are_told_and_the_rest_comes() {
    let (odd, message) = one(&[("sender", text(" "))]);
    assert_eq!((odd, &message["sender"]), (only("no sender"), &json!("project/unknown")));
    let (odd, message) = one(&[("recipient", text(""))]);
    assert_eq!((odd, &message["recipient"]), (only("no recipient"), &json!("user")));
    let (odd, message) = one(&[("subject", Sql::Null)]);
    assert_eq!((odd, &message["body"]), (only("no subject"), &json!("a body")));
    let (odd, message) = one(&[("recipient", text("a/b"))]);
    let reason = "a recipient that is no folder name";
    assert_eq!((odd, &message["recipient"]), (only(reason), &json!("project/a/b")));
    let (odd, message) = one(&[("in_reply_to", text("gone"))]);
    assert_eq!(
        (odd, &message["reply_to"]),
        (only("answers a message that is not there"), &json!(null))
    );
    let (odd, _) = one(&[("id", text("2026/beta/1"))]);
    assert_eq!(odd, only("an id with a slash"));
}

#[test]
fn what_is_no_text_becomes_text() {
    let (odd, message) =
        one(&[("subject", Sql::Blob(vec![b'a', 0xff])), ("body", Sql::Integer(5))]);
    let kept = (&message["subject"], &message["body"]);
    assert_eq!((odd, kept), (only("text that is not text"), (&json!("a\u{fffd}"), &json!("5"))));
    let long = "s".repeat(12_000);
    let (odd, message) = one(&[("subject", text(&long))]);
    assert_eq!(odd, only("a subject that is too long"));
    assert_eq!(message["body"], format!("{long}\n\na body"));
    assert_eq!(message["subject"].as_str().unwrap().chars().count(), 1000);
}

#[test]
fn rows_without_an_id_come_once_each() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    for _ in 0..2 {
        old.insert(&row(&[("id", Sql::Null)]));
    }
    old.insert(&row(&[
        ("id", text("x")),
        ("sender", text("")),
        ("subject", text("")),
        ("body", Sql::Null),
    ]));
    old.read("ghost", "s1", Some("work"));
    let report = old.migrate(&world, &[]);
    assert_eq!((&report["imported"], &report["skipped"]), (&json!(2), &json!(1)));
    assert_eq!(report["odd"], json!({ "no id": 2, "read by nobody known": 1 }));
    assert_eq!(old.migrate(&world, &[])["already_there"], 2);
}

#[test]
fn an_old_id_works_wherever_an_id_does() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("20261130T101112-a/b-1", &[]).add("20261130T101113-beta-2", &[]);
    let _ = old.migrate(&world, &[]);
    let said = world.mailstop(&["status", "20261130T10111"]);
    assert_eq!(said.status, 3, "{said:?}");
    assert_eq!(world.json(&["read", "20261130T101113"])["recipient"], "project/work");
    assert_eq!(
        world.json(&["reply", "20261130T101113-beta-2", "--body", "x"])["recipient"],
        "project/beta"
    );
    assert_eq!(world.resolve(&["--id", "20261130T101112-a/b-1"]).status, 0);
    assert_eq!(world.outcome("20261130T101112-a/b-1"), "resolved");
}
