//! The only place that knows SQL. Its public methods speak the domain: messages,
//! sessions, deliveries. One file a table family.

mod activities;
mod aliases;
mod backup;
mod checkup;
mod chores;
mod deliveries;
mod extent;
mod header;
mod ids;
mod imported;
mod mailboxes;
mod messages;
mod open;
mod open_mail;
mod overview;
mod owed;
mod project_mail;
mod schema;
mod sessions;
mod sole;
mod tombstones;
mod trouble;
mod turns;
mod undecided;
mod work_buddy;

use std::fmt;
use std::path::PathBuf;

use rusqlite::{Connection, TransactionBehavior};

pub use activities::{Activity, What};
pub use backup::{Contents, Progress, Saved};
pub use checkup::Orphans;
pub use deliveries::{Delivery, Offer, Unproved};
pub use header::TOLD;
pub use ids::Found;
pub use imported::OldDelivery;
pub use messages::{Message, NewMessage, Stored};
pub use open::{Caller, checkpoint_if_long, fold, keep};
pub use open_mail::OpenMail;
pub use overview::{Filter, Row, Totals};
pub use owed::Owed;
pub use schema::VERSION;
pub use sessions::{NewSession, ProcessId, Session, State};
pub use sole::{Live, Sole, file_in, files_in, is_there, is_unusable, set_aside};
pub use tombstones::Aged;
pub use trouble::Trouble;
pub use turns::Turn;
pub use undecided::Undecided;
pub use work_buddy::{OldMailbox, OldMessage, OldRead};

/// How much of the file long work holds, as SQLite counts it: negative for KiB.
const HELD_KIBIBYTES: i64 = -64 * 1024;

/// A row's key in its table. Mailboxes, sessions and turns have one each.
pub type Key = i64;

/// An open mailbox file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// What one use case reads and writes, all of it or nothing: one immediate
/// transaction, so that nothing read in it can change before it is written.
#[derive(Debug)]
pub struct Work<'a> {
    transaction: rusqlite::Transaction<'a>,
}

/// Why the store could not be used.
#[derive(Debug)]
pub enum Error {
    /// A newer build made this file; this one knows schemas up to `known`.
    Newer {
        /// The file's schema version.
        found: i64,
        /// The newest version this build knows.
        known: i64,
    },
    /// An older build made this file, and it is too large to be brought up to date while
    /// a client waits.
    Older {
        /// The file's schema version.
        found: i64,
        /// The version this build works with.
        known: i64,
    },
    /// The file is a database, but not a mailbox.
    Foreign(PathBuf),
    /// The file is gone or empty although a mailbox was made here.
    Emptied(PathBuf),
    /// The file is no database any more, and why.
    Damaged(PathBuf, String),
    /// The file system does not let processes share the file, and what SQLite says.
    Unsuited(PathBuf, String),
    /// The folder or the file could not be made or opened.
    Path(PathBuf, std::io::Error),
    /// The database that mail is brought over from cannot be read.
    Source(rusqlite::Error),
    /// The file is no database of work-buddy.
    NotWorkBuddy(PathBuf),
    /// A row is gone that was there a moment ago.
    Vanished(&'static str),
    /// Anything SQLite says.
    Sqlite(rusqlite::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Newer { found, known } => write!(
                f,
                "the mailbox has schema {found}, made by a newer mailstop; this one knows {known}"
            ),
            Error::Older { found, known } => write!(
                f,
                "the mailbox has schema {found}, made by an older mailstop; this one needs {known}"
            ),
            Error::Foreign(path) => {
                write!(f, "{} is a database, but not a mailbox", path.display())
            }
            Error::Emptied(path) => {
                write!(f, "{} is gone or empty, although a mailbox was made there", path.display())
            }
            Error::Damaged(path, why) => write!(f, "{} is damaged: {why}", path.display()),
            Error::Unsuited(path, why) => {
                write!(f, "{} cannot be shared between processes: {why}", path.display())
            }
            Error::Path(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Source(error) => write!(f, "the database of work-buddy: {error}"),
            Error::NotWorkBuddy(path) => {
                write!(f, "{} is no database of work-buddy", path.display())
            }
            Error::Vanished(what) => write!(f, "mailbox: {what} is gone"),
            Error::Sqlite(error) => write!(f, "mailbox: {error}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Error::Sqlite(error)
    }
}

impl Error {
    /// Whether the file may be read but not written, as in a client's sandbox.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, ReadOnly};
        match self {
            Error::Sqlite(rusqlite::Error::SqliteFailure(error, _)) => {
                matches!(error.code, ReadOnly | CannotOpen)
            }
            Error::Path(_, error) => matches!(
                error.kind(),
                std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem
            ),
            Error::Newer { .. }
            | Error::Older { .. }
            | Error::Foreign(_)
            | Error::Emptied(_)
            | Error::Damaged(..)
            | Error::Source(_)
            | Error::NotWorkBuddy(_)
            | Error::Unsuited(..)
            | Error::Vanished(_)
            | Error::Sqlite(_) => false,
        }
    }
}

/// The store's results.
pub type Result<T> = std::result::Result<T, Error>;

impl Store {
    /// Begins the one transaction of a use case.
    ///
    /// # Errors
    /// When another process holds the write lock for longer than this one waits.
    pub fn begin(&mut self) -> Result<Work<'_>> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        Ok(Work { transaction })
    }

    /// Holds more of the file in memory, for work that goes all over it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn hold_more(&self) -> Result<()> {
        Ok(self.connection.pragma_update(None, "cache_size", HELD_KIBIBYTES)?)
    }

    /// A number that changes when another connection has written the file. Asking for it
    /// touches shared memory, not the disk.
    ///
    /// # Errors
    /// When the store fails.
    pub fn data_version(&self) -> Result<i64> {
        Ok(self.connection.pragma_query_value(None, "data_version", |row| row.get(0))?)
    }

    /// Begins a transaction that only reads, for listings.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read(&mut self) -> Result<Work<'_>> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        Ok(Work { transaction })
    }
}

impl Work<'_> {
    /// Makes everything durable that this use case wrote.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn commit(self) -> Result<()> {
        Ok(self.transaction.commit()?)
    }
}

/// Reads a word of a closed set from a column.
fn word<T: std::str::FromStr>(row: &rusqlite::Row<'_>, column: &str) -> rusqlite::Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let text: String = row.get(column)?;
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })
}
