//! A mailbox file that was emptied, cut, zeroed, removed or swapped: nothing is begun
//! afresh, nothing is written, one note tells the user, and the good file works again.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use rusqlite::Connection;

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

fn database(world: &World) -> PathBuf {
    world.path("mail/mailstop.db")
}

/// A mailbox of many pages with one message for bob, and more of it in the log or none.
fn mailbox(with_log: bool) -> World {
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
fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(world.path("mail")).unwrap().map(Result::unwrap);
    let named = entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.path()));
    let kept = named.filter(|(name, _)| name != "errors.log" && name != "mailstop.told");
    kept.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

fn put_back(world: &World, good: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in good {
        fs::write(world.path("mail").join(name), bytes).unwrap();
    }
}

fn change(world: &World, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(database(world)).unwrap();
    change(&mut bytes);
    fs::write(database(world), bytes).unwrap();
}

fn remove_sides(world: &World) {
    for side in ["-wal", "-shm"] {
        let _ = fs::remove_file(world.path(&format!("mail/mailstop.db{side}")));
    }
}

/// Puts another database in the mailbox's place, as private as that was.
fn swap_for(world: &World, sql: &str) {
    let other = world.path("other.db");
    let connection = Connection::open(&other).unwrap();
    connection.execute_batch(sql).unwrap();
    drop(connection);
    fs::write(database(world), fs::read(&other).unwrap()).unwrap();
    fs::remove_file(other).unwrap();
}

fn swap(world: &World) {
    swap_for(world, "CREATE TABLE t (a); CREATE TABLE u (b); CREATE INDEX i ON t (a)");
}

const EMPTIED: &str = "is gone or empty, although a mailbox was made there";
const RESTORE: &str = "bring a backup back with `mailstop restore FILE`; to begin a new mailbox, \
    move every mailstop.* file out of that folder";
const DAMAGED: &str = "bring a backup back with `mailstop restore FILE`, which keeps the damaged \
    files beside it; without a backup, move every mailstop.* file out of that folder to begin a \
    new mailbox";
const FOREIGN: &str = "set MAILSTOP_HOME to another folder; nothing was changed";

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

