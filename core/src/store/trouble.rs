//! What is the matter with a store that cannot be used, for whoever tells a person.

use rusqlite::ErrorCode;
use rusqlite::ffi;

use super::Error;

/// Trouble that lasts until a person does something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// A newer build made the file.
    Newer,
    /// An older build made it, and it is a large one.
    Older,
    /// It belongs to another program.
    Foreign,
    /// It is gone or empty although it was made.
    Emptied,
    /// It is no longer a whole database.
    Damaged,
    /// The file system cannot share it between processes.
    Unsuited,
}

/// What SQLite reports where shared memory or locks do not work, as on network drives.
const UNSUITED: [i32; 8] = [
    ffi::SQLITE_IOERR_SHMOPEN,
    ffi::SQLITE_IOERR_SHMSIZE,
    ffi::SQLITE_IOERR_SHMMAP,
    ffi::SQLITE_IOERR_SHMLOCK,
    ffi::SQLITE_IOERR_LOCK,
    ffi::SQLITE_IOERR_RDLOCK,
    ffi::SQLITE_IOERR_UNLOCK,
    ffi::SQLITE_IOERR_CHECKRESERVEDLOCK,
];

impl Trouble {
    /// What to do about it.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Trouble::Newer => "install the newer mailstop; nothing was changed",
            Trouble::Older => "run `mailstop migrate` once, which brings it up to date",
            Trouble::Foreign => "set MAILSTOP_HOME to another folder; nothing was changed",
            Trouble::Emptied => {
                "bring a backup back with `mailstop restore FILE`; to begin a new mailbox, move every \
                 mailstop.* file out of that folder"
            }
            Trouble::Damaged => {
                "bring a backup back with `mailstop restore FILE`, which keeps the damaged files beside \
                 it; until then nothing is written to them"
            }
            Trouble::Unsuited => {
                "its file system cannot share a database between processes: move the folder to a local \
                 disk and set MAILSTOP_HOME to it, for every client and shell"
            }
        }
    }
}

impl Error {
    /// The trouble, if it is of the kind that lasts.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        match self {
            Error::Newer { .. } => Some(Trouble::Newer),
            Error::Older { .. } => Some(Trouble::Older),
            Error::Foreign(_) => Some(Trouble::Foreign),
            Error::Emptied(_) => Some(Trouble::Emptied),
            Error::Damaged(..) => Some(Trouble::Damaged),
            Error::Sqlite(rusqlite::Error::SqliteFailure(error, _)) => of_sqlite(*error),
            Error::Path(..)
            | Error::Source(_)
            | Error::NotWorkBuddy(_)
            | Error::Vanished(_)
            | Error::Sqlite(_) => None,
        }
    }
}

fn of_sqlite(error: ffi::Error) -> Option<Trouble> {
    match error.code {
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Some(Trouble::Damaged),
        ErrorCode::FileLockingProtocolFailed | ErrorCode::NoLargeFileSupport => {
            Some(Trouble::Unsuited)
        }
        _ if UNSUITED.contains(&error.extended_code) => Some(Trouble::Unsuited),
        _ => None,
    }
}
