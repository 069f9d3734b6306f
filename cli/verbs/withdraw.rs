//! `mailstop withdraw`.

use mailstop_core::delivery::{self, Closing};
use mailstop_core::message::Status;
use serde_json::json;

use crate::args::OneMessage;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Takes a message back.
pub(crate) fn run(args: &OneMessage, printer: &mut Printer) -> Result<(), CliError> {
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let closed = mailbox.act(|work, actor, _| delivery::withdraw(work, &args.id, actor, now))?;
    let (status, changed) = match closed.closing {
        Closing::Done => (Status::Withdrawn, true),
        Closing::Already(status) => (status, false),
    };
    printer.document(&json!({ "id": closed.id, "status": status.as_str(), "changed": changed }))?;
    let word = if changed { "" } else { "already " };
    printer.line(format!("{word}{status} {}", closed.id))
}
