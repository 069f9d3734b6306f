//! Whom imported mail is for: folders that appear, sessions, and whoever is asked back.

use rusqlite::types::Value as Sql;
use serde_json::json;

use crate::projects::checkout;
use crate::shown::Shown;
use crate::work_buddy::{Old, Shape, text};
use crate::world::World;

/// One unread message to a folder, or to a session.
fn imported(world: &World, changes: &[(&'static str, Sql)]) {
    let old = Old::new(world, Shape::Full);
    old.add("m1", changes);
    assert_eq!(old.migrate(world, &[])["imported"], 1);
    world.learn(world.json(&["status", "m1"])["id"].as_str().unwrap());
}

#[test]
fn a_live_session_of_the_folder_gets_it_at_once() {
    let world = World::new();
    let (one, two) = (world.session("s1").named("one"), world.session("s2").named("two"));
    let (_, _) = (one.start(), two.start());
    imported(&world, &[]);
    let project = format!("project/{}", world.path("work").display());
    assert_eq!(world.json(&["status", "m1"])["recipient"], project);
    assert_eq!(
        (one.prompt().brief(), two.prompt().brief()),
        ("context 1".into(), "context 1".into())
    );
    assert!(matches!(world.session("s3").named("three").start().brief().as_str(), "context"));
}

#[test]
fn a_folder_that_appears_later_gets_it_then() {
    let world = World::new();
    imported(&world, &[]);
    assert_eq!(world.json(&["status", "m1"])["recipient"], "project/work");
    assert_eq!(world.json(&["inbox", "--for", "project/work"])["messages"][0]["outcome"], "queued");
    let one = world.session("s1").named("one");
    assert_eq!(one.start().brief(), "context 1");
    let project = format!("project/{}", world.path("work").display());
    assert_eq!(world.json(&["status", "m1"])["recipient"], project);
    assert_eq!(world.session("s2").named("two").start().brief(), "context");
    assert_eq!(
        world.json(&["inbox", "--for", "project/work"])["messages"][0]["id"],
        world.json(&["read", "m1"])["id"]
    );
}

#[test]
fn a_worktree_is_called_by_its_own_folder_too() {
    let world = World::new();
    checkout(&world);
    imported(&world, &[("recipient", text("side"))]);
    let app = world.session("s1").named("app").within(world.path("app"));
    let side = world.session("s2").named("side").within(world.path("side/src"));
    assert_eq!((app.start().brief(), side.start().brief()), ("context".into(), "context 1".into()));
}

#[test]
fn of_two_folders_with_one_name_the_first_that_starts_gets_it() {
    let world = World::new();
    for folder in ["a/work", "b/work"] {
        std::fs::create_dir_all(world.path(folder)).unwrap();
    }
    let session = |id, folder| world.session(id).named(id).within(world.path(folder));
    let (a, b) = (session("one", "a/work"), session("two", "b/work"));
    let (_, _) = (a.start(), b.start());
    imported(&world, &[]);
    assert_eq!(world.json(&["status", "m1"])["recipient"], "project/work");
    assert_eq!((b.start_as("resume").brief(), a.prompt()), ("context 1".into(), Shown::Nothing));
}

#[test]
fn mail_to_a_session_is_that_sessions_whatever_its_folder() {
    let world = World::new();
    imported(&world, &[("recipient", text("elsewhere")), ("recipient_session", text("s7"))]);
    assert_eq!(world.session("s1").named("one").start().brief(), "context");
    assert_eq!(world.session("s7").named("two").start().brief(), "context 1");
    assert_eq!(world.json(&["status", "m1"])["recipient"], "session/s7");
}

#[test]
fn an_answer_goes_to_the_folder_that_asked() {
    let world = World::new();
    imported(
        &world,
        &[("sender", text("asker")), ("sender_session", text("s9")), ("type", text("question"))],
    );
    let reply = world.json(&["reply", "m1", "--body", "yes"]);
    let told = (&reply["recipient"], &reply["subject"], &reply["disposition"]);
    assert_eq!(told, (&json!("project/asker"), &json!("Re: a subject"), &json!("actionable")));
    world.learn(reply["id"].as_str().unwrap());
    std::fs::create_dir(world.path("asker")).unwrap();
    let asker = world.session("s2").named("asker").within(world.path("asker"));
    assert_eq!(asker.start().brief(), "context 2");
}

/// Years of handled mail lie under the folder's name; only what is open moves.
#[test]
fn handled_mail_stays_listed_under_its_folder() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("m1", &[("status", text("resolved"))]).add("m2", &[]);
    let _ = old.migrate(&world, &[]);
    let one = world.session("s1").named("one");
    assert!(one.start().text().contains("Mailstop: 1 message for you."));
    let listed = world.json(&["inbox", "--for", "project/work", "--all"]);
    assert_eq!(listed["messages"].as_array().unwrap().len(), 2);
    assert_eq!(world.outcome("m1"), "resolved");
}
