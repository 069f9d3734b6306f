//! `mailstop name`.

use mailstop_core::delivery::{self, Renamed};
use mailstop_core::message::Name;
use mailstop_core::refusal::Refusal;
use serde_json::json;

use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Tells this session's name, or changes it.
pub(crate) fn run(new: Option<&str>, printer: &mut Printer) -> Result<(), CliError> {
    let Some(new) = new else {
        let mut mailbox = Mailbox::open_to_read()?;
        let address = mailbox.look(|_, actor| Ok(actor.address.clone()))?;
        printer.document(&json!({ "address": address }))?;
        return printer.line(address);
    };
    let name: Name = new.parse().map_err(Refusal::from)?;
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let old = mailbox.act(|work, actor, _| match delivery::rename(work, actor, &name, now)? {
        Renamed::Done { old } => Ok(old),
        Renamed::Held => Err(Refusal::usage(
            format!("the name {name} is held by another session"),
            "choose another one",
        )),
        Renamed::NoSession => Err(Refusal::usage(
            "only an agent's session has a name",
            "run this in an agent's shell, or start the client with MAILSTOP_NAME set",
        )),
    })?;
    printer.document(&json!({ "address": format!("agent/{name}"), "was": old }))?;
    printer.line(format!("agent/{name}"))
}
