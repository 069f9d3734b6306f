//! The database that mail comes from: in use, missing, wrong; and imports that are cut or
//! run many at once.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;

use serde_json::json;

use crate::crash::delay;
use crate::killed::{number, rounds};
use crate::shown::Shown;
use crate::work_buddy::{Old, SHAPES, Shape, text};
use crate::world::{MAILSTOP, World};

#[test]
fn a_source_in_use_is_read_and_left_alone() {
    let world = World::new();
    let old = Old::new(&world, Shape::Full);
    old.add("m1", &[]);
    old.sql("BEGIN IMMEDIATE; INSERT INTO messages (id, sender, recipient, type) VALUES ('m2', 'a', 'b', 'c')");
    let bytes =
        || ["", "-wal"].map(|end| fs::read(format!("{}{end}", old.file.display())).unwrap());
    let before = bytes();
    assert_eq!(old.migrate(&world, &[])["imported"], 1);
    assert!(bytes() == before, "the source was written");
    old.sql("COMMIT");
    assert_eq!(old.migrate(&world, &[])["imported"], 1);
}

#[test]
fn a_source_that_nobody_uses_gets_no_files_beside_it() {
    for mode in ["WAL", "DELETE"] {
        let world = World::new();
        let old = Old::new(&world, Shape::Full);
        old.add("m1", &[]);
        old.sql(&format!("PRAGMA journal_mode = {mode}"));
        let file = old.file.clone();
        drop(old);
        let before = fs::read(&file).unwrap();
        let said = world.mailstop(&["migrate", "--from", &file.display().to_string()]);
        assert_eq!(
            said.stdout,
            "1 imported, 0 already there, 0 that say nothing\n       1 classified: actionable\n"
        );
        assert!(fs::read(&file).unwrap() == before, "the source was written");
        let names = fs::read_dir(world.path("")).unwrap();
        let names: Vec<_> = names.map(|one| one.unwrap().file_name()).collect();
        assert_eq!(
            names.iter().filter(|name| name.to_string_lossy().contains("messages")).count(),
            1
        );
    }
}

#[test]
fn what_is_no_source_is_refused_with_what_to_give() {
    let world = World::new();
    world.send("user", &[]);
    fs::write(world.path("text"), "no database, but more than a hundred bytes of it: ".repeat(9))
        .unwrap();
    let other = rusqlite::Connection::open(world.path("other.db")).unwrap();
    other.execute_batch("CREATE TABLE t (x)").unwrap();
    for (file, status, message, hint) in [
        ("gone", 3, "no file ~/gone", "give work-buddy's messages.db"),
        ("mail", 2, "~/mail is a folder", "give the messages.db in it"),
        (
            "text",
            1,
            "cannot read ~/text: file is not a database",
            "give work-buddy's messages.db; nothing was changed",
        ),
        (
            "other.db",
            2,
            "~/other.db is no database of work-buddy",
            "give its messages.db; `mailstop restore` takes a backup of this mailbox",
        ),
        (
            "mail/mailstop.db",
            2,
            "~/mail/mailstop.db is no database of work-buddy",
            "give its messages.db; `mailstop restore` takes a backup of this mailbox",
        ),
    ] {
        let said = world.mailstop(&["migrate", "--from", &world.path(file).display().to_string()]);
        assert_eq!(
            (said.status, said.stderr),
            (status, format!("error: {message}\nhint: {hint}\n"))
        );
    }
    assert_eq!(world.json(&["inbox"])["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn a_damaged_source_is_told_and_brings_no_half_rows() {
    let world = World::new();
    let old = many(&world, Shape::Full, 3000);
    old.sql("PRAGMA wal_checkpoint(TRUNCATE)");
    let file = old.file.clone();
    drop(old);
    let mut bytes = fs::read(&file).unwrap();
    let end = bytes.len();
    bytes[end / 2..end - 4096].fill(0xaa);
    fs::write(&file, bytes).unwrap();
    let said = world.mailstop(&["migrate", "--from", &file.display().to_string()]);
    let error = "error: the database of work-buddy: database disk image is malformed\n";
    let hint = "hint: what was imported so far stays; `sqlite3 FILE .recover` saves what can be read \
                of a damaged file\n";
    assert_eq!((said.status, said.stderr), (1, format!("{error}{hint}")));
    assert_eq!(world.mailstop(&["inbox", "--all"]).stdout, "no mail\n");
}

/// So many pending messages, each with an answer to the one before.
fn many(world: &World, shape: Shape, count: u64) -> Old {
    let old = Old::new(world, shape);
    old.sql("BEGIN");
    for i in 0..count {
        let parent = text(&format!("m{}", (i + 1) % count));
        old.add(&format!("m{i}"), &[("in_reply_to", parent), ("body", text(&"text ".repeat(20)))]);
    }
    old.sql("COMMIT");
    old
}

const ONCE: &str = "SELECT count(*) FROM aliases a JOIN messages m ON m.seq = a.message
    WHERE EXISTS (SELECT 1 FROM deliveries d WHERE d.message = m.seq)";
const STRAY: &str = "SELECT (SELECT count(*) FROM messages) - (SELECT count(*) FROM aliases)";

#[test]
fn a_killed_import_goes_on_where_it_was() {
    for shape in SHAPES {
        let world = World::new();
        let old = many(&world, shape, 2500);
        let mut killed = 0;
        for round in 0..rounds() / 3 {
            let mut command = world.command(MAILSTOP);
            command.args(["migrate", "--from"]).arg(&old.file).stdout(Stdio::null());
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            sleep(delay(round, 60_000));
            child.kill().unwrap();
            killed += u64::from(child.wait().unwrap().code().is_none());
        }
        let report = old.migrate(&world, &[]);
        let sum = report["imported"].as_u64().unwrap() + report["already_there"].as_u64().unwrap();
        assert_eq!(sum, 2500, "{report}");
        assert_eq!((number(&world, ONCE), number(&world, STRAY)), (2500, 0));
        assert_eq!(number(&world, "SELECT count(*) FROM messages WHERE reply_to IS NULL"), 0);
        eprintln!("{shape:?}: {killed} killed");
    }
}

/// B26: importing, hooking and sending, all at once.
#[test]
fn sixteen_processes_at_once_bring_each_row_once() {
    let world = World::new();
    let old = many(&world, Shape::Oldest, 1500);
    let file = old.file.display().to_string();
    std::thread::scope(|scope| {
        for number in 0..16 {
            let (world, file) = (&world, &file);
            let _running = scope.spawn(move || match number % 4 {
                0 | 1 => {
                    let said = world.mailstop(&["migrate", "--from", file]);
                    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
                }
                2 => {
                    let _ = world.session(&format!("s{number}")).start();
                }
                _ => {
                    world.send("user", &[]);
                }
            });
        }
    });
    assert_eq!((number(&world, ONCE), number(&world, STRAY)), (1500, 4));
    assert_eq!(
        (old.migrate(&world, &[])["already_there"].clone(), world.errors()),
        (json!(1500), String::new())
    );
    let blocked = |id: &&str| world.session(id).stop() != Shown::Nothing;
    assert!(["s2", "s6", "s10", "s14", "late"].iter().any(blocked));
}
