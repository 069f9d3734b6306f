//! Asking: a message that carries a question set.

use super::Actor;
use super::send::{self, Draft, Sent};
use crate::message::{self, Disposition, Kind, Millis, Mode, Priority};
use crate::policy::Rules;
use crate::question::{self, QuestionSet, one_line, question_text};
use crate::refusal::Refusal;
use crate::store::{ANSWER_LEASE, Work};

/// What somebody asks.
#[derive(Debug, Clone)]
pub struct Inquiry {
    /// Whom, as the asker wrote it.
    pub to: String,
    /// Whom it speaks for; none is who asks.
    pub from: Option<String>,
    /// The questions.
    pub set: QuestionSet,
    /// Whether the asker waits in its shell for the answer.
    pub waits: bool,
    /// Whether a recipient that nobody ever had is fine.
    pub allow_unknown: bool,
}

/// Stores a question and its deliveries. `mailstop` is the command that an agent answers
/// with.
///
/// # Errors
/// When it is refused, or the store fails; nothing is stored then.
pub fn ask(
    work: &Work<'_>,
    inquiry: &Inquiry,
    mailstop: &str,
    actor: &Actor,
    rules: &Rules,
    now: Millis,
) -> Result<Sent, Refusal> {
    let mut sent = send::send(work, &draft(inquiry), actor, rules, now)?;
    let message = &mut sent.report.message;
    // A person types; an agent copies.
    let mailstop = if message.recipient == "user" { "mailstop" } else { mailstop };
    message.body = question_text(&inquiry.set, &message.id, mailstop);
    let set = question::canonical(&serde_json::json!(inquiry.set));
    work.add_question(message.seq, &message.sender, &set, &message.body)?;
    if inquiry.waits {
        work.note_waiting(message.seq, Some(now + ANSWER_LEASE))?;
    }
    Ok(sent)
}

fn draft(inquiry: &Inquiry) -> Draft {
    let first = inquiry.set.questions.first();
    let title = first.map_or("", |one| one.header.as_deref().unwrap_or(&one.prompt));
    let subject = one_line(title);
    let is_long = subject.chars().count() > message::MAX_SUBJECT_CHARS;
    Draft {
        to: inquiry.to.clone(),
        from: inquiry.from.clone(),
        subject: if is_long { message::cut_subject(&subject) } else { subject },
        // The text names the message's id, which there is not yet.
        body: String::from("?"),
        kind: Kind::question(),
        priority: Priority::Normal,
        disposition: Some(Disposition::Actionable),
        mode: Mode::Auto,
        thread: None,
        reply_to: None,
        tags: Vec::new(),
        status: None,
        correlation: None,
        term: None,
        allow_unknown: inquiry.allow_unknown,
    }
}
