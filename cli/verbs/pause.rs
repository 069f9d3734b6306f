//! `mailstop pause` and `mailstop unpause`.

use mailstop_core::message::Name;
use mailstop_core::refusal::Refusal;
use serde_json::json;

use crate::args::OneName;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Turns the waking of an agent off or on.
pub(crate) fn run(args: &OneName, paused: bool, printer: &mut Printer) -> Result<(), CliError> {
    let address = Mailbox::open()?.act(|work, actor, _| {
        let mailbox = match &args.name {
            Some(name) => {
                let name: Name = name.trim_start_matches("agent/").parse()?;
                work.mailbox_named(&name)?.ok_or_else(|| {
                    Refusal::not_found(
                        format!("no agent `{name}`"),
                        "`mailstop sessions` lists them",
                    )
                })?
            }
            None => {
                actor.session.as_ref().and_then(|session| session.agent_mailbox).ok_or_else(
                    || Refusal::usage("no agent named", "name one: mailstop pause NAME"),
                )?
            }
        };
        work.set_paused(mailbox, paused)?;
        Ok(work.address_of(mailbox)?)
    })?;
    printer.document(&json!({ "address": address, "paused": paused }))?;
    let words = if paused { "is paused: nothing wakes it" } else { "can be woken again" };
    printer.line(format!("{address} {words}"))
}
