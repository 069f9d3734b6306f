//! `mailstop reply`.

use mailstop_core::delivery::{self, Reply};

use super::send::{draft, tell};
use crate::args::ReplyArgs;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Answers a message.
pub(crate) fn run(args: &ReplyArgs, printer: &mut Printer) -> Result<(), CliError> {
    let reply = Reply { to: args.id.clone(), draft: draft(&args.traits, &args.text)? };
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let sent =
        mailbox.act(|work, actor, rules| delivery::reply(work, &reply, actor, rules, now))?;
    tell(&sent, printer)
}