fn is_refused(ruin: impl Fn(&World), found: &str, remedy: &str) {
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

#[test]
fn an_emptied_mailbox_is_not_begun_afresh() {
    is_refused(|world| fs::write(database(world), "").unwrap(), EMPTIED, RESTORE);
}

#[test]
fn a_missing_mailbox_is_not_begun_afresh() {
    is_refused(|world| fs::remove_file(database(world)).unwrap(), EMPTIED, RESTORE);
}

#[test]
fn a_blank_database_in_its_place_is_not_taken_for_the_mailbox() {
    let blank = |world: &World| {
        remove_sides(world);
        swap_for(world, "VACUUM");
    };
    is_refused(blank, EMPTIED, RESTORE);
}

#[test]
fn a_mailbox_that_was_cut_is_left_alone() {
    let pages = |world: &World| fs::metadata(database(world)).unwrap().len();
    let whole = pages(&mailbox(false));
    let half = whole / 2 + 100;
    let found = format!("is damaged: {half} of its {whole} bytes are left");
    let cut = |world: &World| {
        change(world, |bytes| bytes.truncate(bytes.len() / 2 + 100));
    };
    is_refused(cut, &found, DAMAGED);
    let stump = |world: &World| change(world, |bytes| bytes.truncate(50));
    is_refused(stump, "is damaged: it is not a database", DAMAGED);
}

#[test]
fn a_zeroed_mailbox_is_left_alone() {
    let found = "is damaged: it is not a database";
    is_refused(|world| change(world, |bytes| bytes.fill(0)), found, DAMAGED);
    is_refused(|world| change(world, |bytes| bytes[..100].fill(0)), found, DAMAGED);
}

#[test]
fn a_foreign_database_in_its_place_is_left_alone() {
    is_refused(swap, "is a database, but not a mailbox", FOREIGN);
}

/// The mark is there although the mailbox and its log are not.
#[test]
fn a_mailbox_of_which_only_the_mark_is_left_is_not_begun_afresh() {
    let gone = |world: &World| {
        remove_sides(world);
        fs::remove_file(database(world)).unwrap();
    };
    is_refused(gone, EMPTIED, RESTORE);
}

#[test]
fn an_empty_file_where_no_mailbox_was_is_a_fresh_start() {
    let world = World::new();
    fs::create_dir(world.path("mail")).unwrap();
    fs::write(database(&world), "").unwrap();
    assert_eq!(world.session("s1").named("bob").start().brief(), "context");
    world.send("bob", &[]);
    assert_eq!(
        (world.session("s1").prompt().brief(), world.errors()),
        ("context 1".into(), "".into())
    );
}

/// Its header is whole, and what SQLite meets behind it is not.
#[test]
fn damage_inside_the_file_is_told_too() {
    let world = mailbox(false);
    let good = files(&world);
    change(&world, |bytes| bytes[4096..].fill(0));
    let bob = world.session("s1").named("bob");
    let found = "~/mail/mailstop.db is damaged: database disk image is malformed";
    let said = world.mailstop(&["send", "--to", "bob", "--body", "x"]);
    assert_eq!((said.status, said.stderr), (6, format!("error: {found}\nhint: {DAMAGED}\n")));
    let note = format!("Mailstop: {found}. No mail is shown until this is put right: {DAMAGED}.");
    assert_eq!(
        (bob.stop(), bob.stop(), bob.start()),
        (Shown::User(note), Shown::Nothing, Shown::Nothing)
    );
    put_back(&world, &good);
    assert_eq!(bob.start().brief(), "context 1");
}

/// The first page was folded into the file and the others were not: they are in the log.
#[test]
fn a_file_whose_log_holds_the_rest_is_whole() {
    let world = mailbox(true);
    let body = world.path("body").display().to_string();
    fs::write(&body, "longer ".repeat(9000)).unwrap();
    assert_eq!(world.mailstop(&["send", "--to", "user", "--body-file", &body]).status, 0);
    let (old, log) =
        (files(&world)["mailstop.db"].clone(), files(&world)["mailstop.db-wal"].clone());
    let connection = Connection::open(database(&world)).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)").unwrap();
    let new = files(&world)["mailstop.db"].clone();
    assert!(new.len() > old.len());
    drop(connection);
    fs::write(database(&world), [&new[..4096], &old[4096..]].concat()).unwrap();
    fs::write(world.path("mail/mailstop.db-wal"), &log).unwrap();
    let _ = fs::remove_file(world.path("mail/mailstop.db-shm"));
    assert_eq!(world.session("s1").stop().brief(), "block 1");
    assert_eq!((world.mailstop(&["inbox"]).status, world.errors()), (0, String::new()));
}

#[test]
fn another_kind_of_trouble_is_told_again() {
    let world = mailbox(false);
    let bob = world.session("s1").named("bob");
    let good = files(&world);
    fs::write(database(&world), "").unwrap();
    assert_eq!((bob.prompt().brief(), bob.prompt().brief()), ("user".into(), "nothing".into()));
    swap(&world);
    assert_eq!((bob.prompt().brief(), bob.prompt().brief()), ("user".into(), "nothing".into()));
    put_back(&world, &good);
    assert_eq!(world.mailstop(&["inbox"]).status, 0);
    swap(&world);
    assert_eq!((bob.prompt().brief(), bob.prompt().brief()), ("user".into(), "nothing".into()));
}

#[test]
fn who_has_no_use_for_the_note_does_not_use_it_up() {
    let world = mailbox(false);
    let bob = world.session("s1").named("bob");
    fs::write(database(&world), "").unwrap();
    assert_eq!((bob.subagent().stop(), bob.end()), (Shown::Nothing, Shown::Nothing));
    assert_eq!(bob.clone().with("MAILSTOP", "off").start(), Shown::Nothing);
    assert_eq!((bob.stop().brief(), bob.stop().brief()), ("user".into(), "nothing".into()));
}

#[test]
fn where_nothing_can_be_remembered_only_starts_tell() {
    let world = mailbox(false);
    let bob = world.session("s1").named("bob");
    fs::write(database(&world), "").unwrap();
    fs::create_dir(world.path("mail/mailstop.told")).unwrap();
    assert_eq!((bob.start().brief(), bob.stop()), ("user".into(), Shown::Nothing));
    assert_eq!((bob.prompt(), bob.start().brief()), (Shown::Nothing, "user".into()));
}
