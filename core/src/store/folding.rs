//! The write-ahead log: put on disk for a promise, and folded into the database.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::patience::at_most;
use super::{Error, Result, Store};

/// A WAL longer than this many frames is folded into the database by whoever may.
const LONG_WAL_FRAMES: u64 = 64;
/// How long a checkpoint waits for others; it can be done another time.
const CHECKPOINT_PATIENCE: Duration = Duration::from_millis(20);
const FRAME_BYTES: u64 = 4096 + 24;

/// Puts everything that was committed on disk, and folds a long log.
///
/// # Errors
/// When the disk does not keep what was committed. What is on disk is a promise kept: a log
/// that cannot be folded now is folded another time.
pub fn keep(store: &Store, folder: &Path) -> Result<()> {
    let log = folder.join("mailstop.db-wal");
    let synced = fs::File::open(&log).and_then(|file| file.sync_data());
    // Whoever folds the log syncs it first, so what is not in it is on disk already.
    synced.map_err(|error| Error::Path(log, error))?;
    let _unfolded = checkpoint_if_long(store, folder);
    Ok(())
}

/// Folds a long write-ahead log into the database, unless somebody is in it.
///
/// # Errors
/// Never for a busy database; only when the file itself fails.
pub fn checkpoint_if_long(store: &Store, folder: &Path) -> Result<()> {
    let length = fs::metadata(folder.join("mailstop.db-wal")).map_or(0, |log| log.len());
    if length <= LONG_WAL_FRAMES * FRAME_BYTES { Ok(()) } else { fold(store) }
}

/// Folds the write-ahead log into the database, unless somebody is in it.
///
/// # Errors
/// Never for a busy database; only when the file itself fails.
pub fn fold(store: &Store) -> Result<()> {
    // Truncating keeps writers out, so the slow part is done before, beside them.
    let checkpoint = |how: &str| {
        let sql = format!("PRAGMA wal_checkpoint({how})");
        store.connection.query_row(&sql, [], |row| row.get::<_, i64>(0))
    };
    let folded =
        at_most(CHECKPOINT_PATIENCE, || checkpoint("PASSIVE").and_then(|_| checkpoint("TRUNCATE")));
    match folded {
        Ok(_) => Ok(()),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}
