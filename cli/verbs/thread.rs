//! `mailstop thread`.

use mailstop_core::delivery;
use serde_json::json;

use super::read::print;
use crate::args::OneMessage;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Prints the messages of a thread, the oldest first.
pub(crate) fn run(args: &OneMessage, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let now = mailbox.now;
    let messages = mailbox.look(|work, _| {
        let named = work.thread(&args.id)?;
        if !named.is_empty() {
            return Ok(named);
        }
        let report = delivery::report(work, &args.id, &[], now)?;
        Ok(work.thread(&report.message.thread)?)
    })?;
    let documents: Vec<_> = messages.iter().map(documents::message).collect();
    printer.document(&json!({ "messages": documents }))?;
    for (place, message) in messages.iter().enumerate() {
        if place > 0 {
            printer.line("")?;
        }
        print(message, now, printer)?;
    }
    Ok(())
}
