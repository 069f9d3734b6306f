//! What was given up: listed, or put aside.

use super::{listing, terms};
use crate::message::{Millis, Status};
use crate::refusal::Refusal;
use crate::store::{Dead, FailedAnswer, Message, Result, Work};

/// Everything that is not tried again by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Letters {
    /// Deliveries that were given up, the oldest first.
    pub deliveries: Vec<Dead>,
    /// Answers that failed, the oldest first.
    pub answers: Vec<FailedAnswer>,
}

impl Letters {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.deliveries.len() + self.answers.len()
    }
}

/// One of them, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The id of its message, or of the question that it answers.
    pub id: String,
    /// The reader that it did not reach.
    pub address: String,
    /// Who it is owed to now; none when nobody is there.
    pub to: Option<String>,
}

/// Lists what was given up and still matters.
///
/// # Errors
/// When the store fails.
pub fn dead(work: &Work<'_>, now: Millis) -> Result<Letters> {
    let deliveries = work.dead(terms::believed(work, now)?)?;
    Ok(Letters { deliveries, answers: work.failed_answers()? })
}

/// Puts a message aside for good where it was given up; with `rehearse` only tells where
/// that is.
///
/// # Errors
/// When nothing of it was given up, it is no longer pending, or the store fails.
pub fn drop_dead(
    work: &Work<'_>,
    id: &str,
    rehearse: bool,
    now: Millis,
) -> std::result::Result<Vec<Letter>, Refusal> {
    let message = listing::find(work, id)?;
    let mut failed = work.failed_answers()?;
    failed.retain(|answer| answer.id == message.id);
    let mut dropped = Vec::new();
    if let Some(answer) = failed.pop() {
        if !rehearse {
            work.drop_answer(message.seq, now)?;
        }
        dropped.push(Letter { id: message.id, address: answer.asker, to: None });
        return Ok(dropped);
    }
    for dead in given_up(work, &message, now)? {
        if !rehearse {
            work.drop_dead(&dead, now)?;
        }
        dropped.push(Letter { id: dead.id, address: dead.address, to: None });
    }
    Ok(dropped)
}

/// What of a pending message was given up.
pub(super) fn given_up(
    work: &Work<'_>,
    message: &Message,
    now: Millis,
) -> std::result::Result<Vec<Dead>, Refusal> {
    let id = &message.id;
    let dead = work.dead_of(message.seq)?;
    let tells = || format!("`mailstop status {id}` tells where it is");
    if dead.is_empty() {
        return Err(if work.has_dropped(message.seq)? {
            Refusal::state(
                "already_dropped",
                format!("{id} was put aside for good"),
                "send its text again if it still matters",
            )
        } else {
            Refusal::not_found(format!("nothing is dead for {id}"), tells())
        });
    }
    let status = terms::status_of(work, message, now)?;
    if status != Status::Pending {
        let message = format!("{id} is {status}, and is not delivered any more");
        return Err(Refusal::state("not_pending", message, tells()));
    }
    Ok(dead)
}
