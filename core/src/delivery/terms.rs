//! Messages that end at their time, whether or not anybody looks.

use super::notice::{self, Notice};
use crate::clock::Reading;
use crate::message::{Millis, Receipt, Status};
use crate::store::{Message, Result, Work};

/// Who closes what nobody closed in time.
const CLOSED_BY: &str = "mailstop";

/// Ends what is due, and tells the senders of what was never seen.
///
/// # Errors
/// When the store fails.
pub fn end_due(work: &Work<'_>, now: Millis) -> Result<()> {
    if !work.is_any_due(now)? {
        return Ok(());
    }
    for message in work.due(believed(work, now)?)? {
        end(work, &message, now)?;
    }
    Ok(())
}

fn end(work: &Work<'_>, message: &Message, now: Millis) -> Result<()> {
    let at = message.expires_at.unwrap_or(now);
    work.close_message(message.seq, Status::Expired, CLOSED_BY, None, at)?;
    work.end_deliveries(message.seq, false)?;
    let deliveries = work.deliveries(message.seq)?;
    if deliveries.iter().any(|delivery| delivery.receipt == Receipt::Seen) {
        return Ok(());
    }
    let recipient = message.recipient.as_str();
    let subject = format!("{} expired before {recipient} saw it", message.id);
    let body = format!(
        "Your message {} ({}) to {recipient} was not seen before its term ended. It is closed; \
         send it again if it still matters.",
        message.id, message.subject
    );
    let notice = Notice { about: recipient, event: "expired", subject: &subject, body: &body };
    notice::tell_sender(work, message, notice, now)
}

/// The time that terms are ended by.
///
/// # Errors
/// When the store fails.
pub fn believed(work: &Work<'_>, now: Millis) -> Result<Millis> {
    Ok(Reading::with_wall(now).believed(work.first_reading()?.as_ref()))
}

/// Remembers the clock as it is when a boot of the machine is first noticed.
///
/// # Errors
/// When the store fails.
pub fn note_clock(work: &Work<'_>, now: Millis) -> Result<()> {
    let here = Reading::with_wall(now);
    let first = work.first_reading()?;
    if first.and_then(|first| here.set_since(&first)).is_none() {
        work.note_reading(&here)?;
    }
    Ok(())
}

/// The status of a message now: what is due has ended, also before that was noted.
pub(super) fn status_of(work: &Work<'_>, message: &Message, now: Millis) -> Result<Status> {
    let due = |now| message.expires_at.is_some_and(|at| at <= now);
    let ended = message.status == Status::Pending && due(now) && due(believed(work, now)?);
    Ok(if ended { Status::Expired } else { message.status })
}
