//! `mailstop answer`.

use mailstop_core::delivery;
use mailstop_core::question::Given;
use mailstop_core::store::{AnswerDelivery, AnswerProgress, Went};
use mailstop_core::text;

use crate::args::AnswerArgs;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;

/// Answers a question, and tells how the answer went.
pub(crate) fn run(args: &AnswerArgs, printer: &mut Printer) -> Result<(), CliError> {
    let given = Given { options: args.options.clone(), texts: args.texts.clone() };
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let asked =
        mailbox.act(|work, actor, _| delivery::answer(work, &args.id, &given, actor, now))?;
    let mut mailbox = Mailbox::open_to_read()?;
    let delivery = mailbox.look(|work, _| Ok(work.answer_delivery(asked.message)?))?;
    printer.document(&documents::question(&asked, delivery.as_ref()))?;
    let words = match &delivery {
        _ if asked.waited_until.is_some_and(|until| until > now) => "its shell waits for it",
        Some(delivery) => describe(delivery),
        None => "",
    };
    printer.line(format!("answered {} for {}: {words}", asked.id, text::line(&asked.asker)))
}

/// How an answer went, in words.
fn describe(delivery: &AnswerDelivery) -> &'static str {
    match (delivery.progress, delivery.went) {
        (AnswerProgress::Failed, _) => "it cannot be delivered; see mailstop questions --all",
        (AnswerProgress::Delivered, Some(Went::Steered)) => "shown at its next tool call",
        (AnswerProgress::Delivered, Some(Went::Joined)) => "delivered with other mail that waits",
        (AnswerProgress::Delivered, Some(Went::Woken)) => "delivered; it was woken",
        (AnswerProgress::Delivered, Some(Went::Waiting) | None) => {
            "delivered; shown at its next event"
        }
        (AnswerProgress::Pending | AnswerProgress::Delivering, _) => {
            "delivered when it is there for it"
        }
    }
}
