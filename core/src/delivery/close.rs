//! Reading, resolving and withdrawing.

use super::{Actor, attempts, listing};
use crate::message::{Millis, Status};
use crate::refusal::Refusal;
use crate::store::{Message, Work};

/// What closing a message came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    /// It was pending and is closed now.
    Done,
    /// It was closed before, so.
    Already(Status),
}

/// A message that somebody wanted closed.
#[derive(Debug, Clone)]
pub struct Closed {
    /// Its id.
    pub id: String,
    /// What came of it.
    pub closing: Closing,
}

/// Resolves a message, for all its readers. Doing it again changes nothing.
///
/// # Errors
/// When the message is not there, or the store fails.
pub fn close(
    work: &Work<'_>,
    id: &str,
    note: Option<&str>,
    actor: &Actor,
    now: Millis,
) -> Result<Closed, Refusal> {
    let message = listing::find(work, id)?;
    note_act(work, &message, actor, "resolve", now)?;
    end(work, &message, Status::Resolved, note, actor, now)
}

/// Takes a message back that its own sender sent.
///
/// # Errors
/// When the message is not there, is somebody else's, or the store fails.
pub fn withdraw(work: &Work<'_>, id: &str, actor: &Actor, now: Millis) -> Result<Closed, Refusal> {
    let message = listing::find(work, id)?;
    if !is_own(&message, actor) {
        return Err(Refusal::usage(
            format!(
                "{} was sent by {}, and only its sender can withdraw it",
                message.id, message.sender
            ),
            "use `resolve` to close it",
        ));
    }
    if message.status == Status::Resolved {
        return Err(Refusal::state(
            "already_resolved",
            format!("{} was resolved before it could be taken back", message.id),
            "`mailstop status` tells by whom",
        ));
    }
    end(work, &message, Status::Withdrawn, None, actor, now)
}

/// Whether a message is an actor's to take back.
pub(super) fn is_own(message: &Message, actor: &Actor) -> bool {
    match &actor.session {
        Some(_) => message.sender == actor.address || message.sent_by == actor.truly(),
        // The person may take back what was sent from this machine's own shell.
        None => !message.sent_by.starts_with("session/"),
    }
}

pub(super) fn end(
    work: &Work<'_>,
    message: &Message,
    status: Status,
    note: Option<&str>,
    actor: &Actor,
    now: Millis,
) -> Result<Closed, Refusal> {
    let id = message.id.clone();
    if !work.close_message(message.seq, status, &actor.address, note, now)? {
        return Ok(Closed { id, closing: Closing::Already(message.status) });
    }
    // Nobody needs to hear of what was taken back before they saw it.
    let inform = status == Status::Resolved && message.recipient.starts_with("project/");
    work.end_deliveries(message.seq, inform)?;
    Ok(Closed { id, closing: Closing::Done })
}

/// Reads a message whole. Reading makes a receipt and changes nothing else.
///
/// # Errors
/// When the message is not there, or the store fails.
pub fn read(work: &Work<'_>, id: &str, actor: &Actor, now: Millis) -> Result<Message, Refusal> {
    let message = listing::find(work, id)?;
    note_act(work, &message, actor, "read", now)?;
    Ok(message)
}

fn note_act(
    work: &Work<'_>,
    message: &Message,
    actor: &Actor,
    act: &str,
    now: Millis,
) -> Result<(), Refusal> {
    for reader in actor.readers(work)? {
        attempts::seen_by_act(work, message, reader, act, now)?;
    }
    Ok(())
}
