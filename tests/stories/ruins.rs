//! A mailbox about to be ruined, and what everything says of it then.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

pub(crate) fn database(world: &World) -> PathBuf {
    world.path("mail/mailstop.db")
}

/// A mailbox of many pages with one message for bob, and more of it in the log or none.
pub(crate) fn mailbox(with_log: bool) -> World {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    fs::write(world.path("body"), "long ".repeat(60_000)).unwrap();
    let body = world.path("body").display().to_string();
    assert_eq!(world.mailstop(&["send", "--to", "user", "--body-file", &body]).status, 0);
    world.send("bob", &[]);
    let connection = Connection::open(database(&world)).unwrap();
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    assert_eq!(connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    drop(connection);
    if with_log {
        world.send("user", &[]);
        assert!(fs::metadata(world.path("mail/mailstop.db-wal")).unwrap().len() > 0);
    }
    world
}

/// Every file of the folder but what hooks write there.
pub(crate) fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(world.path("mail")).unwrap().map(Result::unwrap);
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let kept = named.filter(|(name, _)| name != "errors.log" && name != "mailstop.told");
    kept.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

pub(crate) fn put_back(world: &World, good: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in good {
        fs::write(world.path("mail").join(name), bytes).unwrap();
    }
}

pub(crate) fn change(world: &World, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(database(world)).unwrap();
    change(&mut bytes);
    fs::write(database(world), bytes).unwrap();
}

pub(crate) fn remove_sides(world: &World) {
    for side in ["-wal", "-shm"] {
        let _ = fs::remove_file(world.path(&format!("mail/mailstop.db{side}")));
    }
}

/// Puts another database in the mailbox's place, as private as that was.
pub(crate) fn swap_for(world: &World, sql: &str) {
    let other = world.path("other.db");
    let connection = Connection::open(&other).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    fs::write(database(world), fs::read(&other).unwrap()).unwrap();
    fs::remove_file(other).unwrap();
}

pub(crate) fn swap(world: &World) {
    swap_for(world, "CREATE TABLE t (a); CREATE TABLE u (b); CREATE INDEX i ON t (a)");
}

pub(crate) const EMPTIED: &str = "is gone or empty, although a mailbox was made there";
pub(crate) const RESTORE: &str = "bring a backup back with `mailstop restore FILE`; to begin a new mailbox, \
    move every mailstop.* file out of that folder";
pub(crate) const DAMAGED: &str = "bring a backup back with `mailstop restore FILE`, which keeps the damaged \
    files beside it; without a backup, move every mailstop.* file out of that folder to begin a \
    new mailbox";
pub(crate) const FOREIGN: &str = "set MAILSTOP_HOME to another folder; nothing was changed";

/// Every event of a session.
fn every_event(session: &Session<'_>) -> [Shown; 6] {
    [
        session.start(),
        session.prompt(),
        session.tool("t1"),
        session.failed_tool("t2"),
        session.stop(),
        session.end(),
    ]
}

fn every_command_refuses(world: &World, found: &str, remedy: &str) {
    let expected = format!("error: ~/mail/mailstop.db {found}\nhint: {remedy}\n");
    for words in [
        &["inbox"][..],
        &["send", "--to", "user", "--body", "x"],
        &["read", "x"],
        &["status", "x"],
        &["thread", "x"],
        &["resolve", "x"],
        &["withdraw", "x"],
        &["sessions"],
        &["pause", "bob"],
        &["log"],
        &["migrate"],
        &["sweep"],
        &["backup", "copy.db"],
        &[],
    ] {
        let said = world.mailstop(words);
        assert_eq!((said.status, said.stderr.as_str()), (6, expected.as_str()), "{words:?}");
    }
    let said = world.resolve(&["--id", "x"]);
    assert_eq!((said.status, said.stderr), (6, expected));
}

fn doctor_says(world: &World, found: &str, remedy: &str) {
    let document = world.json(&["doctor"]);
    let findings = document["findings"].as_array().unwrap();
    let wrong: Vec<_> = findings.iter().filter(|finding| finding["level"] == "wrong").collect();
    let message = world.redact(wrong[0]["message"].as_str().unwrap());
    let said = (wrong.len(), message, wrong[0]["remedy"].as_str().unwrap());
    assert_eq!(said, (1, format!("~/mail/mailstop.db {found}"), remedy));
}

pub(crate) fn is_refused(ruin: impl Fn(&World), found: &str, remedy: &str) {
    for (with_log, client) in [(true, "claude"), (false, "claude"), (true, "codex")] {
        let world = mailbox(with_log);
        let good = files(&world);
        if !with_log {
            remove_sides(&world);
        }
        ruin(&world);
        let ruined = files(&world);
        let bob = world.session("s1").named("bob").of(client);
        let note = format!(
            "Mailstop: ~/mail/mailstop.db {found}. No mail is shown until this is put right: {remedy}."
        );
        let mut expected = [const { Shown::Nothing }; 6];
        expected[0] = Shown::User(note);
        assert_eq!(every_event(&bob), expected);
        every_command_refuses(&world, found, remedy);
        doctor_says(&world, found, remedy);
        assert!(files(&world) == ruined, "a file changed");
        put_back(&world, &good);
        assert_eq!(world.session("s1").named("bob").start().brief(), "context 1");
        assert_eq!(world.mailstop(&["inbox"]).status, 0);
        assert!(!world.path("mail/mailstop.told").exists());
    }
}
