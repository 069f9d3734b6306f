//! What the doctor finds of the file, its log, its folder and the clock.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use rusqlite::Connection;

use crate::doctor::{follow, found, sql};
use crate::world::World;

#[test]
fn a_broken_index_is_found() {
    let world = World::new();
    world.send("user", &[]);
    let file = world.path("mail/mailstop.db");
    let connection = Connection::open(&file).unwrap();
    let root = "SELECT rootpage FROM sqlite_master WHERE name = 'messages_of_thread'";
    let page: usize = connection.query_row(root, [], |row| row.get::<_, u32>(0)).unwrap() as usize;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    let mut bytes = fs::read(&file).unwrap();
    // The number of its cells.
    bytes[(page - 1) * 4096 + 3..(page - 1) * 4096 + 5].fill(0);
    fs::write(&file, bytes).unwrap();
    let found = found(&world, "integrity");
    assert!(found[0].starts_with("wrong the file is damaged: "), "{found:?}");
    assert!(found[0].contains("messages_of_thread | bring a backup back"), "{found:?}");
}

/// Makes the file so much longer, and half of that free.
fn swell(world: &World) {
    let fill = "INSERT INTO chores VALUES (hex(zeroblob(5000000)), 0);";
    sql(world, &format!("{fill} DELETE FROM chores WHERE length(name) > 100"));
}

#[test]
fn free_space_is_found_and_given_back() {
    let world = World::new();
    world.send("user", &[]);
    swell(&world);
    let found_free = found(&world, "size");
    assert!(
        found_free[0].ends_with("free inside | mailstop sweep gives free space back to the disk"),
        "{found_free:?}"
    );
    follow(&world, "sweep");
    assert!(found(&world, "size")[0].starts_with("ok mailstop.db "));
}

#[test]
fn a_long_log_is_found_and_folded() {
    let world = World::new();
    world.send("user", &[]);
    let connection = Connection::open(world.path("mail/mailstop.db")).unwrap();
    let fill =
        "PRAGMA wal_autocheckpoint = 0; INSERT INTO chores VALUES (hex(zeroblob(5000000)), 0)";
    connection.execute_batch(fill).unwrap();
    let long = found(&world, "size");
    assert!(
        long[0].contains(" the log is long, which slows hooks | mailstop migrate folds it in"),
        "{long:?}"
    );
    follow(&world, "migrate");
    assert!(found(&world, "size")[0].starts_with("ok mailstop.db "));
}

#[test]
fn a_clock_that_was_set_is_found() {
    let world = World::new();
    world.send("user", &[]);
    assert_eq!(found(&world, "clock"), ["ok the clock was not set since the machine started"]);
    sql(&world, "UPDATE clock SET wall = wall - 3 * 3600000 - 1000000");
    let set = |by: &str| {
        format!(
            "note the clock was set {by} since the machine started | compare it with date; until \
             the machine starts again, terms are not ended early by it"
        )
    };
    assert_eq!(found(&world, "clock"), [set("forward by 3h")]);
    sql(&world, "UPDATE clock SET wall = wall + 101 * 3600000");
    assert_eq!(found(&world, "clock"), [set("back by 4d")]);
    sql(&world, "DELETE FROM clock; UPDATE messages SET created_at = created_at + 7300000");
    let dated = found(&world, "clock");
    assert!(
        dated[1].starts_with("note 1 dated in the future, the last of them <1> by 2h | "),
        "{dated:?}"
    );
}

#[test]
fn the_file_system_is_named_and_what_a_restore_kept() {
    let world = World::new();
    world.send("user", &[]);
    let named = found(&world, "filesystem");
    assert!(named[0].starts_with("ok ~/mail is on "), "{named:?}");
    assert!(found(&world, "aside").is_empty());
    let kept = world.path("mail/mailstop.db.replaced-1");
    fs::write(&kept, "x".repeat(2048)).unwrap();
    assert_eq!(found(&world, "aside"), ["ok 1 files that a restore replaced take 2.00 KiB"]);
    let old = SystemTime::now() - Duration::from_secs(31 * 24 * 60 * 60);
    File::options().write(true).open(kept).unwrap().set_modified(old).unwrap();
    assert_eq!(
        found(&world, "aside"),
        [
            "note 1 files that a restore replaced take 2.00 KiB | if nothing is missed: rm ~/mail/mailstop.db.replaced-*"
        ]
    );
}
