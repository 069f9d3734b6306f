//! The database of work-buddy, the system that this one replaces. It is only read, in one
//! snapshot, in each of its three historical shapes: without `reader_project`, without
//! `disposition`, and with both.

mod rows;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::{Error, Result};

pub use rows::{OldMessage, OldRead};

/// Another process may have the file locked for so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a file must have to be one of work-buddy's.
const COLUMNS: [&str; 6] = ["id", "sender", "recipient", "type", "status", "created_at"];

/// An open database of work-buddy.
#[derive(Debug)]
pub struct OldMailbox {
    file: PathBuf,
    connection: RefCell<Connection>,
    /// The file as it was when nobody had it open, as long as it is read without locks.
    unlocked: Cell<Option<Stamp>>,
    has_disposition: bool,
    has_reader_project: bool,
}

impl OldMailbox {
    /// Opens a file for reading, and keeps to the state that it has now. Others may go
    /// on writing it.
    ///
    /// # Errors
    /// When it cannot be read, or is no database of work-buddy.
    pub fn open(file: &Path) -> Result<OldMailbox> {
        let unlocked = Stamp::of_unused(file);
        let how = if unlocked.is_some() { UNLOCKED } else { "" };
        let connection = open(file, how).map_err(Error::Source)?;
        let of_messages = columns(&connection, "messages").map_err(Error::Source)?;
        let of_reads = columns(&connection, "message_reads").map_err(Error::Source)?;
        if !COLUMNS.iter().all(|name| of_messages.contains(*name)) || of_reads.is_empty() {
            return Err(Error::NotWorkBuddy(file.to_owned()));
        }
        Ok(OldMailbox {
            file: file.to_owned(),
            connection: RefCell::new(connection),
            unlocked: Cell::new(unlocked),
            has_disposition: of_messages.contains("disposition"),
            has_reader_project: of_reads.contains("reader_project"),
        })
    }

    /// Asks once more, with locks, where somebody has begun to use the file meanwhile.
    fn ask<T>(&self, ask: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let answer = ask(&self.connection.borrow());
        if self.unlocked.get().is_none_or(|stamp| Stamp::of_unused(&self.file) == Some(stamp)) {
            return answer.map_err(Error::Source);
        }
        let locked = open(&self.file, "").map_err(Error::Source)?;
        self.unlocked.set(None);
        self.connection.replace(locked);
        ask(&self.connection.borrow()).map_err(Error::Source)
    }

    /// Whether its readings say nothing of the reader's project, as in its oldest shape.
    #[must_use]
    pub fn is_oldest(&self) -> bool {
        !self.has_reader_project
    }
}

fn open(file: &Path, extra: &str) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        super::open::uri(file, extra),
        OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(PATIENCE)?;
    // One transaction for everything: what is written there meanwhile is for the next time.
    connection.execute_batch("BEGIN")?;
    let _: Option<i64> =
        connection.query_row("SELECT 1 FROM sqlite_master", [], |row| row.get(0)).optional()?;
    Ok(connection)
}

/// A database in WAL mode that nobody has open is read without locks: a reader that takes
/// them makes side files, and leaves them behind.
const UNLOCKED: &str = "&immutable=1";

/// What tells that a file has not been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    /// The stamp of a file in WAL mode that has no log, so that nobody uses it. From the
    /// database file format: 2 at offset 18 is that mode.
    fn of_unused(file: &Path) -> Option<Stamp> {
        let mut header = [0; 19];
        File::open(file).ok()?.read_exact(&mut header).ok()?;
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        let data = fs::metadata(file).ok()?;
        let is_unused = header[18] == 2 && fs::metadata(log).map_or(0, |log| log.len()) == 0;
        is_unused.then(|| Stamp { length: data.len(), modified: data.modified().ok() })
    }
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<HashSet<String>> {
    let mut statement = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
    statement.query_map([table], |row| row.get(0))?.collect()
}
