//! kill -9 of long commands at many moments: every message is as before or as after, and
//! the next run finishes.

use std::process::Stdio;
use std::thread::sleep;

use serde_json::Value;

use crate::crash::delay;
use crate::world::{MAILSTOP, World};

const MESSAGES: i64 = 1200;

/// How often each command is killed; `MAILSTOP_KILL_ROUNDS` changes it.
pub(crate) fn rounds() -> u64 {
    let set = std::env::var("MAILSTOP_KILL_ROUNDS").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(40)
}

pub(crate) fn number(world: &World, sql: &str) -> i64 {
    let mailbox = rusqlite::Connection::open(world.path("mail/mailstop.db")).unwrap();
    mailbox.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// A mailbox with many old resolved messages, all alike.
fn filled() -> World {
    let world = World::new();
    world.send("bob", &["--allow-unknown", "--status", "resolved", "--subject", "told"]);
    world.age(31 * 24);
    multiply(&world, MESSAGES);
    world
}

/// Makes the first message one of many that are all alike.
pub(crate) fn multiply(world: &World, count: i64) {
    world.sql(&format!(
        "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO messages (seq, id, sender, sent_by, recipient, kind, priority, disposition,
           mode, status, subject, body, tags, thread, created_at, closed_at, closed_by)
         SELECT i, 'id' || i, sender, sent_by, recipient, kind, priority, disposition,
           mode, status, subject, body, tags, 'id' || i, created_at, closed_at, closed_by
         FROM messages, n WHERE seq = 1;
         INSERT INTO deliveries (message, reader, owed, lane, rank)
         SELECT seq, reader, 1, lane, rank FROM messages JOIN deliveries ON message = 1 WHERE seq > 1"
    ));
}

/// Kills a command in every round, and runs it to its end.
fn kill_rounds(words: &[&str], prepare: &str, half_done: &str, undone: &str) {
    let world = filled();
    let mut killed = 0;
    for round in 0..rounds() {
        world.sql(prepare);
        let mut command = world.command(MAILSTOP);
        let mut child =
            command.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(delay(round, 150_000));
        child.kill().unwrap();
        killed += u64::from(child.wait().unwrap().code().is_none());
        assert_eq!(number(&world, half_done), 0, "round {round}");
    }
    let said: Value = world.json(words);
    assert!(said["error"].is_null(), "{said}");
    assert_eq!((number(&world, half_done), number(&world, undone)), (0, 0));
    assert_eq!(number(&world, "SELECT count(*) FROM messages"), MESSAGES);
    eprintln!("{words:?}: {killed} of {} rounds killed", rounds());
}

#[test]
fn a_killed_sweep_leaves_every_message_whole_or_swept() {
    kill_rounds(
        &["sweep"],
        "UPDATE messages SET subject = 'told', body = 'text', swept_at = NULL;
         UPDATE deliveries SET owed = 1",
        "SELECT count(*) FROM messages JOIN deliveries ON message = seq
         WHERE (swept_at IS NULL) <> (subject <> '' AND body <> '' AND owed = 1)",
        "SELECT count(*) FROM messages WHERE swept_at IS NULL",
    );
}

#[test]
fn a_killed_backfill_classifies_whole_batches() {
    kill_rounds(
        &["migrate"],
        "UPDATE messages SET disposition = NULL, status = 'pending', subject = 'consent_grant';
         UPDATE deliveries SET lane = 0",
        "SELECT count(*) FROM messages JOIN deliveries ON message = seq
         WHERE (disposition IS NULL) <> (lane = 0)",
        "SELECT count(*) FROM messages WHERE disposition IS NULL",
    );
}
