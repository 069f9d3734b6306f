//! Why the store could not be used.

use std::fmt;
use std::path::PathBuf;

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
    /// Whether the disk took no more.
    #[must_use]
    pub fn is_full(&self) -> bool {
        const WRITE_FAILED: i32 = rusqlite::ffi::SQLITE_IOERR_WRITE;
        match self {
            Error::Sqlite(rusqlite::Error::SqliteFailure(error, _)) => {
                error.code == rusqlite::ErrorCode::DiskFull || error.extended_code == WRITE_FAILED
            }
            _ => false,
        }
    }

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
