//! `mailstop backup`.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use indicatif::HumanBytes;
use mailstop_core::config;
use mailstop_core::refusal::{Class, Refusal};
use mailstop_core::resolve::no_folder;
use mailstop_core::store::{self, Caller, Contents, Error, Store};
use mailstop_core::text;
use serde_json::json;

use crate::args::BackupArgs;
use crate::copies::Draft;
use crate::error::CliError;
use crate::output::Printer;
use crate::progress::Progress;

/// Copies the mailbox into a new file.
pub(crate) fn run(args: &BackupArgs, printer: &mut Printer) -> Result<(), CliError> {
    let folder = config::data_dir().ok_or_else(no_folder)?;
    let (place, file) = free_place(&args.file, &folder)?;
    let mut store = open(&folder)?;
    let draft = Draft::in_folder(&place)?;
    let held = copy(&mut store, &folder, &draft, &file, printer)?;
    let bytes = fs::metadata(draft.path()).map_or(0, |data| data.len());
    draft.keep_as(&file).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(&file),
        _ => CliError::io("make", file.display(), &error),
    })?;
    printer.document(&json!({
        "file": file,
        "bytes": bytes,
        "messages": held.messages,
        "pending": held.pending,
        "schema": held.schema,
    }))?;
    printer.line(format!(
        "{}: {}, {}; checked, and whole",
        text::line(&file.display().to_string()),
        HumanBytes(bytes),
        count(&held)
    ))
}

/// The messages of a mailbox in words.
pub(super) fn count(held: &Contents) -> String {
    let messages = if held.messages == 1 { "message" } else { "messages" };
    format!("{} {messages}, {} pending", held.messages, held.pending)
}

fn open(folder: &Path) -> Result<Store, CliError> {
    if !store::is_there(folder)? {
        let nothing = format!("there is no mailbox in {}", folder.display());
        return Err(CliError::new(Class::NotFound, nothing)
            .hint("set MAILSTOP_HOME to its folder; the first message makes one"));
    }
    let opened = match Store::open(folder, Caller::Command) {
        Err(error) if error.is_read_only() => Store::open_read_only(folder),
        opened => opened,
    };
    Ok(opened?)
}

fn copy(
    store: &mut Store,
    folder: &Path,
    draft: &Draft,
    file: &Path,
    printer: &Printer,
) -> Result<Contents, CliError> {
    let bar = Progress::new("copying", 0, printer);
    store.copy_to(draft.path(), &mut bar.watch()).map_err(|error| match error {
        // Pages are copied as they are: what is wrong in the copy is wrong in the mailbox.
        Error::Damaged(_, why) => Error::Damaged(store::file_in(folder), why).into(),
        error if error.trouble().is_some() => error.into(),
        error => CliError::failed(format!("cannot make {}: {error}", file.display()))
            .hint("free some space, or choose another folder; the mailbox is as it was"),
    })
}

/// The folder of a new file, and its full path.
fn free_place(file: &Path, mailbox: &Path) -> Result<(PathBuf, PathBuf), CliError> {
    let full =
        std::path::absolute(file).map_err(|error| CliError::io("use", file.display(), &error))?;
    let (Some(folder), Some(name)) = (full.parent(), full.file_name()) else {
        return Err(Refusal::usage(
            format!("{} is no name for a file", file.display()),
            "name the file to make, as in: mailstop backup mail.db",
        )
        .into());
    };
    if !folder.is_dir() {
        return Err(CliError::failed(format!("there is no folder {}", folder.display()))
            .hint("make it first, or correct the path"));
    }
    if is_reserved(folder, name, mailbox) {
        return Err(Refusal::usage(
            format!("{} is a name of the mailbox's own", full.display()),
            "choose another name, best in a folder on another disk",
        )
        .into());
    }
    if fs::symlink_metadata(&full).is_ok() {
        return Err(exists(&full));
    }
    Ok((folder.to_owned(), full))
}

/// What a mailbox's own files are called, and what is kept beside them.
fn is_reserved(folder: &Path, name: &OsStr, mailbox: &Path) -> bool {
    let same = match (fs::canonicalize(folder), fs::canonicalize(mailbox)) {
        (Ok(folder), Ok(mailbox)) => folder == mailbox,
        _ => false,
    };
    same && name.to_string_lossy().to_ascii_lowercase().starts_with("mailstop.db")
}

fn exists(file: &Path) -> CliError {
    CliError::failed(format!("{} exists already, and was left as it is", file.display()))
        .hint("name a file that does not exist")
}
