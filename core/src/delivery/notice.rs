//! What the product itself tells the sender of a message.

use super::{holds, target};
use crate::message::{Disposition, Kind, Millis, Mode, Priority, Status};
use crate::policy;
use crate::store::{Message, NewMessage, Result, Work};

/// Who sends notices, and closes those that only inform.
const SENT_BY: &str = "mailstop";

/// A notice about a message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Notice<'a> {
    /// The recipient it tells of.
    pub(super) about: &'a str,
    /// What happened, in one word: a message's sender hears of it once, ever.
    pub(super) event: &'a str,
    /// Its subject.
    pub(super) subject: &'a str,
    /// Its body.
    pub(super) body: &'a str,
}

/// What a notice asks of who is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// To look at it, once.
    Asks,
    /// To do something: it blocks until it is resolved.
    Presses,
    /// Nothing: it is resolved from the beginning.
    Informs,
}

/// Tells a message's sender what became of it, unless it was told before. There is no
/// notice about a notice.
pub(super) fn tell_sender(
    work: &Work<'_>,
    message: &Message,
    notice: Notice<'_>,
    now: Millis,
) -> Result<()> {
    tell_sender_as(work, message, notice, Weight::Asks, now)
}

/// The same with the weight that it has.
pub(super) fn tell_sender_as(
    work: &Work<'_>,
    message: &Message,
    notice: Notice<'_>,
    weight: Weight,
    now: Millis,
) -> Result<()> {
    let (priority, disposition, status) = match weight {
        Weight::Asks => (Priority::Normal, Disposition::Actionable, Status::Pending),
        Weight::Presses => (Priority::High, Disposition::Actionable, Status::Pending),
        Weight::Informs => (Priority::Normal, Disposition::Acknowledgement, Status::Resolved),
    };
    if message.kind == Kind::notice() || work.has_notice(&message.id, notice.event)? {
        return Ok(());
    }
    let new = NewMessage {
        sender: notice.about,
        sent_by: SENT_BY,
        recipient: &message.sender,
        kind: Kind::notice(),
        priority,
        disposition,
        mode: Mode::Auto,
        status,
        subject: notice.subject,
        body: notice.body,
        tags: &[],
        thread: Some(&message.thread),
        reply_to: None,
        about: Some(&message.id),
        correlation: Some(notice.event),
        created_at: now,
        closed: (status != Status::Pending).then_some((now, SENT_BY)),
        expires_at: None,
    };
    let stored = work.add_message(&new)?;
    let lane = policy::lane(status, Some(disposition), Mode::Auto);
    for reader in target::readers_of_sender(work, &message.sender)? {
        holds::owe(work, stored.seq, reader, lane, new.priority.rank(), now)?;
    }
    Ok(())
}
