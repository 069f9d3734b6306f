//! What was given up is tried again, by its reader or by who is there in its place.

use super::dead::{Letter, dead, given_up};
use super::presence::{self, Presence};
use super::register::is_live;
use super::{folders, listing};
use crate::message::{Address, Millis};
use crate::refusal::Refusal;
use crate::store::{Dead, Key, Result, Work};

/// Has a message tried again where it was given up, with a new budget.
///
/// # Errors
/// When nothing of it was given up, it is no longer pending, nobody is there to get it, or
/// the store fails.
pub fn retry(work: &Work<'_>, id: &str, now: Millis) -> std::result::Result<Vec<Letter>, Refusal> {
    let message = listing::find(work, id)?;
    if let Some(asker) = work.retry_answer(message.seq, now)? {
        return Ok(vec![Letter { id: message.id, address: asker.clone(), to: Some(asker) }]);
    }
    let mut retried = Vec::new();
    for dead in given_up(work, &message, now)? {
        retried.push(redeliver(work, dead, now)?);
    }
    if retried.iter().any(|letter| letter.to.is_some()) {
        return Ok(retried);
    }
    let addresses: Vec<&str> = retried.iter().map(|letter| letter.address.as_str()).collect();
    Err(Refusal::state(
        "nobody_there",
        format!("{} was forgotten, and nobody is there in its place", addresses.join(", ")),
        format!(
            "{0} stays dead; send it to somebody else, or `mailstop dead drop {0}`",
            message.id
        ),
    ))
}

/// Has everything tried again that was given up.
///
/// # Errors
/// When the store fails.
pub fn retry_all(work: &Work<'_>, now: Millis) -> Result<Vec<Letter>> {
    let letters = dead(work, now)?;
    let mut retried = Vec::new();
    for dead in letters.deliveries {
        retried.push(redeliver(work, dead, now)?);
    }
    for answer in letters.answers {
        if let Some(message) = work.message(&answer.id)? {
            let to = work.retry_answer(message.seq, now)?;
            retried.push(Letter { id: answer.id, address: answer.asker, to });
        }
    }
    Ok(retried)
}

/// Tells what [`retry_all`] would do.
///
/// # Errors
/// When the store fails.
pub fn rehearse_retry_all(work: &Work<'_>, now: Millis) -> Result<Vec<Letter>> {
    let letters = dead(work, now)?;
    let mut retried = Vec::new();
    for dead in letters.deliveries {
        let to = successor(work, &dead)?.map(|reader| work.address_of(reader)).transpose()?;
        retried.push(Letter { id: dead.id, address: dead.address, to });
    }
    retried.extend(letters.answers.into_iter().map(|answer| {
        let to = Some(answer.asker.clone());
        Letter { id: answer.id, address: answer.asker, to }
    }));
    Ok(retried)
}

fn redeliver(work: &Work<'_>, dead: Dead, now: Millis) -> Result<Letter> {
    let mut to = None;
    if let Some(reader) = successor(work, &dead)? {
        let awaits = presence::of_reader(work, reader, now)? == Presence::Awaiting;
        if work.redeliver(&dead, reader, awaits, now)? {
            to = Some(work.address_of(reader)?);
        }
    }
    Ok(Letter { id: dead.id, address: dead.address, to })
}

/// Who gets what a reader did not: itself, or who is there in its place now.
fn successor(work: &Work<'_>, dead: &Dead) -> Result<Option<Key>> {
    let Ok(Address::Session(key)) = dead.address.parse() else {
        return Ok(Some(dead.reader));
    };
    if let Some(session) = work.session_with_key(&key)? {
        let current = work.session_row(work.continuation(session.id)?)?;
        return Ok(current.map(|session| session.own_mailbox));
    }
    if let Ok(address @ Address::Project(_)) = dead.recipient.parse() {
        for reader in folders::project_inbox(work, &address)?.readers {
            if work.delivery(dead.seq, reader)?.is_none() {
                return Ok(Some(reader));
            }
        }
        return Ok(None);
    }
    let Some(heir) = dead.heir else {
        return Ok(None);
    };
    for session in work.holders(heir)? {
        if is_live(work, &session)? {
            return Ok(Some(heir));
        }
    }
    Ok(None)
}
