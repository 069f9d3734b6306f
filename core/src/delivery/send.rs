//! Sending: who speaks, who is meant, and what became of it.

use super::classify::classify;
use super::listing::{self, Report};
use super::target::Target;
use super::{Actor, attempts, holds, room};
use crate::message::{self, Address, Disposition, Kind, Millis, Mode, Priority, Status};
use crate::policy::{self, Rules};
use crate::refusal::Refusal;
use crate::store::{Message, NewMessage, Work};

/// A message as its sender wrote it.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Where it goes, as the sender wrote it.
    pub to: String,
    /// Whom it speaks for; none is who sends it.
    pub from: Option<String>,
    /// Its subject.
    pub subject: String,
    /// Its body.
    pub body: String,
    /// What it is for.
    pub kind: Kind,
    /// How hard it blocks.
    pub priority: Priority,
    /// Whether it may block; none is classified.
    pub disposition: Option<Disposition>,
    /// How it wants to reach a busy recipient.
    pub mode: Mode,
    /// The thread it continues.
    pub thread: Option<String>,
    /// The message it answers.
    pub reply_to: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The status it is born with.
    pub status: Option<Status>,
    /// The sender's own mark.
    pub correlation: Option<String>,
    /// How long it may wait to be handled, in milliseconds.
    pub term: Option<Millis>,
    /// Whether a recipient that nobody ever had is fine.
    pub allow_unknown: bool,
}

/// What became of a message at once.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The message, and where it is with each recipient.
    pub report: Report,
    /// What the sender should know.
    pub warnings: Vec<String>,
}

/// Stores a message and its deliveries.
///
/// # Errors
/// When it is refused, or the store fails; nothing is stored then.
pub fn send(
    work: &Work<'_>,
    draft: &Draft,
    actor: &Actor,
    rules: &Rules,
    now: Millis,
) -> Result<Sent, Refusal> {
    check(draft)?;
    let sender = speaker(work, draft.from.as_deref(), actor)?;
    let parent = parent(work, draft)?;
    let target = Target::find(work, &draft.to, draft.allow_unknown, actor, now)?;
    target.check_start(work, draft.mode, now)?;
    room::check(work, &target.readers, rules)?;
    let status = draft.status.unwrap_or(Status::Pending);
    let disposition = disposition(draft, parent.as_ref());
    let thread =
        draft.thread.clone().or_else(|| parent.as_ref().map(|parent| parent.thread.clone()));
    let new = NewMessage {
        sender: &sender,
        sent_by: &actor.truly(),
        recipient: &target.address,
        kind: draft.kind.clone(),
        priority: draft.priority,
        disposition,
        mode: draft.mode,
        status,
        subject: &draft.subject,
        body: &draft.body,
        tags: &draft.tags,
        thread: thread.as_deref(),
        reply_to: parent.as_ref().map(|parent| parent.id.as_str()),
        about: None,
        correlation: draft.correlation.as_deref(),
        created_at: now,
        closed: (status != Status::Pending).then_some((now, sender.as_str())),
        expires_at: draft.term.map(|term| now.saturating_add(term)),
    };
    let stored = work.add_message(&new)?;
    let lane = policy::lane(status, Some(disposition), draft.mode);
    for &reader in &target.readers {
        holds::owe(work, stored.seq, reader, lane, draft.priority.rank(), now)?;
    }
    let report = listing::report(work, &stored.id, &rules.block_until_resolved, now)?;
    Ok(Sent { report, warnings: target.warnings })
}

/// Undeclared, a reply to a question is actionable and any other reply is not.
fn disposition(draft: &Draft, parent: Option<&Message>) -> Disposition {
    match (draft.disposition, parent) {
        (Some(declared), _) => declared,
        (None, Some(parent)) if parent.kind.as_str() == Kind::QUESTION => Disposition::Actionable,
        (None, Some(_)) => Disposition::Acknowledgement,
        (None, None) => {
            classify(draft.status, &draft.subject, &draft.tags, &draft.body).disposition()
        }
    }
}

fn check(draft: &Draft) -> Result<(), Refusal> {
    if draft.body.trim().is_empty() && (draft.subject.trim().is_empty() || !draft.body.is_empty()) {
        return Err(Refusal::usage(
            "the message is empty",
            "give --body TEXT, --body-file FILE, or - for standard input",
        ));
    }
    if draft.body.len() > message::MAX_BODY_BYTES {
        return Err(Refusal::usage(
            format!(
                "the body has {} bytes; at most {} are accepted",
                draft.body.len(),
                message::MAX_BODY_BYTES
            ),
            "put the text into a file and send its path",
        ));
    }
    if draft.subject.chars().count() > message::MAX_SUBJECT_CHARS {
        return Err(Refusal::usage(
            format!("the subject is longer than {} characters", message::MAX_SUBJECT_CHARS),
            "put the text into the body",
        ));
    }
    Ok(())
}

/// Whom a message speaks for. Inside an agent's process tree that is the agent.
fn speaker(work: &Work<'_>, from: Option<&str>, actor: &Actor) -> Result<String, Refusal> {
    let Some(from) = from else {
        return Ok(actor.address.clone());
    };
    let address: Address = from.parse()?;
    let Some(session) = &actor.session else {
        return Ok(address.to_string());
    };
    let names = session.agent_mailbox.map_or(Ok(Vec::new()), |mailbox| work.names_of(mailbox))?;
    let own = match &address {
        Address::Agent(name) => names.iter().any(|held| held == name.as_str()),
        Address::Session(key) => *key == session.key,
        Address::Project(_) | Address::User => false,
    };
    if own {
        return Ok(actor.address.clone());
    }
    Err(Refusal::claim(
        format!("this is {}, which cannot speak as {address}", actor.address),
        "leave --from out",
    ))
}

fn parent(work: &Work<'_>, draft: &Draft) -> Result<Option<Message>, Refusal> {
    if let Some(thread) = &draft.thread
        && work.thread(thread)?.is_empty()
    {
        return Err(Refusal::not_found(
            format!("no thread `{thread}`"),
            "leave --thread out to begin a new one",
        ));
    }
    draft.reply_to.as_deref().map(|id| listing::find(work, id)).transpose()
}

/// An answer to a message.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The message answered, by its id or the beginning of it.
    pub to: String,
    /// The rest of the message; its recipient and subject are filled in.
    pub draft: Draft,
}

/// Sends an answer to a message's sender, in its thread.
///
/// # Errors
/// When the message is not there, the answer is refused, or the store fails.
pub fn reply(
    work: &Work<'_>,
    reply: &Reply,
    actor: &Actor,
    rules: &Rules,
    now: Millis,
) -> Result<Sent, Refusal> {
    let parent = listing::find(work, &reply.to)?;
    let mut draft = reply.draft.clone();
    draft.to.clone_from(&parent.sender);
    draft.reply_to = Some(parent.id.clone());
    draft.allow_unknown = true;
    if draft.subject.is_empty() {
        draft.subject = message::reply_subject(&parent.subject);
    }
    if draft.body.trim().is_empty() {
        return Err(Refusal::usage(
            "the reply is empty",
            "give --body TEXT, --body-file FILE, or - for standard input",
        ));
    }
    let sent = send(work, &draft, actor, rules, now)?;
    for reader in actor.readers(work)? {
        attempts::seen_by_act(work, &parent, reader, "reply", now)?;
    }
    Ok(sent)
}
