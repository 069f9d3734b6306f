//! A copy of the mailbox, and the mailbox from a copy.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::shown::Shown;
use crate::store::folded;
use crate::world::{MAILSTOP, Said, World};

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
fn folder(world: &World) -> BTreeMap<String, Vec<u8>> {
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
fn timeless(said: &Said) -> (i32, String) {
    let text = format!("{}{}", said.stdout, said.stderr);
    let time = regex::Regex::new(r"replaced-\d{8}T\d{6}Z").unwrap();
    (said.status, time.replace_all(&text, "replaced-T").into_owned())
}

fn backup(world: &World) -> Value {
    world.json(&["backup", world.path("copy.db").to_str().unwrap()])
}

fn restore(world: &World) -> Said {
    world.mailstop(&["restore", world.path("copy.db").to_str().unwrap()])
}

fn ids(file: &Path) -> BTreeSet<String> {
    let opened = Connection::open(file).unwrap();
    let mut rows = opened.prepare("SELECT id FROM messages").unwrap();
    let ids = rows.query_map([], |row| row.get(0)).unwrap();
    ids.collect::<rusqlite::Result<_>>().unwrap()
}

#[test]
fn what_was_backed_up_comes_back_and_what_it_replaces_is_kept() {
    let world = World::new();
    world.send("user", &[]);
    let file = world.path("copy.db");
    let made = backup(&world);
    let bytes = fs::metadata(&file).unwrap().len();
    assert_eq!(
        made,
        json!({ "file": file, "bytes": bytes, "messages": 1, "pending": 1, "schema": 2 })
    );
    let later = world.send("user", &[]);
    assert_eq!(
        timeless(&restore(&world)),
        (
            0,
            "restored ~/copy.db: 1 message, 1 pending, the newest made now\n\
             what was there is kept as ~/mail/mailstop.db.replaced-T\n"
                .to_owned()
        )
    );
    assert_eq!(world.mailstop(&["read", &later]).status, 3);
    assert!(ids(&world.path("mail").join(&kept(&world)[0])).contains(&later));
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
    use std::os::unix::fs::PermissionsExt;
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
        assert!(told.contains(&format!("end first what has it open: {}\n", myself())), "{told}");
        let who = format!("the mailbox is in use by {}", myself());
        let hint = "end that first, then run the command again; nothing was changed";
        let error = json!({ "code": "in_use", "message": who, "hint": hint });
        assert_eq!(world.json(&["restore", &file]), json!({ "error": error }));
    }
    assert_eq!(restore(&world).status, 4);
    assert!(folder(&world) == before, "something changed");
    world.send("user", &[]);
    assert_eq!(count(&other), 11);
    drop(other);
    assert_eq!((restore(&world).status, ids(&world.path(LIVE)).len()), (0, 10));
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

/// A mailbox that cannot be used any more: what is left of it is kept, with its log.
#[test]
fn a_lost_mailbox_comes_back() {
    type Loss = fn(&Path);
    let losses: [(&str, Loss, usize); 6] = [
        ("gone", |live| fs::remove_file(live).unwrap(), 0),
        ("gone without its log", |live| fs::remove_file(live).unwrap(), 0),
        ("emptied", |live| fs::write(live, "").unwrap(), 1),
        ("no database", |live| fs::write(live, "x".repeat(9000)).unwrap(), 1),
        ("zeroed", |live| fs::write(live, [0; 8192]).unwrap(), 1),
        ("cut", |live| fs::write(live, &fs::read(live).unwrap()[..8192]).unwrap(), 1),
    ];
    for (name, lose, expected) in losses {
        let world = folded();
        let made = backup(&world);
        if name == "gone" {
            fs::write(world.path("mail/mailstop.db-wal"), "a log of nothing").unwrap();
        }
        lose(&world.path(LIVE));
        assert_eq!(world.mailstop(&["inbox"]).status, 6, "{name}");
        let said = restore(&world);
        assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{name}");
        let logs = usize::from(name == "gone");
        assert_eq!(kept(&world).len(), expected + logs, "{name}: {:?}", kept(&world));
        assert_eq!(made["messages"], ids(&world.path(LIVE)).len(), "{name}");
        world.send("user", &[]);
    }
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
fn a_fresh_machine_takes_a_backup() {
    let world = filled(10);
    let _ = backup(&world);
    let mut fresh = world.command(MAILSTOP);
    fresh.env("MAILSTOP_HOME", world.path("new/mail")).args(["restore", "../copy.db"]);
    let said = world.said(&mut fresh, b"");
    assert_eq!(
        (said.status, said.stdout.as_str()),
        (
            0,
            "restored ~/copy.db: 10 messages, 1 pending, the newest made now\n\
             there was no mailbox before\n"
        )
    );
    assert!(ids(&world.path(LIVE)) == ids(&world.path("new/mail/mailstop.db")));
    assert!(world.path("new/mail/mailstop.made").exists());
}

#[test]
fn a_backup_of_the_first_schema_is_brought_up_to_date() {
    let world = filled(3);
    let old = Connection::open(world.path("copy.db")).unwrap();
    old.execute_batch(include_str!("../../migrations/0001_mailbox.sql")).unwrap();
    old.execute_batch(
        "INSERT INTO messages (id, sender, sent_by, recipient, kind, priority, mode, status, subject,
           body, thread, created_at)
         VALUES ('abcdefgh', 'user', 'user', 'user', 'message', 'normal', 'auto', 'pending', 's', 'old',
           'abcdefgh', 1);
         PRAGMA application_id = 0x4d41494c; PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(old);
    let before = fs::read(world.path("copy.db")).unwrap();
    let done = world.json(&["restore", world.path("copy.db").to_str().unwrap()]);
    assert_eq!(
        (&done["schema"], &done["messages"], &done["newest_at"]),
        (&json!(1), &json!(1), &json!(1))
    );
    assert_eq!(world.json(&["read", "abcdefgh"])["body"], "old");
    assert!(fs::read(world.path("copy.db")).unwrap() == before, "the backup changed");
    assert_eq!(backup_again(&world)["schema"], 2);
}

fn backup_again(world: &World) -> Value {
    world.json(&["backup", world.path("again.db").to_str().unwrap()])
}

/// What a restore kept is a backup too.
#[test]
fn a_restore_can_be_taken_back() {
    let world = filled(10);
    let _ = backup(&world);
    let later = world.send("user", &[]);
    assert_eq!(restore(&world).status, 0);
    let back = world.path("mail").join(&kept(&world)[0]);
    assert_eq!(world.mailstop(&["restore", back.to_str().unwrap()]).status, 0);
    assert_eq!(world.mailstop(&["read", &later]).status, 0);
    assert_eq!(kept(&world).len(), 2);
}

/// Receipts, sessions and turns come from the backup.
#[test]
fn a_session_that_runs_meanwhile_goes_on() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    let first = world.send("bob", &["--priority", "high"]);
    let _ = backup(&world);
    assert_eq!(bob.tool("t1").brief(), "context 1");
    let (amy, id) = (world.session("s2").named("amy"), world.send("bob", &[]));
    let (_, _, _) = (amy.start(), amy.prompt(), bob.stop());
    assert_eq!(restore(&world).status, 0);
    // Bob's turn and his unread message are as they were; of amy nobody knows yet.
    assert_eq!((bob.stop().brief(), world.mailstop(&["read", &id]).status), ("block 1".into(), 3));
    assert_eq!(world.resolve(&["--id", &first]).status, 0);
    assert_eq!((bob.stop(), amy.stop()), (Shown::Nothing, Shown::Nothing));
    let _ = amy.prompt();
    world.send("amy", &[]);
    assert_eq!(amy.stop().brief(), "block 3");
    assert_eq!(world.errors(), "");
}
