//! `mailstop read`.

use mailstop_core::delivery;
use mailstop_core::message::Millis;
use mailstop_core::store::Message;
use mailstop_core::text;

use crate::args::OneMessage;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::{Printer, Style};
use mailstop_core::refusal::Class;

/// Prints a message whole.
pub(crate) fn run(args: &OneMessage, printer: &mut Printer) -> Result<(), CliError> {
    let (message, now) = match read(args) {
        // Where nothing can be written the text can still be read; the receipt waits.
        Err(error) if error.class() == Class::Store => look(args)?,
        read => read?,
    };
    printer.document(&documents::message(&message))?;
    print(&message, now, printer)
}

fn read(args: &OneMessage) -> Result<(Message, Millis), CliError> {
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let message = mailbox.act(|work, actor, _| delivery::read(work, &args.id, actor, now))?;
    Ok((message, now))
}

fn look(args: &OneMessage) -> Result<(Message, Millis), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let now = mailbox.now;
    let report = mailbox.look(|work, _| delivery::report(work, &args.id, &[], now))?;
    Ok((report.message, now))
}

/// What a sweep has left.
pub(super) fn swept(since: Millis) -> String {
    format!("its content was removed {}", text::age(since))
}

/// Prints headings and body, safe for a terminal.
pub(super) fn print(message: &Message, now: Millis, printer: &mut Printer) -> Result<(), CliError> {
    let disposition = message.disposition.map_or("actionable", |word| word.as_str());
    let rows = [
        ("id", message.id.clone()),
        ("from", message.sender.clone()),
        ("to", message.recipient.clone()),
        ("age", text::age(now - message.created_at)),
        ("kind", format!("{}, {}, {disposition}", message.kind.as_str(), message.priority)),
        ("status", message.status.to_string()),
        ("thread", message.thread.clone()),
        ("subject", message.subject.clone()),
        ("note", message.note.clone().unwrap_or_default()),
        ("expires", message.expires_at.map_or(String::new(), |at| text::until(at - now))),
        ("swept", message.swept_at.map_or(String::new(), |at| swept(now - at))),
    ];
    for (name, value) in rows.iter().filter(|(_, value)| !value.is_empty()) {
        let name = printer.paint(Style::Dim, &format!("{name:<8}"));
        printer.line(format!("{name} {}", text::line(value)))?;
    }
    if !message.body.is_empty() {
        printer.line("")?;
        printer.line(text::lines(message.body.strip_suffix('\n').unwrap_or(&message.body)))?;
    }
    Ok(())
}
