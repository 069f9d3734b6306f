//! What the product itself tells the sender of a message.

use super::{holds, target};
use crate::message::{Disposition, Kind, Millis, Mode, Priority, Status};
use crate::policy::Lane;
use crate::store::{Message, NewMessage, Result, Work};

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

/// Tells a message's sender what became of it, unless it was told before. There is no
/// notice about a notice.
pub(super) fn tell_sender(
    work: &Work<'_>,
    message: &Message,
    notice: Notice<'_>,
    now: Millis,
) -> Result<()> {
    if message.kind == Kind::notice() || work.has_notice(&message.id, notice.event)? {
        return Ok(());
    }
    let new = NewMessage {
        sender: notice.about,
        sent_by: "mailstop",
        recipient: &message.sender,
        kind: Kind::notice(),
        priority: Priority::Normal,
        disposition: Disposition::Actionable,
        mode: Mode::Auto,
        status: Status::Pending,
        subject: notice.subject,
        body: notice.body,
        tags: &[],
        thread: Some(&message.thread),
        reply_to: None,
        about: Some(&message.id),
        correlation: Some(notice.event),
        created_at: now,
        closed: None,
        expires_at: None,
    };
    let stored = work.add_message(&new)?;
    for reader in target::readers_of_sender(work, &message.sender)? {
        holds::owe(work, stored.seq, reader, Lane::Steer, new.priority.rank(), now)?;
    }
    Ok(())
}
