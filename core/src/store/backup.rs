//! Copies of a mailbox, made page by page as SQLite does it, and the check of a copy.

use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags, ffi};

use super::header::{self, APPLICATION_ID};
use super::{Error, Result, Store, open, schema};
use crate::message::Millis;

/// Pages copied between two looks at the progress.
const PAGES_A_STEP: i32 = 256;

/// Is told how many pages are copied, and of how many.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// What a mailbox file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Its schema version.
    pub schema: i64,
    /// All messages.
    pub messages: i64,
    /// Those pending.
    pub pending: i64,
    /// When the newest message was made.
    pub newest: Option<Millis>,
}

/// How a copy lies on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One file without a log, to be kept.
    Single,
    /// As a mailbox that several processes share.
    Shared,
}

impl Store {
    /// Copies what the mailbox holds at this moment into an empty file, and checks the
    /// copy. Others may go on writing.
    ///
    /// # Errors
    /// When either file fails, or the copy is not whole.
    pub fn copy_to(&mut self, file: &Path, progress: Progress<'_>) -> Result<Contents> {
        // One snapshot for all steps: a copy begins again when it sees a change.
        let snapshot = self.connection.transaction()?;
        let expected = contents(&snapshot)?;
        let copy = copy(&snapshot, file, Form::Single, progress)?;
        drop(snapshot);
        if check(&copy, file)? != expected {
            return Err(Error::Damaged(file.to_owned(), "the copy differs".to_owned()));
        }
        close(copy)?;
        Ok(expected)
    }
}

/// A backup, opened for reading.
#[derive(Debug)]
pub struct Saved {
    connection: Connection,
    file: PathBuf,
}

impl Saved {
    /// Opens a backup.
    ///
    /// # Errors
    /// When it is not there, or is no mailbox.
    pub fn open(file: &Path) -> Result<Saved> {
        header::refuse_other(file)?;
        let connection = open::connect_read_only(file)?;
        Ok(Saved { connection, file: file.to_owned() })
    }

    /// Checks that it is a whole mailbox that this build can use.
    ///
    /// # Errors
    /// When it is not.
    pub fn check(&self) -> Result<Contents> {
        check(&self.connection, &self.file)
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Makes a mailbox of it in an empty file: a checked copy, brought up to date. Tells
    /// what the backup holds.
    ///
    /// # Errors
    /// When either file fails, or the backup is not a whole mailbox.
    pub fn prepare(&mut self, file: &Path, progress: Progress<'_>) -> Result<Contents> {
        let snapshot = self.connection.transaction()?;
        let mut copy = copy(&snapshot, file, Form::Shared, progress)?;
        let found = check(&copy, &self.file)?;
        schema::apply_missing(&mut copy)?;
        close(copy)?;
        Ok(found)
    }
}

/// Copies a whole database into a file that nobody else uses: an empty one, or the
/// mailbox's own while it is held.
pub(super) fn copy_pages(
    from: &Connection,
    to: &mut Connection,
    progress: Progress<'_>,
) -> Result<()> {
    let backup = Backup::new(from, to)?;
    loop {
        let step = backup.step(PAGES_A_STEP)?;
        let pages = backup.progress();
        let count = |pages: i32| u64::try_from(pages).unwrap_or_default();
        progress(count(pages.pagecount - pages.remaining), count(pages.pagecount));
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            _ => return Err(busy().into()),
        }
    }
}

/// Copies a whole database into an empty file that is to be kept as it is.
pub(super) fn copy_single(from: &Connection, file: &Path, progress: Progress<'_>) -> Result<()> {
    close(copy(from, file, Form::Single, progress)?)
}

/// Half a copy is thrown away, so it needs no journal until it is whole.
fn copy(from: &Connection, file: &Path, form: Form, progress: Progress<'_>) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut to = Connection::open_with_flags(file, flags)?;
    to.execute_batch(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;",
    )?;
    copy_pages(from, &mut to, progress)?;
    let journal = match form {
        Form::Single => "DELETE",
        Form::Shared => "WAL",
    };
    to.pragma_update(None, "synchronous", "FULL")?;
    let found: String =
        to.pragma_update_and_check(None, "journal_mode", journal, |row| row.get(0))?;
    if !found.eq_ignore_ascii_case(journal) {
        return Err(Error::Damaged(file.to_owned(), format!("its journal stays {found}")));
    }
    Ok(to)
}

/// Closing folds the log into the file and removes it.
fn close(connection: Connection) -> Result<()> {
    connection.close().map_err(|(_, error)| error.into())
}

/// That a database is a mailbox, of a schema that this build knows, and whole.
fn check(connection: &Connection, file: &Path) -> Result<Contents> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let found = number("user_version")?;
    if number("application_id")? != APPLICATION_ID || found == 0 {
        return Err(Error::Foreign(file.to_owned()));
    }
    schema::refuse_newer(found)?;
    let said: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if said != "ok" {
        return Err(Error::Damaged(file.to_owned(), said));
    }
    contents(connection)
}

/// Counts what is in a mailbox of any schema.
fn contents(connection: &Connection) -> Result<Contents> {
    let schema = schema::version(connection)?;
    let row = connection.query_row(
        "SELECT count(*), count(*) FILTER (WHERE status = 'pending'), max(created_at) FROM messages",
        [],
        |row| {
            Ok(Contents {
                schema,
                messages: row.get(0)?,
                pending: row.get(1)?,
                newest: row.get(2)?,
            })
        },
    );
    Ok(row?)
}

fn busy() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_BUSY), None)
}
