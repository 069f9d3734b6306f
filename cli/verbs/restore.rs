//! `mailstop restore`.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use mailstop_core::config;
use mailstop_core::hook;
use mailstop_core::message::Millis;
use mailstop_core::refusal::{Class, Refusal};
use mailstop_core::resolve::no_folder;
use mailstop_core::store::{self, Caller, Contents, Error, Saved, Store, Trouble};
use mailstop_core::text;
use serde_json::{Value, json};

use super::backup::count;
use crate::args::RestoreArgs;
use crate::error::CliError;
use crate::output::Printer;
use crate::replace::{self, Replacing};

/// Puts a backup in the place of the mailbox, or tells what that would do.
pub(crate) fn run(args: &RestoreArgs, printer: &mut Printer) -> Result<(), CliError> {
    let folder = config::data_dir().ok_or_else(no_folder)?;
    let file = backup_file(&args.file, &folder)?;
    refuse_foreign(&folder)?;
    let now = hook::now();
    let unfit = |error| unfit(&args.file, &error);
    let mut saved = Saved::open(&file).map_err(unfit)?;
    if args.dry_run {
        let held = saved.check().map_err(unfit)?;
        return tell_dry_run(&file, &folder, &held, now, printer);
    }
    let replacing = Replacing::begin(&folder, now)?;
    let held = replacing.prepare(&mut saved, printer).map_err(unfit)?;
    let replaced = replacing.replace(printer)?;
    // As everybody opens it, so that it is known to work before this says so.
    drop(Store::open(&folder, Caller::Command)?);
    printer.document(&document(&file, replaced.as_deref(), &held))?;
    printer.line(format!("restored {}", described(&file, &held, now)))?;
    match replaced {
        Some(kept) => printer.line(format!("what was there is kept as {}", shown(&kept))),
        None => printer.line("there was no mailbox before"),
    }
}

fn tell_dry_run(
    file: &Path,
    folder: &Path,
    held: &Contents,
    now: Millis,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let users = replace::users(folder);
    let mut document = document(file, None, held);
    document["dry_run"] = json!(true);
    document["in_use_by"] =
        users.iter().map(|(pid, program)| json!({ "pid": pid, "program": program })).collect();
    printer.document(&document)?;
    printer.line(format!("{}; checked, and whole", described(file, held, now)))?;
    let live = store::file_in(folder);
    printer.line(match live.exists() {
        true => format!("it would replace {}, which would be kept beside it", shown(&live)),
        false => format!("it would become {}", shown(&live)),
    })?;
    if !users.is_empty() {
        printer.line(format!("end first what has it open: {}", replace::named(&users)))?;
    }
    printer.line("nothing was changed")
}

fn document(file: &Path, replaced: Option<&Path>, held: &Contents) -> Value {
    json!({
        "restored": file,
        "replaced": replaced,
        "messages": held.messages,
        "pending": held.pending,
        "newest_at": held.newest,
        "schema": held.schema,
        "dry_run": false,
    })
}

fn described(file: &Path, held: &Contents, now: Millis) -> String {
    let newest = held.newest.map(|at| format!(", the newest made {}", text::age(now - at)));
    format!("{}: {}{}", shown(file), count(held), newest.unwrap_or_default())
}

fn shown(path: &Path) -> String {
    text::line(&path.display().to_string())
}

/// The real path of the backup, which is not the mailbox itself.
fn backup_file(file: &Path, folder: &Path) -> Result<PathBuf, CliError> {
    let data = fs::metadata(file).map_err(|_| {
        CliError::new(Class::NotFound, format!("there is no file {}", file.display()))
            .hint("name a file that `mailstop backup` made")
    })?;
    if !data.is_file() {
        return Err(Refusal::usage(
            format!("{} is not a file", file.display()),
            "name a file that `mailstop backup` made",
        )
        .into());
    }
    let live = fs::metadata(store::file_in(folder));
    if live.is_ok_and(|live| (live.dev(), live.ino()) == (data.dev(), data.ino())) {
        return Err(Refusal::usage(
            format!("{} is the mailbox itself", file.display()),
            "name a file that `mailstop backup` made",
        )
        .into());
    }
    fs::canonicalize(file).map_err(|error| CliError::io("read", file.display(), &error))
}

fn refuse_foreign(folder: &Path) -> Result<(), CliError> {
    match store::is_there(folder) {
        Err(error) if !store::is_unusable(&error) => Err(error.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Why a file cannot be restored. The mailbox's own remedies do not fit it.
fn unfit(file: &Path, error: &Error) -> CliError {
    let file = file.display();
    let another = "choose another file that `mailstop backup` made; nothing was changed";
    let (why, hint) = match (error, error.trouble()) {
        (Error::Foreign(_), _) => ("it is a database, but not a mailbox".to_owned(), another),
        (Error::Damaged(_, why), _) => (format!("it is damaged: {why}"), another),
        (_, Some(Trouble::Damaged)) => (format!("it is damaged: {error}"), another),
        (Error::Newer { found, known }, _) => (
            format!("it has schema {found}, made by a newer mailstop; this one knows {known}"),
            Trouble::Newer.remedy(),
        ),
        _ => {
            (error.to_string(), "free some space, or correct the permissions; nothing was changed")
        }
    };
    CliError::failed(format!("{file} cannot be restored: {why}")).hint(hint)
}
