//! `mailstop migrate`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use mailstop_core::config;
use mailstop_core::delivery::{self, Backfilled};
use mailstop_core::hook;
use mailstop_core::import::{Import, Report};
use mailstop_core::message::Millis;
use mailstop_core::refusal::Class;
use mailstop_core::resolve::no_folder;
use mailstop_core::retention::DAY;
use mailstop_core::store::{self, Caller, OldMailbox, Orphans, Store, keep};
use serde_json::{Value, json};

use crate::args::MigrateArgs;
use crate::error::CliError;
use crate::mailbox;
use crate::output::Printer;
use crate::progress::Progress;

/// A mailbox of the first build up to this size is rewritten, which keeps others out.
const SOON_REWRITTEN_BYTES: u64 = 32 * 1024 * 1024;

/// Brings the mailbox up to date, and mail over from work-buddy.
pub(crate) fn run(args: &MigrateArgs, printer: &mut Printer) -> Result<(), CliError> {
    let folder = config::data_dir().ok_or_else(no_folder)?;
    match &args.from {
        Some(file) => import(file, &folder, args.dry_run, printer),
        None => bring_up_to_date(&folder, args.dry_run, printer),
    }
}

fn import(
    file: &Path,
    folder: &Path,
    dry_run: bool,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let source = open_source(file)?;
    let term = match mailbox::config()?.ttl_days {
        0 => None,
        days => Some(Millis::from(days) * DAY),
    };
    let import = Import::new(&source, hook::now(), term)?;
    let progress = Progress::new("importing", source.count()?, printer);
    let mut at = |done| progress.at(done);
    let report = if dry_run {
        import.rehearse(existing(folder)?.as_mut(), &mut at)?
    } else {
        let mut store = Store::open(folder, Caller::Command)?;
        let report = import.run(&mut store, folder, &mut at)?;
        keep(&store, folder)?;
        report
    };
    progress.finish();
    tell_import(&report, dry_run, printer)
}

/// The source, after the mistakes that a person can make with its name.
fn open_source(file: &Path) -> Result<OldMailbox, CliError> {
    let shown = file.display();
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(CliError::new(Class::NotFound, format!("no file {shown}"))
                .hint("give work-buddy's messages.db"))
        }
        Err(error) => Err(CliError::io("read", shown, &error)),
        Ok(found) if found.is_dir() => {
            Err(CliError::new(Class::Usage, format!("{shown} is a folder"))
                .hint("give the messages.db in it"))
        }
        Ok(_) => OldMailbox::open(file).map_err(|error| match error {
            store::Error::Source(error) => {
                CliError::failed(format!("cannot read {shown}: {error}"))
                    .hint("give work-buddy's messages.db; nothing was changed")
            }
            other => other.into(),
        }),
    }
}

/// The mailbox as it is, if there is one of this schema. One of an older schema has
/// nothing imported yet.
fn existing(folder: &Path) -> Result<Option<Store>, CliError> {
    match Store::open_as_it_is(folder)? {
        Some((_, version)) if version == store::VERSION => {
            Ok(Some(Store::open(folder, Caller::Command)?))
        }
        Some(_) | None => Ok(None),
    }
}

fn bring_up_to_date(folder: &Path, dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    let before = Store::open_as_it_is(folder)?;
    let from = before.as_ref().map_or(0, |(_, version)| *version);
    if from > store::VERSION {
        return Err(store::Error::Newer { found: from, known: store::VERSION }.into());
    }
    let (backfilled, orphans) = if dry_run {
        match before {
            Some((mut store, _)) => {
                let work = store.read()?;
                // Only the newest schema has every table that is looked at.
                let orphans = if from == store::VERSION { work.orphans()? } else { Orphans::new() };
                (delivery::rehearse_backfill(&work)?, orphans)
            }
            None => (Backfilled::new(), Orphans::new()),
        }
    } else {
        drop(before);
        let mut store = Store::open(folder, Caller::Command)?;
        let backfilled = delivery::backfill(&mut store, folder)?;
        let orphans = delivery::remove_orphans(&mut store)?;
        if !store.gives_back()? && store.bytes()? <= SOON_REWRITTEN_BYTES {
            store.rewrite()?;
        }
        keep(&store, folder)?;
        (backfilled, orphans)
    };
    let orphans: BTreeMap<_, _> = orphans.into_iter().collect();
    printer.document(&json!({
        "dry_run": dry_run,
        "schema": { "from": from, "to": store::VERSION },
        "backfilled": counts(&backfilled),
        "orphans": counts(&orphans),
    }))?;
    tell_schema(from, dry_run, printer)?;
    tell_counts("classified", &backfilled, printer)?;
    tell_counts("removed, leading nowhere", &orphans, printer)?;
    tell_dry_run(dry_run, printer)
}

fn tell_schema(from: i64, dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    let to = store::VERSION;
    printer.line(match (from, dry_run) {
        (0, true) => format!("no mailbox yet; one of schema {to} would be made"),
        (0, false) => format!("made a mailbox of schema {to}"),
        (from, _) if from == to => format!("the mailbox has schema {to}, which is up to date"),
        (from, true) => format!("schema {from} would become {to}"),
        (from, false) => format!("schema {from} became {to}"),
    })
}

fn tell_import(report: &Report, dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    printer.document(&json!({
        "dry_run": dry_run,
        "imported": report.imported,
        "already_there": report.already_there,
        "skipped": report.skipped,
        "odd": counts(&report.odd),
        "backfilled": counts(&report.backfilled),
    }))?;
    let done = if dry_run { "would be imported" } else { "imported" };
    printer.line(format!(
        "{} {done}, {} already there, {} that say nothing",
        report.imported, report.already_there, report.skipped
    ))?;
    tell_counts("classified", &report.backfilled, printer)?;
    tell_counts("odd", &report.odd, printer)?;
    tell_dry_run(dry_run, printer)
}

fn tell_dry_run(dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    if dry_run { printer.line("nothing was changed") } else { Ok(()) }
}

fn tell_counts<K: Display>(
    what: &str,
    counts: &BTreeMap<K, u64>,
    printer: &mut Printer,
) -> Result<(), CliError> {
    counts.iter().try_for_each(|(key, count)| printer.line(format!("  {count:>6} {what}: {key}")))
}

fn counts<K: Display>(counts: &BTreeMap<K, u64>) -> Value {
    counts.iter().map(|(key, count)| (key.to_string(), json!(count))).collect()
}
