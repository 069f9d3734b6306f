//! The mailbox from a backup: what comes back, and what is kept.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;

use crate::backup::{LIVE, backup, filled, ids, kept, restore, timeless};
use crate::shown::Shown;
use crate::store::folded;
use crate::world::{MAILSTOP, SCHEMA, World};

#[test]
fn what_was_backed_up_comes_back_and_what_it_replaces_is_kept() {
    let world = World::new();
    world.send("user", &[]);
    let file = world.path("copy.db");
    let made = backup(&world);
    let bytes = fs::metadata(&file).unwrap().len();
    assert_eq!(
        made,
        json!({ "file": file, "bytes": bytes, "messages": 1, "pending": 1, "schema": SCHEMA })
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
    let again = world.path("again.db");
    assert_eq!(world.json(&["backup", again.to_str().unwrap()])["schema"], SCHEMA);
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
