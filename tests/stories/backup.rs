//! A copy of the mailbox, made while it is in use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use serde_json::Value;

use crate::store::folded;
use crate::world::{Said, World};

pub(crate) const LIVE: &str = "mail/mailstop.db";

/// A mailbox with so many messages of 2 kB, of which the first is pending.
pub(crate) fn filled(messages: u32) -> World {
    let world = World::new();
    world.send("user", &[]);
    let live = Connection::open(world.path(LIVE)).unwrap();
    live.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    let sql = "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO messages (id, sender, sent_by, recipient, kind, priority, disposition, mode, status,
          subject, body, thread, created_at)
        SELECT 'm' || i, 'user', 'user', 'user', 'message', 'normal', 'actionable', 'auto', 'resolved',
          'Old', printf('%.2000c', 'x'), 'm' || i, i FROM n WHERE ?1 > 1";
    live.execute(sql, [messages]).unwrap();
    world
}

/// What a mailbox's folder holds, but for SQLite's shared memory.
pub(crate) fn folder(world: &World) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(world.path("mail")).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries
        .filter(|path| !name(path).ends_with("-shm"))
        .map(|path| (name(&path), fs::read(&path).unwrap()))
        .collect()
}

/// The mailboxes that a restore kept, with their logs.
pub(crate) fn kept(world: &World) -> Vec<String> {
    folder(world).into_keys().filter(|name| name.contains(".replaced-")).collect()
}

/// An output with the time in the name of a kept file as `T`.
pub(crate) fn timeless(said: &Said) -> (i32, String) {
    let text = format!("{}{}", said.stdout, said.stderr);
    let time = regex::Regex::new(r"replaced-\d{8}T\d{6}Z").unwrap();
    (said.status, time.replace_all(&text, "replaced-T").into_owned())
}

pub(crate) fn backup(world: &World) -> Value {
    world.json(&["backup", world.path("copy.db").to_str().unwrap()])
}

pub(crate) fn restore(world: &World) -> Said {
    world.mailstop(&["restore", world.path("copy.db").to_str().unwrap()])
}

pub(crate) fn ids(file: &Path) -> BTreeSet<String> {
    let opened = Connection::open(file).unwrap();
    let mut rows = opened.prepare("SELECT id FROM messages").unwrap();
    let ids = rows.query_map([], |row| row.get(0)).unwrap();
    ids.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn a_backup_is_one_private_file_that_any_folder_takes() {
    let world = filled(100);
    let said = world.mailstop(&["backup", "../copy.db"]);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    let mut beside: Vec<String> = fs::read_dir(world.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    beside.sort();
    assert_eq!(beside, ["copy.db", "mail", "work"]);
    let mode = fs::metadata(world.path("copy.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // Not to be opened with a log: the header says so in two bytes.
    assert_eq!(fs::read(world.path("copy.db")).unwrap()[18..20], [1, 1]);
}

/// Every backup is one moment, and every message that was sent is in the mailbox or in
/// what a restore kept.
#[test]
fn beside_writers_nothing_is_lost() {
    let world = filled(1000);
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let sender = scope.spawn(|| {
            let mut sent = BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                let said = world.json(&["send", "--to", "user", "--body", "x"]);
                sent.insert(said["id"].as_str().unwrap_or_else(|| panic!("{said}")).to_owned());
                let _ = bob.tool("t");
            }
            sent
        });
        for round in 0..12 {
            let file = world.path(&format!("copy{round}.db"));
            let made = world.json(&["backup", file.to_str().unwrap()]);
            assert_eq!(made["messages"], ids(&file).len(), "{made}");
            let said = world.mailstop(&["restore", file.to_str().unwrap()]);
            assert_eq!((said.status, said.stderr.as_str()), (0, ""));
        }
        done.store(true, Ordering::Relaxed);
        let sent = sender.join().unwrap();
        let mut found = ids(&world.path(LIVE));
        kept(&world).iter().for_each(|name| found.extend(ids(&world.path("mail").join(name))));
        let lost: Vec<_> = sent.iter().filter(|id| !found.contains(*id)).collect();
        assert!(sent.len() > 12 && lost.is_empty(), "{lost:?} of {}", sent.len());
    });
    assert_eq!(world.errors(), "");
}

#[test]
fn a_backup_takes_no_name_that_it_should_not_have() {
    let world = World::new();
    let said = |file: &str| timeless(&world.mailstop(&["backup", file]));
    let refused = |status: i32, text: &str| (status, text.to_owned());
    assert_eq!(
        said("../copy.db"),
        refused(
            3,
            "error: there is no mailbox in ~/mail\n\
             hint: set MAILSTOP_HOME to its folder; the first message makes one\n"
        )
    );
    world.send("user", &[]);
    fs::write(world.path("work/mine"), "mine").unwrap();
    for file in ["mine", "../work"] {
        let (status, text) = said(file);
        assert!(status == 1 && text.contains(" exists already, and was left as it is\n"), "{text}");
    }
    assert_eq!(
        said("no/copy.db"),
        refused(
            1,
            "error: there is no folder ~/work/no\nhint: make it first, or correct the path\n"
        )
    );
    assert_eq!(
        said("../mail/mailstop.db-journal"),
        refused(
            2,
            "error: ~/work/../mail/mailstop.db-journal is a name of the mailbox's own\n\
             hint: choose another name, best in a folder on another disk\n"
        )
    );
    assert_eq!(said("..").0, 2);
    assert_eq!(fs::read(world.path("work/mine")).unwrap(), b"mine");
    assert!(fs::read_dir(world.path("work")).unwrap().count() == 1);
}

#[test]
fn a_mailbox_that_is_not_whole_makes_no_backup() {
    let world = folded();
    let mut bytes = fs::read(world.path(LIVE)).unwrap();
    bytes[4096 * 4..4096 * 8].fill(0xee);
    fs::write(world.path(LIVE), bytes).unwrap();
    let said = world.mailstop(&["backup", "copy.db"]);
    assert!(said.status == 6 && said.stderr.contains("mailstop.db is damaged: "), "{said:?}");
    assert_eq!(fs::read_dir(world.path("work")).unwrap().count(), 0);
}

#[test]
fn a_backup_that_a_person_copied_there_works() {
    let world = filled(10);
    let _ = backup(&world);
    let bob = world.session("s1").named("bob");
    fs::copy(world.path("copy.db"), world.path(LIVE)).unwrap();
    let _ = fs::remove_file(world.path("mail/mailstop.db-wal"));
    let _ = (bob.start(), world.send("bob", &[]));
    assert_eq!((bob.stop().brief(), world.errors()), ("block 2".to_owned(), String::new()));
}
