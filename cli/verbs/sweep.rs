//! `mailstop sweep`.

use indicatif::HumanBytes;
use mailstop_core::delivery::{self, Retention, Swept};
use serde_json::{Value, json};

use crate::args::SweepArgs;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::progress::Progress;

/// Removes the content of what is old and closed.
pub(crate) fn run(args: &SweepArgs, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open()?;
    let Some(retention) = mailbox.retention()? else {
        let nothing = Swept::default();
        return tell(&nothing, args.dry_run, "ttl_days is 0: everything is kept", printer);
    };
    let planned = mailbox.look(|work, _| Ok(delivery::rehearse_sweep(work, retention)?))?;
    let swept = if args.dry_run { planned } else { sweep(mailbox, retention, &planned, printer)? };
    let note = if args.dry_run { "nothing was changed" } else { "" };
    tell(&swept, args.dry_run, note, printer)
}

fn sweep(
    mailbox: Mailbox,
    retention: Retention,
    planned: &Swept,
    printer: &Printer,
) -> Result<Swept, CliError> {
    let progress = Progress::new("sweeping", planned.total(), printer);
    let swept = mailbox.tend(|store, folder| {
        delivery::sweep(store, folder, retention, &mut |done| progress.at(done))
    })?;
    progress.finish();
    Ok(swept)
}

fn tell(swept: &Swept, dry_run: bool, note: &str, printer: &mut Printer) -> Result<(), CliError> {
    let removed: Value =
        swept.removed.iter().map(|(reason, count)| (reason.to_string(), json!(count))).collect();
    printer.document(&json!({
        "dry_run": dry_run,
        "removed": removed,
        "kept_open": swept.kept_open,
        "freed_bytes": swept.freed_bytes,
    }))?;
    let done = if dry_run { "would lose" } else { "lost" };
    let total = swept.total();
    let messages = if total == 1 { "message" } else { "messages" };
    printer.line(format!(
        "{total} {messages} {done} their content, {} of text; {} as old stay, being open",
        HumanBytes(swept.freed_bytes),
        swept.kept_open
    ))?;
    for (reason, count) in &swept.removed {
        printer.line(format!("  {count:>6} {reason}"))?;
    }
    if note.is_empty() { Ok(()) } else { printer.line(note) }
}
