//! A scratch mailbox of a given size, and its write-ahead log as it was, so that
//! every round begins with exactly the same state.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, params};

use crate::Result;
use crate::input::{Inputs, SESSION};
use crate::process::{PROMPT, Program, SESSION_START};

const FRAME_BYTES: u64 = 4096 + 24;

/// How much is in a mailbox before anything is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Messages that were seen and closed, spread over the sessions.
    pub(crate) messages: i64,
    /// Sessions that ended.
    pub(crate) sessions: i64,
    /// Of the messages: seen by the measured session and still pending.
    pub(crate) pending: i64,
}

/// A mailbox with one running session.
#[derive(Debug)]
pub(crate) struct Mailbox {
    home: PathBuf,
    /// The session is owed nothing.
    pub(crate) quiet: Log,
    /// The session is owed three messages.
    pub(crate) mail: Log,
}

/// A write-ahead log to go back to: hooks only ever append to it.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Log {
    fn keep(home: &Path) -> Result<Log> {
        let path = home.join("mailstop.db-wal");
        let bytes = fs::read(&path)?;
        Ok(Log { path, bytes })
    }

    /// Puts the log back. The index beside it is made anew by whoever opens it.
    pub(crate) fn restore(&self) -> Result<()> {
        let mut file = File::options().write(true).open(&self.path)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&self.bytes)?;
        Ok(file.set_len(u64::try_from(self.bytes.len())?)?)
    }

    /// Whether nothing was written since.
    pub(crate) fn is_untouched(&self) -> Result<bool> {
        Ok(fs::metadata(&self.path)?.len() == u64::try_from(self.bytes.len())?)
    }
}

impl Mailbox {
    pub(crate) fn make(home: &Path, size: Size, frames: u64, inputs: &Inputs) -> Result<Mailbox> {
        fs::create_dir(home)?;
        for (hook, input) in [(SESSION_START, &inputs.start), (PROMPT, &inputs.prompt)] {
            let ran = Program::new(hook, home).variable("MAILSTOP_NAME", "reader").run(input)?;
            if !ran.success {
                return Err("the measured session could not be registered".into());
            }
        }
        let connection = Connection::open(home.join("mailstop.db"))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let reader: i64 = connection.query_row(
            "SELECT agent_mailbox FROM sessions WHERE key = ?1",
            [SESSION],
            |row| row.get(0),
        )?;
        fill(&connection, size, reader)?;
        connection.execute_batch("PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL")?;
        let log = home.join("mailstop.db-wal");
        let mut seq = size.messages;
        while fs::metadata(&log).map_or(0, |log| log.len()) < frames * FRAME_BYTES {
            seq += 1;
            exchange(&connection, seq)?;
        }
        let quiet = Log::keep(home)?;
        connection.execute_batch("BEGIN")?;
        for letter in 1..=3 {
            send(&connection, seq + letter, reader)?;
        }
        connection.execute_batch("COMMIT")?;
        drop(connection);
        let mail = Log::keep(home)?;
        let home = home.to_owned();
        Ok(Mailbox { home, quiet, mail })
    }

    /// A hook on this mailbox.
    pub(crate) fn hook(&self, path: &str) -> Program {
        Program::new(path, &self.home)
    }
}

/// Writes years of mail straight into the tables, without a log.
fn fill(connection: &Connection, size: Size, reader: i64) -> Result<()> {
    connection.execute_batch(
        "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA foreign_keys = OFF; PRAGMA cache_size = -200000; BEGIN",
    )?;
    for sql in include_str!("fill.sql").split(";\n\n") {
        connection
            .prepare(sql)?
            .execute(rusqlite::named_params! {
                ":messages": size.messages, ":sessions": size.sessions,
                ":pending": size.pending, ":reader": reader,
            })
            .map(|_| ())?;
    }
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL")?;
    Ok(())
}

/// A message of others that is sent, seen and closed.
fn exchange(connection: &Connection, seq: i64) -> Result<()> {
    let reader = 1_000_000 + 1 + seq % 7;
    connection.execute_batch("BEGIN")?;
    send(connection, seq, reader)?;
    connection.execute("UPDATE deliveries SET receipt = 2, owed = 0 WHERE message = ?1", [seq])?;
    connection.execute("UPDATE messages SET status = 'resolved' WHERE seq = ?1", [seq])?;
    Ok(connection.execute_batch("COMMIT")?)
}

fn send(connection: &Connection, seq: i64, reader: i64) -> Result<()> {
    let id = format!("z{seq:07}");
    connection.execute(
        "INSERT INTO messages (seq, id, sender, sent_by, recipient, kind, priority, disposition,
           mode, status, subject, body, thread, created_at)
         VALUES (?1, ?2, 'agent/alice', 'session/alice', 'agent/reader', 'message', 'normal',
           'actionable', 'auto', 'pending', 'Please review', ?3, ?2, unixepoch() * 1000)",
        params![seq, id, "The parser takes a comma for the end of a list. ".repeat(4)],
    )?;
    connection.execute(
        "INSERT INTO deliveries (message, reader, owed, lane, rank) VALUES (?1, ?2, 1, 0, 2)",
        [seq, reader],
    )?;
    Ok(())
}
