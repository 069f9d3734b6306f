//! `mailstop` alone: the mailbox and the sessions at a glance.

use mailstop_core::delivery;
use serde_json::json;

use super::sessions;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Prints the counts and who is there.
pub(crate) fn run(printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let now = mailbox.now;
    let (address, totals, listed, dead) = mailbox.look(|work, actor| {
        let dead = delivery::dead(work, now)?.count();
        Ok((actor.address.clone(), work.totals()?, sessions::list(work, false, now)?, dead))
    })?;
    printer.document(&json!({
        "address": address,
        "messages": totals.messages,
        "pending": totals.pending,
        "unread": totals.unread,
        "offered": totals.offered,
        "dead": dead,
        "sessions": listed.iter().map(sessions::document).collect::<Vec<_>>(),
    }))?;
    printer.line(format!(
        "You are {address}. {} {}: {} pending, {} unread, {} offered.",
        totals.messages,
        if totals.messages == 1 { "message" } else { "messages" },
        totals.pending,
        totals.unread,
        totals.offered
    ))?;
    if dead > 0 {
        printer.line(format!("{dead} given up: mailstop dead list"))?;
    }
    if listed.is_empty() {
        printer.line("No session is known. `mailstop install` registers the hooks.")?;
    } else {
        printer.line("")?;
        sessions::print(&listed, now, printer)?;
    }
    printer.line("")?;
    printer.line("mailstop inbox lists mail; mailstop --help tells the rest")
}
