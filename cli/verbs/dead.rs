//! `mailstop dead`.

use mailstop_core::delivery::{self, Letter, Letters};
use mailstop_core::message::Millis;
use mailstop_core::store::{Dead, FailedAnswer};
use mailstop_core::text;
use serde_json::{Value, json};

use crate::args::{DeadAction, DeadArgs};
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::table::Table;

/// Lists what was given up, has it tried again, or puts it aside.
pub(crate) fn run(args: &DeadArgs, printer: &mut Printer) -> Result<(), CliError> {
    match &args.action {
        DeadAction::List => list(printer),
        DeadAction::Retry { id: Some(id), .. } => retry(id, printer),
        DeadAction::Retry { id: None, dry_run, .. } => retry_all(*dry_run, printer),
        DeadAction::Drop { id, dry_run } => put_aside(id, *dry_run, printer),
    }
}

fn list(printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let now = mailbox.now;
    let letters = mailbox.look(|work, _| Ok(delivery::dead(work, now)?))?;
    let deliveries = letters.deliveries.iter().map(delivery_document);
    let documents: Vec<Value> =
        deliveries.chain(letters.answers.iter().map(answer_document)).collect();
    printer.document(&json!({ "dead": documents }))?;
    if documents.is_empty() {
        return printer.line("nothing was given up");
    }
    table(&letters, now).print(printer)
}

fn delivery_document(dead: &Dead) -> Value {
    json!({
        "id": dead.id,
        "what": "message",
        "recipient": dead.address,
        "attempts": dead.attempts,
        "last_error": dead.last_error,
        "dead_at": dead.dead_at,
        "subject": dead.subject,
    })
}

fn answer_document(answer: &FailedAnswer) -> Value {
    json!({
        "id": answer.id,
        "what": "answer",
        "recipient": answer.asker,
        "attempts": answer.attempts,
        "last_error": answer.last_error,
        "dead_at": answer.failed_at,
        "subject": answer.subject,
    })
}

fn table(letters: &Letters, now: Millis) -> Table {
    let mut table = Table::new(&["ID", "WHAT", "TO", "ATTEMPTS", "REASON", "SINCE", "SUBJECT"]);
    for dead in &letters.deliveries {
        table.row(&[
            dead.id.clone(),
            "message".to_owned(),
            dead.address.clone(),
            dead.attempts.to_string(),
            dead.last_error.clone(),
            text::age(now - dead.dead_at),
            dead.subject.clone(),
        ]);
    }
    for answer in &letters.answers {
        table.row(&[
            answer.id.clone(),
            "answer".to_owned(),
            answer.asker.clone(),
            answer.attempts.to_string(),
            answer.last_error.clone(),
            text::age(now - answer.failed_at),
            answer.subject.clone(),
        ]);
    }
    table
}

fn retry(id: &str, printer: &mut Printer) -> Result<(), CliError> {
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let retried = mailbox.act(|work, _, _| delivery::retry(work, id, now))?;
    tell_retried(&retried, false, printer)
}

fn retry_all(dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = if dry_run { Mailbox::open_to_read()? } else { Mailbox::open()? };
    let now = mailbox.now;
    let retried = if dry_run {
        mailbox.look(|work, _| Ok(delivery::rehearse_retry_all(work, now)?))?
    } else {
        mailbox.act(|work, _, _| Ok(delivery::retry_all(work, now)?))?
    };
    tell_retried(&retried, dry_run, printer)
}

fn tell_retried(letters: &[Letter], dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    let (again, left): (Vec<&Letter>, Vec<&Letter>) =
        letters.iter().partition(|letter| letter.to.is_some());
    let document =
        |letter: &&Letter| json!({ "id": letter.id, "recipient": letter.address, "to": letter.to });
    printer.document(&json!({
        "dry_run": dry_run,
        "retried": again.iter().map(document).collect::<Vec<_>>(),
        "still_dead": left.iter().map(document).collect::<Vec<_>>(),
    }))?;
    let verb = if dry_run { "would be tried again" } else { "is tried again" };
    for letter in &again {
        let to = letter.to.as_deref().unwrap_or_default();
        printer.line(format!("{} {verb}, for {}", letter.id, text::line(to)))?;
    }
    for letter in &left {
        let address = text::line(&letter.address);
        printer.line(format!("{} stays dead: nobody is there for {address}", letter.id))?;
    }
    if letters.is_empty() { printer.line("nothing was given up") } else { note(dry_run, printer) }
}

fn put_aside(id: &str, dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = if dry_run { Mailbox::open_to_read()? } else { Mailbox::open()? };
    let now = mailbox.now;
    let dropped = if dry_run {
        mailbox.look(|work, _| delivery::drop_dead(work, id, true, now))?
    } else {
        mailbox.act(|work, _, _| delivery::drop_dead(work, id, false, now))?
    };
    let documents: Vec<Value> = dropped
        .iter()
        .map(|letter| json!({ "id": letter.id, "recipient": letter.address }))
        .collect();
    printer.document(&json!({ "dry_run": dry_run, "dropped": documents }))?;
    let verb = if dry_run { "would be put aside" } else { "is put aside" };
    for letter in &dropped {
        printer.line(format!("{} for {} {verb}", letter.id, text::line(&letter.address)))?;
    }
    note(dry_run, printer)
}

fn note(dry_run: bool, printer: &mut Printer) -> Result<(), CliError> {
    if dry_run { printer.line("nothing was changed") } else { Ok(()) }
}
