//! What a mailbox file looks like before SQLite opens it. SQLite begins a database in an
//! empty file, lays a log over whatever lies beside it, and reads zeros behind the end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{Error, Result, extent};

/// Written once a mailbox has been made: where it is, no other one may be begun.
const MARK: &str = "mailstop.made";
const MARK_TEXT: &str = "A mailbox was made in this folder. While this file is here, Mailstop \
    reports a mailbox that is gone or empty, and does not begin a new one.\n";

/// Written once a hook has told the user of lasting trouble with the mailbox: its text is
/// the kind of trouble.
pub const TOLD: &str = "mailstop.told";

/// `MAIL`, as SQLite's header carries it: marks the file as ours.
pub(super) const APPLICATION_ID: i64 = 0x4d41_494c;

/// From the database file format: the magic words, and where the header ends.
const MAGIC: &[u8] = b"SQLite format 3\0";
const HEADER_BYTES: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Missing,
    Empty,
    /// One page without our mark: it is only being made, or its mail is in the log.
    Blank,
    Ours,
    /// Ours, and shorter than it says.
    Short(Size),
    Foreign,
    Garbage,
}

/// How long a file is, and how long it says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// Its length in bytes.
    pub(super) bytes: u64,
    /// The bytes of one page.
    pub(super) page: u64,
    /// Its pages, as it says itself; 0 where SQLite does not believe it either.
    pub(super) pages: u64,
}

impl Size {
    fn read(header: &[u8; HEADER_BYTES], bytes: u64) -> Size {
        // The one size that does not fit into two bytes is written as 1.
        let page = match u64::from(u16::from_be_bytes([header[16], header[17]])) {
            1 => 65_536,
            page => page,
        };
        let pages = if header[24..28] == header[92..96] { number(header, 28) } else { 0 };
        Size { bytes, page, pages: u64::from(pages) }
    }

    fn is_short(self) -> bool {
        self.bytes < self.pages * self.page
    }
}

fn number(header: &[u8; HEADER_BYTES], at: usize) -> u32 {
    u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}

fn look(file: &Path) -> io::Result<Look> {
    let mut opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Look::Missing),
        Err(error) => return Err(error),
    };
    let mut header = [0; HEADER_BYTES];
    match opened.read_exact(&mut header) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            let is_empty = opened.metadata()?.len() == 0;
            return Ok(if is_empty { Look::Empty } else { Look::Garbage });
        }
        Err(error) => return Err(error),
    }
    let size = Size::read(&header, opened.metadata()?.len());
    Ok(match i64::from(number(&header, 68)) {
        _ if !header.starts_with(MAGIC) || size.page < 512 => Look::Garbage,
        APPLICATION_ID if size.is_short() => Look::Short(size),
        APPLICATION_ID => Look::Ours,
        0 if size.bytes <= size.page => Look::Blank,
        _ => Look::Foreign,
    })
}

/// Whether there is a file to open. None is the beginning of a mailbox.
///
/// # Errors
/// When what is there cannot be the mailbox that was here.
pub(super) fn check(folder: &Path, file: &Path) -> Result<bool> {
    let read = || look(file).map_err(|error| Error::Path(file.to_owned(), error));
    let log = folder.join("mailstop.db-wal");
    let mut found = read()?;
    loop {
        let wrong = match found {
            Look::Ours => return Ok(true),
            Look::Foreign => Error::Foreign(file.to_owned()),
            Look::Garbage => damaged(file, "it is not a database"),
            Look::Short(size) if extent::is_in_log(&log, size) => return Ok(true),
            Look::Short(size) => short(file, size),
            Look::Blank if has_mail(&log) || !is_marked(folder) => return Ok(true),
            Look::Missing | Look::Empty if !has_mail(&log) && !is_marked(folder) => {
                return Ok(found == Look::Empty);
            }
            Look::Missing | Look::Empty | Look::Blank => Error::Emptied(file.to_owned()),
        };
        // Another process may have filled the file, or folded the log into it, between two
        // of these reads.
        let again = read()?;
        if again == found {
            return Err(wrong);
        }
        found = again;
    }
}

/// Refuses a file elsewhere that is no mailbox.
///
/// # Errors
/// When it is not there, or cannot be one.
pub(super) fn refuse_other(file: &Path) -> Result<()> {
    match look(file).map_err(|error| Error::Path(file.to_owned(), error))? {
        Look::Ours | Look::Blank => Ok(()),
        Look::Foreign => Err(Error::Foreign(file.to_owned())),
        Look::Empty => Err(damaged(file, "it is empty")),
        Look::Garbage => Err(damaged(file, "it is not a database")),
        Look::Short(size) => Err(short(file, size)),
        Look::Missing => Err(Error::Path(file.to_owned(), io::ErrorKind::NotFound.into())),
    }
}

fn short(file: &Path, Size { bytes, page, pages }: Size) -> Error {
    damaged(file, &format!("{bytes} of its {} bytes are left", page * pages))
}

fn damaged(file: &Path, why: &str) -> Error {
    Error::Damaged(file.to_owned(), why.to_owned())
}

fn has_mail(log: &Path) -> bool {
    fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// Forgets what was told of trouble that is over, so that new trouble is told again.
pub(super) fn forget_told(folder: &Path) {
    // Mostly there is nothing to forget.
    let _ = fs::remove_file(folder.join(TOLD));
}

/// Whether a mailbox was made in a folder.
pub(super) fn is_marked(folder: &Path) -> bool {
    folder.join(MARK).exists()
}

/// Notes that there is a mailbox. A folder that cannot be written only goes without.
pub(super) fn mark(folder: &Path) {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    if is_marked(folder) {
        return;
    }
    let made =
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(folder.join(MARK));
    if let Ok(mut made) = made {
        let _ = made.write_all(MARK_TEXT.as_bytes());
    }
}
