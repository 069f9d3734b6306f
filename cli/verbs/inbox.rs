//! `mailstop inbox`.

use mailstop_core::delivery::{self, resolve_address};
use mailstop_core::message::{Address, Disposition, Outcome, Receipt, Status};
use mailstop_core::project;
use mailstop_core::refusal::Refusal;
use mailstop_core::store::{Filter, Row, Work};
use mailstop_core::text;
use serde_json::json;

use crate::args::InboxArgs;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::table::Table;

/// One listed message.
struct Entry {
    row: Row,
    outcome: Outcome,
}

/// Lists mail. Nothing is changed by looking.
pub(crate) fn run(args: &InboxArgs, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let blocking = mailbox.blocking();
    let now = mailbox.now;
    let (entries, more) = mailbox.look(|work, actor| {
        let mut filter = filter(args)?;
        if !args.all && !args.unread {
            filter.pending_at = Some(delivery::believed(work, now)?);
        }
        match &args.whose {
            Some(address) => only(&mut filter, work, address)?,
            None if actor.session.is_some() => filter.readers = actor.readers(work)?,
            None => {}
        }
        if args.blocking {
            // What blocks is decided message by message, before the limit counts.
            filter.limit = usize::try_from(i64::MAX).unwrap_or(usize::MAX);
        }
        let mut entries = Vec::new();
        for row in work.list(&filter)? {
            let Some(delivery) = work.delivery(row.message.seq, row.reader)? else {
                continue;
            };
            let outcome = delivery::outcome_of(work, &row.message, &delivery, &blocking, now)?;
            if !args.blocking || holds(&row, outcome) {
                entries.push(Entry { row, outcome });
            }
        }
        let more = entries.len() > args.limit;
        entries.truncate(args.limit);
        Ok((entries, more))
    })?;
    let documents: Vec<_> = entries
        .iter()
        .map(|entry| {
            documents::with_outcome(&entry.row.message, &entry.row.reader_address, entry.outcome)
        })
        .collect();
    printer.document(&json!({ "messages": documents, "more": more }))?;
    print(&entries, more, now, printer)
}

/// Limits a listing to the mail of one address: what its reader has, or what went to
/// its project.
fn only(filter: &mut Filter, work: &Work<'_>, address: &str) -> Result<(), Refusal> {
    let address = resolve_address(work, address)?;
    let mailbox = match &address {
        Address::Project(key) => {
            // What was imported before the project appeared went to its folder's name.
            let folder = Address::Project(project::name_of(key).to_owned());
            filter.recipients = vec![address.to_string(), folder.to_string()];
            return Ok(());
        }
        Address::Agent(name) => work.mailbox_named(name)?,
        Address::Session(_) | Address::User => work.find_mailbox(&address.to_string())?,
    };
    if mailbox.is_none() && address != Address::User {
        return Err(Refusal::not_found(
            format!("no mailbox `{address}`"),
            "`mailstop sessions --all` lists the agents",
        ));
    }
    // A person who never had mail has an empty mailbox, not everybody's.
    filter.readers = vec![mailbox.unwrap_or(0)];
    Ok(())
}

fn filter(args: &InboxArgs) -> Result<Filter, Refusal> {
    Ok(Filter {
        readers: Vec::new(),
        recipients: Vec::new(),
        unread: args.unread,
        pending_at: None,
        priority: args.priority.as_deref().map(str::parse).transpose()?,
        disposition: args.disposition.as_deref().map(str::parse).transpose()?,
        sender: args
            .sender
            .as_deref()
            .map(str::parse::<Address>)
            .transpose()?
            .map(|a| a.to_string()),
        limit: args.limit.saturating_add(1),
    })
}

fn holds(row: &Row, outcome: Outcome) -> bool {
    let actionable = row.message.disposition != Some(Disposition::Acknowledgement);
    if outcome == Outcome::Dead {
        return false;
    }
    let unread = row.receipt == Receipt::Unread && row.message.status == Status::Pending;
    matches!(outcome, Outcome::Blocking | Outcome::Stalled) || (unread && actionable)
}

fn print(entries: &[Entry], more: bool, now: i64, printer: &mut Printer) -> Result<(), CliError> {
    if entries.is_empty() {
        return printer.line("no mail");
    }
    let mut table = Table::new(&["ID", "STATE", "PRIORITY", "FROM", "TO", "AGE", "SUBJECT"]);
    for Entry { row, outcome } in entries {
        let message = &row.message;
        table.row(&[
            message.id.clone(),
            outcome.to_string(),
            message.priority.to_string(),
            message.sender.clone(),
            message.recipient.clone(),
            text::age(now - message.created_at),
            message.subject.clone(),
        ]);
    }
    table.print(printer)?;
    if more {
        printer.line("… more; raise --limit to see them")?;
    }
    Ok(())
}
