//! `mailstop status`.

use mailstop_core::delivery::{self, Recipient};
use mailstop_core::message::Millis;
use mailstop_core::text;

use crate::args::OneMessage;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::verbs::read::swept;

/// Tells where a message is with each of its recipients.
pub(crate) fn run(args: &OneMessage, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let blocking = mailbox.blocking();
    let now = mailbox.now;
    let report = mailbox.look(|work, _| delivery::report(work, &args.id, &blocking, now))?;
    printer.document(&documents::report(&report))?;
    let message = &report.message;
    let subject = text::line(&message.subject);
    printer.line(format!("{} {}: {}", message.id, report.outcome, subject))?;
    if let (Some(by), Some(at)) = (&message.closed_by, message.closed_at) {
        let note =
            message.note.as_deref().map_or(String::new(), |note| format!(": {}", text::line(note)));
        let age = text::age(now - at);
        printer.line(format!("  {} by {}, {age}{note}", message.status, text::line(by)))?;
    }
    if let Some(at) = message.swept_at {
        printer.line(format!("  {}", swept(now - at)))?;
    }
    for recipient in &report.recipients {
        printer.line(format!("  {}", describe(recipient, now)))?;
    }
    Ok(())
}

fn describe(recipient: &Recipient, now: Millis) -> String {
    let mut line = format!("{}: {}", text::line(&recipient.address), recipient.outcome);
    if let (Some(event), Some(at)) = (&recipient.event, recipient.offered_at) {
        line += &format!("; offered by {event} {}", text::age(now - at));
    }
    if let (Some(proof), Some(at)) = (&recipient.proof, recipient.seen_at) {
        line += &format!("; seen {}, proved by {proof}", text::age(now - at));
    }
    if let Some(at) = recipient.stalled_at {
        line += &format!("; stalled {}", text::age(now - at));
    }
    if recipient.attempts > 1 {
        line += &format!("; {} attempts", recipient.attempts);
    }
    let reason = recipient.last_error.as_deref().unwrap_or_default();
    if let Some(at) = recipient.dead_at {
        line += &format!("; given up {}: {reason}", text::age(now - at));
    } else if !reason.is_empty() && recipient.seen_at.is_none() {
        line += &format!("; the last one failed: {reason}");
    }
    if let Some(at) = recipient.dropped_at {
        line += &format!("; put aside {}", text::age(now - at));
    }
    line
}
