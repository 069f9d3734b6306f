//! What is not restored, and that nothing changes then.

use std::fs;

use rusqlite::Connection;
use serde_json::json;

use crate::backup::{LIVE, backup, filled, folder, ids, restore, timeless};
use crate::store::folded;
use crate::world::World;

/// One after another, what is no backup, and what is said of it.
#[test]
fn what_is_no_whole_mailbox_is_not_restored() {
    let world = folded();
    let _ = backup(&world);
    let whole = fs::read(world.path("copy.db")).unwrap();
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        bytes
    };
    let before = folder(&world);
    for (bytes, why) in [
        (Vec::new(), "it is damaged: it is empty"),
        (b"no database".to_vec(), "it is damaged: it is not a database"),
        (changed(&|bytes| bytes.truncate(4096 * 3)), "it is damaged: "),
        (changed(&|bytes| bytes[4096 * 4..4096 * 8].fill(0xee)), "it is damaged: "),
        (changed(&|bytes| bytes[68..72].fill(0)), "it is a database, but not a mailbox"),
        (changed(&|bytes| bytes[60..64].fill(0)), "it is a database, but not a mailbox"),
        (changed(&|bytes| bytes[63] = 99), "it has schema 99, made by a newer mailstop; this one"),
    ] {
        fs::write(world.path("work/bad"), bytes).unwrap();
        for words in [vec!["restore", "bad"], vec!["restore", "bad", "--dry-run"]] {
            let said = world.mailstop(&words);
            let told = said.stderr.starts_with(&format!("error: bad cannot be restored: {why}"));
            assert!(said.status == 1 && told && said.stderr.contains("hint: "), "{said:?}");
        }
    }
    assert_eq!(world.mailstop(&["restore", "none"]).status, 3);
    assert_eq!(world.mailstop(&["restore", "."]).status, 2);
    assert_eq!(world.mailstop(&["restore", "../mail/mailstop.db"]).status, 2);
    assert!(folder(&world) == before, "something changed");
}

/// The program of this process, as the system tells it.
fn myself() -> String {
    let stat = fs::read_to_string(format!("/proc/{}/stat", std::process::id())).unwrap();
    let program = stat.split_once('(').unwrap().1.rsplit_once(')').unwrap().0;
    format!("process {} ({program})", std::process::id())
}

#[test]
fn while_others_have_the_mailbox_open_nothing_is_restored() {
    let world = filled(10);
    let _ = backup(&world);
    let other = Connection::open(world.path(LIVE)).unwrap();
    let count = |other: &Connection| -> i64 {
        other.query_row("SELECT count(*) FROM messages", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count(&other), 10);
    let before = folder(&world);
    if cfg!(target_os = "linux") {
        let file = world.path("copy.db").display().to_string();
        let told = world.mailstop(&["restore", &file, "--dry-run"]).stdout;
        assert!(
            told.contains("end first what has it open: ") && told.contains(&myself()),
            "{told}"
        );
        let error = &world.json(&["restore", &file])["error"];
        let who = error["message"].as_str().unwrap();
        // Of parallel stories, a child that is not yet another program has it open too.
        assert!(who.starts_with("the mailbox is in use by ") && who.contains(&myself()), "{who}");
        let hint = "end that first, then run the command again; nothing was changed";
        assert_eq!((&error["code"], &error["hint"]), (&json!("in_use"), &json!(hint)));
    }
    assert_eq!(restore(&world).status, 4);
    assert!(folder(&world) == before, "something changed");
    world.send("user", &[]);
    assert_eq!(count(&other), 11);
    drop(other);
    assert_eq!((restore(&world).status, ids(&world.path(LIVE)).len()), (0, 10));
}

/// Where nothing can be copied, the files may not be moved away from under a process.
#[test]
fn a_damaged_mailbox_that_is_open_somewhere_stays() {
    let world = folded();
    let _ = backup(&world);
    fs::write(world.path(LIVE), "no database").unwrap();
    let other = fs::File::open(world.path(LIVE)).unwrap();
    let before = folder(&world);
    // Only Linux tells who has a file open that has no locks.
    if cfg!(target_os = "linux") {
        assert_eq!((restore(&world).status, folder(&world) == before), (4, true));
    }
    drop(other);
    assert_eq!(restore(&world).status, 0);
}

#[test]
fn another_programs_database_is_not_replaced() {
    let world = folded();
    let _ = backup(&world);
    fs::remove_file(world.path(LIVE)).unwrap();
    let other = Connection::open(world.path(LIVE)).unwrap();
    other.execute_batch("CREATE TABLE a (b); CREATE TABLE c (d);").unwrap();
    drop(other);
    let before = folder(&world);
    let said = restore(&world);
    assert_eq!(
        (said.status, said.stderr.as_str()),
        (
            6,
            "error: ~/mail/mailstop.db is a database, but not a mailbox\n\
             hint: set MAILSTOP_HOME to another folder; nothing was changed\n"
        )
    );
    assert!(folder(&world) == before, "something changed");
}

#[test]
fn a_dry_run_changes_not_one_byte() {
    let world = filled(10);
    let _ = backup(&world);
    world.send("user", &[]);
    let dry = |world: &World| {
        let before = folder(world);
        let file = world.path("copy.db").display().to_string();
        let said = world.mailstop(&["restore", &file, "--dry-run"]);
        assert!(folder(world) == before, "something changed");
        timeless(&said)
    };
    let told = "~/copy.db: 10 messages, 1 pending, the newest made now; checked, and whole\n\
        it would replace ~/mail/mailstop.db, which would be kept beside it\n\
        nothing was changed\n";
    assert_eq!(dry(&world), (0, told.to_owned()));
    fs::write(world.path(LIVE), "no database").unwrap();
    assert_eq!(dry(&world), (0, told.to_owned()));
}
