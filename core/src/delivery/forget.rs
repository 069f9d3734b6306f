//! Forgetting a session, and what that ends.

use std::path::Path;

use super::attempts;
use super::register::is_live;
use crate::message::{Address, Millis};
use crate::refusal::Refusal;
use crate::store::{Key, Result, Session, What, Work};
use crate::transcript;

/// Why mail to a session ended with it.
const RECIPIENT: &str = "recipient forgotten";
/// Why mail that waited for somebody else to be free ended with its sender.
const SENDER: &str = "sender forgotten";

/// What forgetting a session came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    /// The client's id of the session.
    pub key: String,
    /// How many messages to it died unread.
    pub unread: usize,
    /// How many of its own died before they were shown.
    pub held: usize,
}

/// Removes a session that is not running. Mail to its name stays for whoever has the name
/// next; unread mail to the session itself is dead, and so is what it sent that is held.
///
/// # Errors
/// When it is running, or the store fails.
pub fn forget(
    work: &Work<'_>,
    session: &Session,
    now: Millis,
) -> std::result::Result<Forgotten, Refusal> {
    if is_live(work, session)? {
        return Err(Refusal::state(
            "already_active",
            format!("session {} is running", session.key),
            "end its client first",
        ));
    }
    settle_offers(work, session, now)?;
    let unread = end_unread(work, session, now)?;
    work.set_heir(session.own_mailbox, session.agent_mailbox)?;
    // Whoever carries a session on can still be asked about what it sent.
    let goes_on = work.continuation(session.id)? != session.id;
    let held = if goes_on { 0 } else { end_held(work, session, now)? };
    let waiting = work.mailbox(&Address::Project(session.project.clone()))?;
    work.forget_session(session.id, waiting)?;
    work.record(What::Forgotten, None, &address_of(session), None, now)?;
    Ok(Forgotten { key: session.key.clone(), unread, held })
}

/// Nothing but its transcript can prove any more what the session was offered.
fn settle_offers(work: &Work<'_>, session: &Session, now: Millis) -> Result<()> {
    let transcript = session.transcript.as_deref().unwrap_or_default();
    for reader in session.readers() {
        for offer in work.unproved(reader)? {
            if offer.session != Some(session.id) {
                continue;
            }
            if transcript::holds(Path::new(transcript), offer.offset.unwrap_or(0), &offer.id) {
                attempts::seen(work, &offer, "transcript", now)?;
            } else {
                attempts::failed(work, &offer, now)?;
            }
        }
    }
    Ok(())
}

/// Mail to the session itself that it was not shown has nobody to go to.
fn end_unread(work: &Work<'_>, session: &Session, now: Millis) -> Result<usize> {
    let ids = work.unread_session_mail(session.own_mailbox)?;
    for id in &ids {
        end(work, session, (id, session.own_mailbox), RECIPIENT, now)?;
    }
    Ok(ids.len())
}

/// What the session sent and waits until its reader is free speaks for nobody any more.
fn end_held(work: &Work<'_>, session: &Session, now: Millis) -> Result<usize> {
    let held = work.held_of_sender(&address_of(session))?;
    for (id, reader) in &held {
        end(work, session, (id, *reader), SENDER, now)?;
    }
    Ok(held.len())
}

/// Gives a delivery up, and tells its sender, unless that is the session itself.
fn end(
    work: &Work<'_>,
    session: &Session,
    (id, reader): (&str, Key),
    reason: &str,
    now: Millis,
) -> Result<()> {
    let Some(message) = work.message(id)? else {
        return Ok(());
    };
    if message.sender == address_of(session) {
        work.give_up((message.seq, reader), reason, now)?;
        return Ok(());
    }
    attempts::give_up(work, &message, reader, reason, now)
}

fn address_of(session: &Session) -> String {
    Address::Session(session.key.clone()).to_string()
}
