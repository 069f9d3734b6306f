//! Forgetting a session, and what that ends.

use std::path::Path;

use super::attempts;
use super::register::is_live;
use crate::message::{Address, Millis};
use crate::refusal::Refusal;
use crate::store::{Result, Session, What, Work};
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
    let address = Address::Session(session.key.clone()).to_string();
    // Whoever carries a session on can still be asked about what it sent.
    let goes_on = work.continuation(session.id)? != session.id;
    let held = if goes_on { 0 } else { end_held(work, &address, now)? };
    let waiting = work.mailbox(&Address::Project(session.project.clone()))?;
    work.forget_session(session.id, waiting)?;
    work.record(What::Forgotten, None, &address, None, now)?;
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

fn end_unread(work: &Work<'_>, session: &Session, now: Millis) -> Result<usize> {
    let mut ended = 0;
    for id in work.unread_session_mail(session.own_mailbox)? {
        if let Some(message) = work.message(&id)? {
            let (reader, heir) = (session.own_mailbox, session.agent_mailbox);
            attempts::give_up(work, &message, reader, RECIPIENT, heir, now)?;
            ended += 1;
        }
    }
    Ok(ended)
}

fn end_held(work: &Work<'_>, sender: &str, now: Millis) -> Result<usize> {
    let mut ended = 0;
    for (id, reader) in work.held_of_sender(sender)? {
        if let Some(message) = work.message(&id)? {
            attempts::give_up(work, &message, reader, SENDER, None, now)?;
            ended += 1;
        }
    }
    Ok(ended)
}
