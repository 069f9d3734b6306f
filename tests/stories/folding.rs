//! The log is folded into the file page by page, and whoever does it may die meanwhile.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use crate::crash::take;
use crate::ruins::{database, files, mailbox};
use crate::shown::Shown;
use crate::world::{MAILSTOP, World, begin};

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

fn length(file: &Path) -> u64 {
    fs::metadata(file).unwrap().len()
}

/// Makes the log some megabytes long, as a large change does.
fn lengthen(world: &World, round: usize) {
    let connection = Connection::open(world.path("mail/mailstop.db")).unwrap();
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    let sql = format!(
        "PRAGMA wal_autocheckpoint = 0;
         INSERT INTO chores VALUES (hex(zeroblob(1500000)) || '{round}', 0)"
    );
    connection.execute_batch(&sql).unwrap();
}

/// Whoever folds the log dies, which may leave the file shorter than it says.
#[test]
fn a_log_that_was_never_folded_to_its_end_is_no_damage() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    let file = world.path("mail/mailstop.db");
    let mut short = 0;
    for round in 0..20 {
        lengthen(&world, round);
        let before = length(&file);
        let mut child = begin(
            world.command(MAILSTOP).args(["send", "--to", "bob", "--body", "x"]),
            b"",
            Stdio::null(),
        );
        // Its pages are folded in as soon as the file grows.
        while length(&file) == before && child.try_wait().unwrap().is_none() {}
        child.kill().unwrap();
        child.wait().unwrap();
        let mut header = [0; 32];
        File::open(&file).unwrap().read_exact(&mut header).unwrap();
        let pages = u32::from_be_bytes(header[28..].try_into().unwrap());
        short += usize::from(length(&file) < u64::from(pages) * 4096);
        let shown = bob.tool("t");
        assert!(matches!(shown, Shown::Context(_)), "{shown:?}");
        take(&bob, shown.text());
    }
    assert_eq!((world.errors(), world.mailstop(&["inbox"]).status), (String::new(), 0));
    eprintln!("20 rounds, the file was short after {short}");
}

/// A reader holds the first page's latest version in the log while others are folded.
#[test]
fn a_log_that_was_folded_around_a_reader_is_no_foreign_file() {
    let world = World::new();
    world.send("user", &[]);
    let reader = Connection::open(world.path("mail/mailstop.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM messages").unwrap();
    let body = "long ".repeat(4000);
    for _ in 0..20 {
        let said = world.mailstop(&["send", "--to", "user", "--body", &body]);
        assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    }
    assert!(length(&world.path("mail/mailstop.db")) > 4096);
    assert_eq!(world.session("s1").named("bob").start().brief(), "context");
}
