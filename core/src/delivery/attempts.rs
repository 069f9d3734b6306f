//! What an attempt to deliver came to: it was seen, it failed, or it was the last one.

use super::notice::{self, Notice, Weight};
use crate::message::{Millis, Status};
use crate::store::{Key, Message, Result, Unproved, Work};

/// Failed attempts in a row after which a delivery is given up.
const BUDGET: u32 = 10;
/// Why an attempt failed whose offer nothing proved.
const NOT_FOUND: &str = "offered, but not found in the transcript";
/// What a sender hears once of a message that was given up, in one word.
const EXHAUSTED: &str = "retry_exhausted";
/// What it hears once when that message was seen after all.
const SUCCESS: &str = "retry_success";

/// An offer was proved.
pub(super) fn seen(work: &Work<'_>, offer: &Unproved, proof: &str, now: Millis) -> Result<()> {
    if work.prove(offer.seq, offer.reader, proof, now)?
        && let Some(message) = work.message(&offer.id)?
    {
        tell_success(work, &message, offer.reader, now)?;
    }
    Ok(())
}

/// A reader proved by what it did that it has a message.
pub(super) fn seen_by_act(
    work: &Work<'_>,
    message: &Message,
    reader: Key,
    act: &str,
    now: Millis,
) -> Result<()> {
    if work.prove(message.seq, reader, act, now)? {
        tell_success(work, message, reader, now)?;
    }
    Ok(())
}

/// Nobody can have seen an offer: it is taken back, and the last one in a row ends the
/// delivery.
pub(super) fn failed(work: &Work<'_>, offer: &Unproved, now: Millis) -> Result<()> {
    if work.retract(offer.seq, offer.reader, NOT_FOUND, now)? >= BUDGET
        && let Some(message) = work.message(&offer.id)?
    {
        give_up(work, &message, offer.reader, NOT_FOUND, now)?;
    }
    Ok(())
}

/// Ends a delivery that is not tried again by itself, and tells the sender.
pub(super) fn give_up(
    work: &Work<'_>,
    message: &Message,
    reader: Key,
    reason: &str,
    now: Millis,
) -> Result<()> {
    let given_up = work.give_up((message.seq, reader), reason, now)?;
    if !given_up || message.status != Status::Pending {
        return Ok(());
    }
    let Some(delivery) = work.delivery(message.seq, reader)? else {
        return Ok(());
    };
    let (id, address) = (&message.id, &delivery.address);
    let subject = format!("{id} could not be delivered to {address}");
    let body = format!(
        "Your message {id} ({}) to {address} was given up: {reason}; attempts: {}. It is not tried \
         again by itself.\n`mailstop dead retry {id}` tries it again; `mailstop dead drop {id}` puts \
         it aside.",
        message.subject, delivery.attempts
    );
    let notice = Notice { about: address, event: EXHAUSTED, subject: &subject, body: &body };
    notice::tell_sender_as(work, message, notice, Weight::Presses, now)
}

/// A sender that heard of a failure hears once that it is over.
fn tell_success(work: &Work<'_>, message: &Message, reader: Key, now: Millis) -> Result<()> {
    if !work.has_notice(&message.id, EXHAUSTED)? {
        return Ok(());
    }
    let (id, address) = (&message.id, work.address_of(reader)?);
    let subject = format!("{id} was delivered to {address} after all");
    let body = format!("Your message {id} ({}), which was given up, was seen.", message.subject);
    let notice = Notice { about: &address, event: SUCCESS, subject: &subject, body: &body };
    notice::tell_sender_as(work, message, notice, Weight::Informs, now)
}
