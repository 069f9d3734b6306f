//! Brings a mailbox file to the schema of this build.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::header::{self, APPLICATION_ID};
use super::{Caller, Error, Result};

/// Every migration, in order. A landed one is never edited.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_mailbox.sql"),
    include_str!("../../../migrations/0002_care.sql"),
    include_str!("../../../migrations/0003_activity.sql"),
    include_str!("../../../migrations/0004_holds.sql"),
    include_str!("../../../migrations/0005_questions.sql"),
    include_str!("../../../migrations/0006_dead.sql"),
    include_str!("../../../migrations/0007_agents.sql"),
];

/// The schema version this build reads and writes.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// A mailbox up to this size is brought up to date by whoever opens it first.
const SOON_DONE_BYTES: i64 = 32 * 1024 * 1024;

/// Checks the version and applies what is missing. Safe with any number of
/// processes at once: the version is read again under the write lock.
pub(super) fn bring_up_to_date(
    connection: &mut Connection,
    folder: &Path,
    path: &Path,
    caller: Caller,
) -> Result<()> {
    let found = version(connection)?;
    if found == VERSION {
        return Ok(());
    }
    refuse_newer(found)?;
    if found == 0 {
        refuse_foreign(connection, path)?;
        // Who has made a mailbox marks the folder after that.
        if header::is_marked(folder) && version(connection)? == 0 {
            return Err(Error::Emptied(path.to_owned()));
        }
        begin_file(connection)?;
    } else if caller == Caller::Hook && size(connection)? > SOON_DONE_BYTES {
        return Err(Error::Older { found, known: VERSION });
    }
    apply_missing(connection)?;
    header::mark(folder);
    Ok(())
}

fn size(connection: &Connection) -> Result<i64> {
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    Ok(pages * page)
}

/// A migration is waited for, and with it the log's entry in its folder.
pub(super) fn apply_missing(connection: &mut Connection) -> Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    migrate(connection)?;
    Ok(connection.pragma_update(None, "synchronous", "NORMAL")?)
}

fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    refuse_newer(found)?;
    let done = usize::try_from(found).unwrap_or_default();
    for sql in MIGRATIONS.iter().skip(done) {
        transaction.execute_batch(sql)?;
    }
    if done < MIGRATIONS.len() {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(transaction.commit()?)
}

pub(super) fn version(connection: &Connection) -> Result<i64> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

pub(super) fn refuse_newer(found: i64) -> Result<()> {
    if found > VERSION {
        return Err(Error::Newer { found, known: VERSION });
    }
    Ok(())
}

/// A file without our version may only be an empty one, or one that another
/// process is filling right now, which carries our mark as soon as it has tables.
fn refuse_foreign(connection: &Connection, path: &Path) -> Result<()> {
    let (tables, mark): (i64, i64) = connection.query_row(
        "SELECT (SELECT count(*) FROM sqlite_master), (SELECT application_id FROM pragma_application_id)",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if tables > 0 && mark != APPLICATION_ID {
        return Err(Error::Foreign(path.to_owned()));
    }
    Ok(())
}

/// Makes an empty file a mailbox without tables. Its first page has our mark before there
/// is a log: a checkpoint may fold that page in last.
fn begin_file(connection: &Connection) -> Result<()> {
    // Only an empty file takes this. What a sweep frees can then be given back.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    insist(|| connection.pragma_update(None, "application_id", APPLICATION_ID))?;
    use_wal(connection)
}

/// Switches the journal. SQLite answers "locked" here at once although a busy
/// time-out is set, so the wait is ours.
pub(super) fn use_wal(connection: &Connection) -> Result<()> {
    insist(|| {
        connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
            .map(|_| ())
    })
}

fn insist(attempt: impl Fn() -> rusqlite::Result<()>) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(error) if is_busy(&error) && Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
