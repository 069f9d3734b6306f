//! The mailbox in the hands of one process: nobody else has it open, so that all of it
//! can be replaced.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::backup::{self, Progress, Saved};
use super::patience::Caller;
use super::{Error, Result, header, schema};

/// A mailbox's files: the database, its log, and the log's index.
const SIDES: [&str; 3] = ["", "-wal", "-shm"];

/// What is found where the mailbox should be.
#[derive(Debug)]
pub enum Live {
    /// A mailbox, now held by this process.
    Sole(Sole),
    /// A mailbox that other processes have open.
    InUse,
    /// Nothing, and no mailbox was made there.
    Missing,
    /// Something that cannot be used any more, or nothing where a mailbox was made.
    Unusable(Error),
}

/// A mailbox that no other process can read or write until this value is gone.
///
/// Its file must not be opened by other means meanwhile: closing any handle of it would
/// give the lock away.
#[derive(Debug)]
pub struct Sole {
    connection: Connection,
}

impl Sole {
    /// Takes the mailbox of a folder for this process alone. Hooks that pass by are
    /// waited for, as long as a hook waits.
    ///
    /// # Errors
    /// When it is foreign, or cannot be opened.
    pub fn take(folder: &Path) -> Result<Live> {
        let file = file_in(folder);
        match is_there(folder) {
            Ok(true) => {}
            Ok(false) => return Ok(Live::Missing),
            Err(error) if is_unusable(&error) => return Ok(Live::Unusable(error)),
            Err(error) => return Err(error),
        }
        match hold(&file) {
            Ok(connection) => Ok(Live::Sole(Sole { connection })),
            Err(Error::Sqlite(error))
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) =>
            {
                Ok(Live::InUse)
            }
            Err(error) if is_unusable(&error) => Ok(Live::Unusable(error)),
            Err(error) => Err(error),
        }
    }

    /// Whether there is a mailbox in the file yet.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_made(&self) -> Result<bool> {
        Ok(schema::version(&self.connection)? > 0)
    }

    /// Copies the mailbox as it is, whole or not, into an empty file.
    ///
    /// # Errors
    /// When either file fails.
    pub fn copy_to(&self, file: &Path, progress: Progress<'_>) -> Result<()> {
        backup::copy_single(&self.connection, file, progress)
    }

    /// Puts a prepared mailbox into the file, in one transaction that is on disk when
    /// this returns. The file stays the same one, so that nobody who waits for it writes
    /// into another.
    ///
    /// # Errors
    /// When either file fails; then the mailbox is as it was.
    pub fn replace_with(&mut self, prepared: &Path, progress: Progress<'_>) -> Result<()> {
        let prepared = Saved::open(prepared)?;
        backup::copy_pages(prepared.connection(), &mut self.connection, progress)?;
        // Committed: what follows only makes the log short.
        let fold = "PRAGMA wal_checkpoint(TRUNCATE)";
        let _ = self.connection.query_row(fold, [], |row| row.get::<_, i64>(0));
        Ok(())
    }
}

/// The mailbox's file in its folder.
#[must_use]
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join("mailstop.db")
}

/// Every file that belongs to the mailbox of a folder, by its real path.
#[must_use]
pub fn files_in(folder: &Path) -> Vec<PathBuf> {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    SIDES.map(|side| folder.join(format!("mailstop.db{side}"))).to_vec()
}

/// Whether a folder has a mailbox, as far as its header tells. Nothing is opened.
///
/// # Errors
/// When what is there cannot be the mailbox that was made there.
pub fn is_there(folder: &Path) -> Result<bool> {
    header::check(folder, &file_in(folder))
}

/// Whether a restore may take the place of what failed so.
#[must_use]
pub fn is_unusable(error: &Error) -> bool {
    use super::Trouble::{Damaged, Emptied};
    matches!(error.trouble(), Some(Damaged | Emptied))
}

/// Moves a mailbox that cannot be used out of the way: `name` takes the place of
/// `mailstop.db`, also for the files beside it.
///
/// # Errors
/// When a file of that name is there, or the folder cannot be written.
pub fn set_aside(folder: &Path, name: &str) -> Result<()> {
    // From the first rename until a restore has finished, nobody may begin a mailbox here.
    header::mark(folder);
    for side in SIDES {
        let from = folder.join(format!("mailstop.db{side}"));
        let to = folder.join(format!("{name}{side}"));
        if !side.is_empty() && fs::metadata(&from).is_ok_and(|data| data.len() == 0) {
            continue;
        }
        // The database goes first: its log must never lie beside another one.
        let moved = match fs::symlink_metadata(&to) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(&from, &to),
        };
        match moved {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::Path(to, error));
            }
            Ok(()) | Err(_) => {}
        }
    }
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(|error| Error::Path(folder.to_owned(), error))
}

/// In a write-ahead log, a connection that does not share needs the whole file, which
/// SQLite grants only while no other one is open.
fn hold(file: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(file, flags)?;
    super::open::settle(&mut connection, Caller::Hook)?;
    connection.execute_batch(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; COMMIT;",
    )?;
    // A backup that was copied there by hand has no log, and an empty file none yet.
    schema::use_wal(&connection)?;
    Ok(connection)
}
