//! Opening the file, its permissions, and how much of it is written through.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::{Error, Result, Store, header, schema};

/// A WAL longer than this many frames is folded into the database by whoever may.
const LONG_WAL_FRAMES: u64 = 64;
/// How long a checkpoint waits for others; it can be done another time.
const CHECKPOINT_PATIENCE: Duration = Duration::from_millis(20);
const FRAME_BYTES: u64 = 4096 + 24;

/// Who opens the mailbox: how long it may wait for another writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A command, which makes promises.
    Command,
    /// A hook, for which a client waits.
    Hook,
}

impl Caller {
    /// What to do when another process holds the lock.
    fn waiter(self) -> fn(i32) -> bool {
        match self {
            Caller::Command => |count| wait(count, Caller::Command),
            Caller::Hook => |count| wait(count, Caller::Hook),
        }
    }

    /// How long to sleep before the lock is tried again. A hook, for which its client
    /// waits, tries more often than a command and so goes before it.
    const fn pace(self) -> Duration {
        match self {
            Caller::Command => Duration::from_millis(8),
            Caller::Hook => Duration::from_millis(1),
        }
    }

    const fn patience(self) -> Duration {
        match self {
            Caller::Command => Duration::from_secs(10),
            Caller::Hook => Duration::from_millis(1900),
        }
    }
}

impl Store {
    /// Opens the mailbox in a folder, makes it if there is none, and brings its
    /// schema up to date.
    ///
    /// # Errors
    /// When it cannot be made, opened or read, or is newer or foreign.
    pub fn open(folder: &Path, caller: Caller) -> Result<Store> {
        let file = folder.join("mailstop.db");
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if !header::check(folder, &file)? {
            make_private(folder, &file)?;
        }
        let mut connection = Connection::open_with_flags(&file, flags)?;
        settle(&mut connection, caller)?;
        schema::bring_up_to_date(&mut connection, folder, &file, caller)?;
        if caller == Caller::Command {
            header::mark(folder);
            header::forget_told(folder);
            // A backup that a person copied here has no log, which `keep` counts on.
            schema::use_wal(&connection)?;
        }
        Ok(Store { connection })
    }

    /// Opens the mailbox for reading where nothing can be written, as in a sandbox.
    ///
    /// # Errors
    /// When it cannot be read either.
    pub fn open_read_only(folder: &Path) -> Result<Store> {
        let (store, found) = Store::open_as_it_is(folder)?
            .ok_or_else(|| Error::Foreign(folder.join("mailstop.db")))?;
        match found.cmp(&schema::VERSION) {
            Ordering::Less => Err(Error::Older { found, known: schema::VERSION }),
            Ordering::Equal => Ok(store),
            Ordering::Greater => Err(Error::Newer { found, known: schema::VERSION }),
        }
    }

    /// Opens the mailbox for reading with whatever schema version it has, and tells that.
    /// None where no mailbox has been made yet.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open_as_it_is(folder: &Path) -> Result<Option<(Store, i64)>> {
        let file = folder.join("mailstop.db");
        if !header::check(folder, &file)? {
            return Ok(None);
        }
        let connection = connect_read_only(&file)?;
        let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        Ok((found > 0).then_some((Store { connection }, found)))
    }
}

/// Opens a database where nothing need be writable.
pub(super) fn connect_read_only(file: &Path) -> Result<Connection> {
    // Without a write-ahead log there is nothing that a reader could miss, and
    // SQLite need not make the side files that it cannot make here.
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    let log = fs::metadata(log).map_or(0, |log| log.len());
    let immutable = if log == 0 { "&immutable=1" } else { "" };
    let connection = Connection::open_with_flags(
        uri(file, immutable),
        OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    connection.busy_timeout(Caller::Command.patience())?;
    Ok(connection)
}

/// A file as SQLite's URI names it, for reading, any byte in its path.
pub(super) fn uri(file: &Path, extra: &str) -> String {
    use std::os::unix::ffi::OsStrExt;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let spell = |byte: &u8| match plain(byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02x}"),
    };
    let escaped: String = file.as_os_str().as_bytes().iter().map(spell).collect();
    format!("file:{escaped}?mode=ro{extra}")
}

thread_local! {
    static WAITS_SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
    static AT_MOST: Cell<Duration> = const { Cell::new(Duration::MAX) };
}

/// Waits a little for the lock. SQLite's own way of waiting sleeps longer from time to
/// time, so that among many writers the one that waited longest waits on.
fn wait(count: i32, caller: Caller) -> bool {
    let now = Instant::now();
    if count == 0 {
        WAITS_SINCE.set(Some(now));
    }
    let since = WAITS_SINCE.get().unwrap_or(now);
    if now.duration_since(since) >= caller.patience().min(AT_MOST.get()) {
        return false;
    }
    std::thread::sleep(caller.pace());
    true
}

pub(super) fn settle(connection: &mut Connection, caller: Caller) -> Result<()> {
    connection.busy_handler(Some(caller.waiter()))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // A commit is ordered, not waited for: what was promised is put on disk by `keep`,
    // after the lock is free for others again. Who folds the log decides that alone.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;")?;
    Ok(())
}

/// Puts everything that was committed on disk, and folds a long log.
///
/// # Errors
/// When the disk refuses.
pub fn keep(store: &Store, folder: &Path) -> Result<()> {
    let log = folder.join("mailstop.db-wal");
    let synced = fs::File::open(&log).and_then(|file| file.sync_data());
    // Whoever folds the log syncs it first, so what is not in it is on disk already.
    synced.map_err(|error| Error::Path(log, error))?;
    checkpoint_if_long(store, folder)
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
    AT_MOST.set(CHECKPOINT_PATIENCE);
    // Truncating keeps writers out, so the slow part is done before, beside them.
    let checkpoint = |how: &str| {
        let sql = format!("PRAGMA wal_checkpoint({how})");
        store.connection.query_row(&sql, [], |row| row.get::<_, i64>(0))
    };
    let folded = checkpoint("PASSIVE").and_then(|_| checkpoint("TRUNCATE"));
    AT_MOST.set(Duration::MAX);
    match folded {
        Ok(_) => Ok(()),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy) => {
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Makes the folder and an empty file that only their owner can read. SQLite
/// gives its side files the same mode.
fn make_private(folder: &Path, file: &Path) -> Result<()> {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| Error::Path(path, error)
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed(folder))?;
    let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    match made {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(failed(file)(error)),
    }
}
