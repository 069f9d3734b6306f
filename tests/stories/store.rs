//! The mailbox file: made by many at once, newer, foreign, unreadable, or nowhere.

use std::fs;

use crate::shown::Shown;
use crate::world::World;

/// B26.
#[test]
fn sixteen_processes_at_once_make_one_mailbox() {
    for _round in 0..10 {
        let world = World::new();
        std::thread::scope(|scope| {
            for number in 0..16 {
                let world = &world;
                let _running = scope.spawn(move || {
                    if number % 2 == 0 {
                        let _ = world.session(&format!("s{number}")).start();
                    } else {
                        let said = world.mailstop(&["send", "--to", "user", "--body", "x"]);
                        assert_eq!((said.status, said.stderr.as_str()), (0, ""));
                    }
                });
            }
        });
        assert_eq!(world.json(&["inbox"])["messages"].as_array().unwrap().len(), 8);
        assert_eq!(world.json(&["sessions"])["sessions"].as_array().unwrap().len(), 8);
        assert_eq!(world.errors(), "");
    }
}

fn sqlite(world: &World, write: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let file = world.path("mail/mailstop.db");
    let mut bytes = fs::read(&file).unwrap();
    write(&mut bytes);
    fs::write(&file, &bytes).unwrap();
    bytes
}

/// A mailbox without a write-ahead log, so that its header is in the file.
pub(crate) fn folded() -> World {
    let world = World::new();
    world.send("bob", &["--allow-unknown", "--priority", "urgent"]);
    for _ in 0..80 {
        world.send("user", &[]);
    }
    let log = fs::metadata(world.path("mail/mailstop.db-wal")).map_or(0, |log| log.len());
    assert!(log <= 65 * 4120, "{log}");
    for side in ["mail/mailstop.db-wal", "mail/mailstop.db-shm"] {
        let _ = fs::remove_file(world.path(side));
    }
    world
}

/// One note to the user, and then silence.
fn told_once(shown: &[Shown], found: &str) {
    assert!(matches!(&shown[0], Shown::User(text) if text.contains(found)), "{shown:?}");
    assert!(shown[1..].iter().all(|shown| *shown == Shown::Nothing), "{shown:?}");
}

/// B27. The version is a number of four bytes at offset 60 of the file. The newer build
/// needs a column that this one knows nothing of.
#[test]
fn a_newer_mailbox_is_left_alone() {
    let world = folded();
    let connection = rusqlite::Connection::open(world.path("mail/mailstop.db")).unwrap();
    for table in ["messages", "deliveries", "sessions"] {
        let sql = format!("ALTER TABLE {table} ADD COLUMN future TEXT NOT NULL DEFAULT 'x'");
        connection.execute_batch(&sql).unwrap();
    }
    drop(connection);
    let bytes = sqlite(&world, |bytes| bytes[63] += 1);
    let bob = world.session("s1").named("bob");
    let shown = [bob.start(), bob.prompt(), bob.tool("t1"), bob.stop(), bob.end()];
    told_once(&shown, "schema 8, made by a newer mailstop; this one knows 7");
    for words in [
        vec!["inbox"],
        vec!["send", "--to", "bob", "--body", "x"],
        vec!["read", "x"],
        vec!["resolve", "x"],
        vec!["sessions"],
        vec![],
    ] {
        let said = world.mailstop(&words);
        assert_eq!(said.status, 6, "{words:?}");
        assert!(said.stderr.contains("made by a newer mailstop"), "{said:?}");
    }
    assert_eq!(world.resolve(&["--id", "x"]).status, 6);
    let doctor = world.mailstop(&["doctor"]);
    assert!(doctor.stdout.contains("wrong store: the mailbox has schema 8"), "{doctor:?}");
    assert!(fs::read(world.path("mail/mailstop.db")).unwrap() == bytes, "the file changed");
    assert_eq!(world.errors().lines().count(), 5);
}

#[test]
fn a_foreign_database_is_left_alone() {
    let world = folded();
    // Neither our version nor our mark.
    let bytes = sqlite(&world, |bytes| {
        bytes[60..64].fill(0);
        bytes[68..72].fill(0);
    });
    let bob = world.session("s1").named("bob");
    told_once(&[bob.start(), bob.stop()], "mailstop.db is a database, but not a mailbox");
    let said = world.mailstop(&["inbox"]);
    assert_eq!(
        (said.status, said.stderr.as_str()),
        (
            6,
            "error: ~/mail/mailstop.db is a database, but not a mailbox\nhint: set MAILSTOP_HOME to another folder; nothing was changed\n"
        )
    );
    assert!(fs::read(world.path("mail/mailstop.db")).unwrap() == bytes, "the file changed");
}

#[test]
fn a_damaged_mailbox_stops_nobody_and_is_told() {
    let world = World::new();
    let _ = world.session("s1").start();
    for side in ["mail/mailstop.db-wal", "mail/mailstop.db-shm"] {
        let _ = fs::remove_file(world.path(side));
    }
    fs::write(world.path("mail/mailstop.db"), "no database ".repeat(1000)).unwrap();
    told_once(&[world.session("s1").stop(), world.session("s1").stop()], "is damaged");
    assert_eq!((world.mailstop(&["inbox"]).status, world.errors().lines().count()), (6, 2));
}

/// B35. A pipe in the place of the shared memory can be opened and not be mapped, as on a
/// network drive.
#[test]
fn a_file_system_without_shared_memory_is_explained() {
    let world = folded();
    assert!(
        world
            .command("/usr/bin/mkfifo")
            .arg(world.path("mail/mailstop.db-shm"))
            .status()
            .unwrap()
            .success()
    );
    let bob = world.session("s1").named("bob");
    let found = "~/mail/mailstop.db cannot be shared between processes: disk I/O error";
    told_once(&[bob.stop(), bob.stop()], found);
    let said = world.mailstop(&["inbox"]);
    assert!(said.status == 6 && said.stderr.starts_with(&format!("error: {found}")), "{said:?}");
    assert!(said.stderr.contains("hint: its file system cannot share a database"), "{said:?}");
    let doctor = world.mailstop(&["doctor"]).stdout;
    assert!(doctor.contains(&format!("wrong store: {found}")), "{doctor}");
}
