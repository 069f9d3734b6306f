//! `mailstop send`.

use std::time::Duration;

use jiff::{SignedDuration, Span, SpanRelativeTo};
use mailstop_core::delivery::{self, Draft, Sent};
use mailstop_core::message::{Millis, Outcome, Status};
use mailstop_core::text;
use serde_json::{Value, json};

use crate::args::{Body, SendArgs, Traits};
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::text_input;
use crate::wait::{self, Waited};
use mailstop_core::refusal::Class;

/// Sends a message and says what became of it.
pub(crate) fn run(args: &SendArgs, printer: &mut Printer) -> Result<(), CliError> {
    let mut draft = draft(&args.traits, &args.text)?;
    draft.to.clone_from(&args.to);
    draft.thread.clone_from(&args.thread);
    draft.reply_to.clone_from(&args.reply_to);
    draft.allow_unknown = args.allow_unknown;
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let sent = mailbox.act(|work, actor, rules| delivery::send(work, &draft, actor, rules, now))?;
    match args.wait_for {
        None => tell(&sent, printer),
        Some(goal) => {
            // A person who gives up waiting knows the id by then.
            if !printer.is_json() {
                tell(&sent, printer)?;
                printer.flush()?;
            }
            let timeout = args.timeout.map(Duration::from_secs);
            let waited = wait::wait_for(&sent.report.message.id, goal, timeout, printer)?;
            tell_waited(&sent, waited, printer)
        }
    }
}

/// Prints what became of a message that was waited for.
fn tell_waited(sent: &Sent, waited: Waited, printer: &mut Printer) -> Result<(), CliError> {
    let mut document = document(sent);
    let now = documents::report(&waited.report);
    document["outcome"] = now["outcome"].clone();
    document["recipients"] = now["recipients"].clone();
    document["status"] = now["status"].clone();
    if let Some(refusal) = &waited.refusal {
        document["error"] = refusal.document();
    }
    printer.document(&document)?;
    match waited.refusal {
        Some(refusal) if printer.is_json() => Err(CliError::from(refusal).told()),
        Some(refusal) => Err(refusal.into()),
        None => printer.line(format!("{} is {}", sent.report.message.id, waited.report.outcome)),
    }
}

/// The part of a message that sending and replying share.
pub(super) fn draft(traits: &Traits, text: &Body) -> Result<Draft, CliError> {
    let word = |error| CliError::from(mailstop_core::refusal::Refusal::from(error));
    let status: Option<Status> =
        traits.status.as_deref().map(str::parse).transpose().map_err(word)?;
    if status.is_some_and(|status| !matches!(status, Status::Resolved | Status::Pending)) {
        return Err(CliError::new(Class::Usage, "a message cannot be sent with that status")
            .hint("leave --status out, or give `resolved`"));
    }
    Ok(Draft {
        to: String::new(),
        from: traits.from.clone(),
        subject: traits.subject.clone().unwrap_or_default(),
        body: text_input::read(text)?.unwrap_or_default(),
        kind: traits.kind.parse().map_err(word)?,
        priority: traits.priority.parse().map_err(word)?,
        disposition: traits.disposition.as_deref().map(str::parse).transpose().map_err(word)?,
        mode: traits.mode.parse().map_err(word)?,
        thread: None,
        reply_to: None,
        tags: traits.tags.clone(),
        status,
        correlation: traits.correlation.clone(),
        term: traits.expires.as_deref().map(term).transpose()?,
        allow_unknown: false,
    })
}

/// A term in milliseconds, of a duration such as `2h 30m` or `3d`.
fn term(text: &str) -> Result<Millis, CliError> {
    let duration = text
        .parse::<Span>()
        .and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()))
        .ok()
        .filter(SignedDuration::is_positive);
    duration
        .map(|duration| Millis::try_from(duration.as_millis()).unwrap_or(Millis::MAX))
        .ok_or_else(|| {
            CliError::new(Class::Usage, format!("not a valid duration: `{text}`"))
                .hint("such as 30m, 2h 30m, 3d or 1w")
        })
}

/// What was sent, as a document.
pub(super) fn document(sent: &Sent) -> Value {
    let mut document = documents::report(&sent.report);
    document["delivery"] = json!(sent.report.outcome.as_str());
    document["warnings"] = json!(sent.warnings);
    document
}

/// Prints the id, where the message is, and what the sender should know.
pub(super) fn tell(sent: &Sent, printer: &mut Printer) -> Result<(), CliError> {
    let (message, outcome) = (&sent.report.message, sent.report.outcome);
    printer.document(&document(sent))?;
    let words = match outcome {
        Outcome::Queued if message.recipient == "user" => {
            "queued; read it with mailstop inbox --for user"
        }
        Outcome::Deferred => "awaiting user interaction; held, delivers once it settles",
        Outcome::Sent => "sent; shown at its next tool call",
        Outcome::Queued => "queued; shown at its next prompt, stop or start",
        Outcome::Resolved => "stored as resolved; shown once as information",
        other => other.as_str(),
    };
    printer.line(format!("{} to {}: {words}", message.id, text::line(&message.recipient)))?;
    if !printer.is_json() {
        sent.warnings.iter().for_each(|warning| printer.complain("warning", warning));
    }
    Ok(())
}
