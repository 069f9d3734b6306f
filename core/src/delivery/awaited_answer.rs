//! Somebody who waits in a shell for an answer: it is claimed and printed there, and counts
//! as seen once that is done.

use super::target::readers_of_sender;
use super::{answer, answers};
use crate::message::{Kind, Millis, Priority};
use crate::policy::Lane;
use crate::refusal::Refusal;
use crate::store::{ANSWER_LEASE, AnswerProgress, Asked, Claim, Key, Standing, Went, What, Work};

/// What proves that a message was seen: the shell that asked printed it.
const PROOF: &str = "ask";

/// What somebody who waits finds.
#[derive(Debug)]
pub enum Awaited {
    /// Nothing yet.
    Nothing,
    /// The question was taken back, or closed without an answer.
    Cancelled,
    /// The answer, to be printed and then noted with [`received`].
    Answered(Box<Received>),
    /// The answer cannot be told, for this reason.
    Failed(String),
}

/// An answer that a shell has got.
#[derive(Debug)]
pub struct Received {
    /// The question.
    pub asked: Asked,
    /// The answer as text.
    pub text: String,
    /// The right to deliver it, unless that has been done.
    claim: Option<Claim>,
}

/// Whether a question is open and it is well noted that somebody waits: there is nothing to
/// do yet.
///
/// # Errors
/// When the question is not there, or the store fails.
pub fn is_awaited(work: &Work<'_>, id: &str, now: Millis) -> Result<bool, Refusal> {
    let (_, asked) = answer::find(work, id)?;
    let ahead = asked.waited_until.map_or(0, |until| until - now);
    Ok(asked.standing == Standing::Open && (ANSWER_LEASE / 2..=ANSWER_LEASE).contains(&ahead))
}

/// Looks for the answer to a question, and claims it. While there is none it is noted that
/// somebody goes on waiting.
///
/// # Errors
/// When the question is not there, or the store fails.
pub fn await_answer(work: &Work<'_>, id: &str, now: Millis) -> Result<Awaited, Refusal> {
    let (_, asked) = answer::find(work, id)?;
    match asked.standing {
        Standing::Cancelled => return Ok(Awaited::Cancelled),
        Standing::Open => {
            work.note_waiting(asked.message, Some(now + ANSWER_LEASE))?;
            return Ok(Awaited::Nothing);
        }
        Standing::Answered => {}
    }
    let text = answers::text(work, &asked)?;
    if let Some(claim) = work.claim_answer(asked.message, true, now)? {
        return match text {
            Ok(text) => {
                Ok(Awaited::Answered(Box::new(Received { asked, text, claim: Some(claim) })))
            }
            Err(code) => {
                work.release_claim(claim, now)?;
                work.note_waiting(asked.message, None)?;
                Ok(Awaited::Failed(code.to_owned()))
            }
        };
    }
    let delivery = work.answer_delivery(asked.message)?;
    Ok(match (delivery.map(|delivery| (delivery.progress, delivery.last_error)), text) {
        (Some((AnswerProgress::Delivered, _)), Ok(text)) => {
            Awaited::Answered(Box::new(Received { asked, text, claim: None }))
        }
        (Some((AnswerProgress::Failed, error)), _) => Awaited::Failed(error.unwrap_or_default()),
        (_, Err(code)) => Awaited::Failed(code.to_owned()),
        // Somebody else has it just now.
        (Some((AnswerProgress::Pending | AnswerProgress::Delivering, _)) | None, _) => {
            Awaited::Nothing
        }
    })
}

/// Notes that a shell has printed an answer: it is seen, and delivered if it was not. Says
/// whether this shell delivered it.
///
/// # Errors
/// When the store fails.
pub fn received(work: &Work<'_>, received: &Received, now: Millis) -> Result<bool, Refusal> {
    let asked = &received.asked;
    work.note_waiting(asked.message, None)?;
    let readers = readers_of_sender(work, &asked.asker)?;
    let holds = match received.claim {
        Some(claim) => work.renew_claim(claim, now)?,
        None => false,
    };
    let (Some(claim), true) = (received.claim, holds) else {
        prove_delivered(work, asked, &readers, now)?;
        return Ok(false);
    };
    let stored = answers::store(work, asked, &received.text, now)?;
    for reader in readers {
        work.add_delivery(stored.seq, reader, Lane::Steer, Priority::Normal.rank(), false)?;
        work.prove(stored.seq, reader, PROOF, now)?;
    }
    work.answer_delivered(claim, Went::Steered, now)?;
    answers::record(work, What::Delivered, asked, Went::Steered.as_str(), now)?;
    Ok(true)
}

/// Marks the message with the answer as seen, which somebody else delivered.
fn prove_delivered(
    work: &Work<'_>,
    asked: &Asked,
    readers: &[Key],
    now: Millis,
) -> Result<(), Refusal> {
    let Some(question) = work.message(&asked.id)? else {
        return Ok(());
    };
    for message in work.thread(&question.thread)? {
        let is_answer = message.kind == Kind::answer()
            && message.reply_to.as_deref() == Some(asked.id.as_str());
        if is_answer {
            for reader in readers {
                work.prove(message.seq, *reader, PROOF, now)?;
            }
        }
    }
    Ok(())
}

/// Notes that nobody waits any longer: the answer will go by mail.
///
/// # Errors
/// When the question is not there, or the store fails.
pub fn stop_waiting(work: &Work<'_>, id: &str) -> Result<(), Refusal> {
    let (message, _) = answer::find(work, id)?;
    Ok(work.note_waiting(message.seq, None)?)
}
