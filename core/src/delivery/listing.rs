//! Answering: where a message is with each of its recipients.

use super::presence::{self, Presence};
use super::terms;
use crate::message::{Address, Millis, Outcome, Priority, Receipt, Status};
use crate::outcome;
use crate::refusal::Refusal;
use crate::store::{Delivery, Found, Key, Message, Result, Session, Work};

/// Where one message is with one recipient.
#[derive(Debug, Clone)]
pub struct Recipient {
    /// The recipient's address.
    pub address: String,
    /// The client's id of the session it was offered to.
    pub session: Option<String>,
    /// The truthful answer.
    pub outcome: Outcome,
    /// When a hook offered it.
    pub offered_at: Option<Millis>,
    /// Which event's hook.
    pub event: Option<String>,
    /// When it was proved.
    pub seen_at: Option<Millis>,
    /// By what.
    pub proof: Option<String>,
    /// When a turn was let go because of it.
    pub stalled_at: Option<Millis>,
    /// How often it was offered.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it was given up.
    pub dead_at: Option<Millis>,
    /// When it was put aside for good.
    pub dropped_at: Option<Millis>,
}

/// Where one message is with everybody.
#[derive(Debug, Clone)]
pub struct Report {
    /// The message.
    pub message: Message,
    /// The slowest recipient's outcome.
    pub outcome: Outcome,
    /// Each recipient.
    pub recipients: Vec<Recipient>,
}

/// The message that an id, or the beginning of one, names.
pub(super) fn find(work: &Work<'_>, id: &str) -> std::result::Result<Message, Refusal> {
    let missing =
        || Refusal::not_found(format!("no message `{id}`"), "`mailstop inbox --all` lists them");
    match work.find_id(id)? {
        Found::One(id) => work.message(&id)?.ok_or_else(missing),
        Found::None => Err(missing()),
        Found::Many(ids) => {
            Err(Refusal::ambiguous(format!("more than one message begins with `{id}`"), &ids))
        }
    }
}

/// Tells where a message is.
///
/// # Errors
/// When the message is not there, or the store fails.
pub fn report(
    work: &Work<'_>,
    id: &str,
    blocking: &[Priority],
    now: Millis,
) -> std::result::Result<Report, Refusal> {
    let mut message = find(work, id)?;
    message.status = terms::status_of(work, &message, now)?;
    let mut recipients = Vec::new();
    for delivery in work.deliveries(message.seq)? {
        let outcome = outcome_of(work, &message, &delivery, blocking, now)?;
        recipients.push(Recipient {
            address: delivery.address,
            session: delivery.session,
            outcome,
            offered_at: delivery.offered_at,
            event: delivery.offered_event,
            seen_at: delivery.seen_at,
            proof: delivery.proof,
            stalled_at: delivery.stalled_at,
            attempts: delivery.attempts,
            last_error: delivery.last_error,
            dead_at: delivery.dead_at,
            dropped_at: delivery.dropped_at,
        });
    }
    let outcome = outcome::slowest(recipients.iter().map(|recipient| recipient.outcome));
    Ok(Report { message, outcome: outcome.unwrap_or(Outcome::Queued), recipients })
}

/// Tells where a message is with one reader.
///
/// # Errors
/// When the store fails.
pub fn outcome_of(
    work: &Work<'_>,
    message: &Message,
    delivery: &Delivery,
    blocking: &[Priority],
    now: Millis,
) -> Result<Outcome> {
    let waits = message.status == Status::Pending && delivery.receipt == Receipt::Unread;
    let presence =
        if waits { presence::of_reader(work, delivery.reader, now)? } else { Presence::Away };
    Ok(outcome::of(&outcome::Facts {
        status: message.status,
        disposition: message.disposition,
        priority: message.priority,
        receipt: delivery.receipt,
        lane: delivery.lane,
        stalled: delivery.stalled_at.is_some(),
        dead: delivery.dead_at.is_some(),
        running: presence == Presence::Running,
        awaiting: presence == Presence::Awaiting,
        blocking,
    }))
}

/// The sessions that read a mailbox.
pub(super) fn sessions_of(work: &Work<'_>, address: &str, mailbox: Key) -> Result<Vec<Session>> {
    match address.parse() {
        Ok(Address::Agent(_)) => work.holders(mailbox),
        Ok(Address::Session(key)) => Ok(work.session_with_key(&key)?.into_iter().collect()),
        Ok(Address::Project(_) | Address::User) | Err(_) => Ok(Vec::new()),
    }
}
