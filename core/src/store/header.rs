//! What a mailbox file looks like before SQLite opens it. SQLite begins a database in an
//! empty file, and lays a log over whatever lies beside it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{Error, Result};

/// Written once a mailbox has been made: where it is, no other one may be begun.
const MARK: &str = "mailstop.made";
const MARK_TEXT: &str = "A mailbox was made in this folder. While this file is here, Mailstop \
    reports a mailbox that is gone or empty, and does not begin a new one.\n";

/// `MAIL`, as SQLite's header carries it: marks the file as ours.
pub(super) const APPLICATION_ID: i64 = 0x4d41_494c;

/// From the database file format: the magic words, and where the header ends.
const MAGIC: &[u8] = b"SQLite format 3\0";
const HEADER_BYTES: usize = 100;
/// A file that is only being made has one page and may not carry our mark yet.
const ONE_PAGE: u64 = 4096;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Missing,
    Empty,
    Ours,
    Foreign,
    Garbage,
}

fn look(file: &Path) -> io::Result<Look> {
    let opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Missing),
        Err(error) => return Err(error),
    };
    // Another process may fill the file meanwhile: the length is that from before, and
    // what was read decides whether it is empty.
    let length = opened.metadata()?.len();
    let mut header = Vec::with_capacity(HEADER_BYTES);
    opened.take(HEADER_BYTES as u64).read_to_end(&mut header)?;
    if header.is_empty() {
        return Ok(Look::Empty);
    }
    if header.len() < HEADER_BYTES || !header.starts_with(MAGIC) {
        return Ok(Look::Garbage);
    }
    let mark = i64::from(u32::from_be_bytes([header[68], header[69], header[70], header[71]]));
    let is_being_made = mark == 0 && length <= ONE_PAGE;
    Ok(if mark == APPLICATION_ID || is_being_made { Look::Ours } else { Look::Foreign })
}

/// Whether there is a file to open. None is the beginning of a mailbox.
///
/// # Errors
/// When what is there cannot be the mailbox that was here.
pub(super) fn check(folder: &Path, file: &Path) -> Result<bool> {
    let read = || look(file).map_err(|error| Error::Path(file.to_owned(), error));
    match read()? {
        Look::Ours => Ok(true),
        Look::Foreign => Err(Error::Foreign(file.to_owned())),
        Look::Garbage => Err(Error::Damaged(file.to_owned(), "it is not a database".to_owned())),
        // Another process may have filled the file between the two looks.
        found @ (Look::Missing | Look::Empty) => match was_made(folder) {
            true if read()? == found => Err(Error::Emptied(file.to_owned())),
            true => check(folder, file),
            false => Ok(found == Look::Empty),
        },
    }
}

/// Refuses a file elsewhere that is no mailbox.
///
/// # Errors
/// When it is not there, or cannot be one.
pub(super) fn refuse_other(file: &Path) -> Result<()> {
    let damaged = |why: &str| Err(Error::Damaged(file.to_owned(), why.to_owned()));
    match look(file).map_err(|error| Error::Path(file.to_owned(), error))? {
        Look::Ours => Ok(()),
        Look::Foreign => Err(Error::Foreign(file.to_owned())),
        Look::Empty => damaged("it is empty"),
        Look::Garbage => damaged("it is not a database"),
        Look::Missing => Err(Error::Path(file.to_owned(), io::ErrorKind::NotFound.into())),
    }
}

/// Whether this folder had a mailbox: the mark says so, or mail that is only in a log.
fn was_made(folder: &Path) -> bool {
    folder.join(MARK).exists()
        || fs::metadata(folder.join("mailstop.db-wal")).is_ok_and(|log| log.len() > 0)
}

/// Notes that there is a mailbox. A folder that cannot be written only goes without.
pub(super) fn mark(folder: &Path) {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let mark = folder.join(MARK);
    if mark.exists() {
        return;
    }
    let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(mark);
    if let Ok(mut made) = made {
        let _ = made.write_all(MARK_TEXT.as_bytes());
    }
}
