//! Opening the file, making it, and its permissions.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::patience::Caller;
use super::{Error, Result, Store, header, schema};

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

pub(super) fn settle(connection: &mut Connection, caller: Caller) -> Result<()> {
    connection.busy_handler(Some(caller.waiter()))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // A commit is ordered, not waited for: what was promised is put on disk by `keep`,
    // after the lock is free for others again. Who folds the log decides that alone.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;")?;
    Ok(())
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
