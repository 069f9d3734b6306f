//! `mailstop cancel`.

use mailstop_core::delivery;
use serde_json::json;

use crate::args::OneMessage;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Ends a question without an answer.
pub(crate) fn run(args: &OneMessage, printer: &mut Printer) -> Result<(), CliError> {
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let ended = mailbox.act(|work, actor, _| delivery::cancel(work, &args.id, actor, now))?;
    printer
        .document(&json!({ "id": ended.id, "status": "cancelled", "changed": ended.changed }))?;
    let word = if ended.changed { "" } else { "already " };
    printer.line(format!("{word}cancelled {}", ended.id))
}
