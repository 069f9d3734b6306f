//! What is the matter with a store that cannot be used, for whoever tells a person.

use std::path::Path;

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
/// Making shared memory longer also fails on a full disk, and is not among them.
const UNSUITED: [i32; 7] = [
    ffi::SQLITE_IOERR_SHMOPEN,
    ffi::SQLITE_IOERR_SHMMAP,
    ffi::SQLITE_IOERR_SHMLOCK,
    ffi::SQLITE_IOERR_LOCK,
    ffi::SQLITE_IOERR_RDLOCK,
    ffi::SQLITE_IOERR_UNLOCK,
    ffi::SQLITE_IOERR_CHECKRESERVEDLOCK,
];

impl Trouble {
    /// The kind in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Trouble::Newer => "newer",
            Trouble::Older => "older",
            Trouble::Foreign => "foreign",
            Trouble::Emptied => "emptied",
            Trouble::Damaged => "damaged",
            Trouble::Unsuited => "unsuited",
        }
    }

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
                 it; without a backup, move every mailstop.* file out of that folder to begin a new \
                 mailbox"
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
            Error::Unsuited(..) => Some(Trouble::Unsuited),
            Error::Sqlite(rusqlite::Error::SqliteFailure(error, _)) => of_sqlite(*error),
            Error::Path(..)
            | Error::Source(_)
            | Error::NotWorkBuddy(_)
            | Error::Vanished(_)
            | Error::Sqlite(_) => None,
        }
    }

    /// The same error, which names the mailbox's file where SQLite only says what is the
    /// matter with it.
    #[must_use]
    pub fn within(self, folder: &Path) -> Error {
        let file = folder.join("mailstop.db");
        let Error::Sqlite(rusqlite::Error::SqliteFailure(error, text)) = &self else {
            return self;
        };
        let text = text.clone().unwrap_or_else(|| error.to_string());
        match of_sqlite(*error) {
            Some(Trouble::Damaged) => Error::Damaged(file, text),
            Some(Trouble::Unsuited) => {
                Error::Unsuited(file, format!("{text}, code {}", error.extended_code))
            }
            Some(_) | None => self,
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
