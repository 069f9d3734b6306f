//! What a session is really doing now: what its hooks told, unless its client says since
//! then that it is over. Hooks do not hear of an Esc, nor of a dialog that was refused.

use std::path::Path;

use super::listing::sessions_of;
use super::register::is_live;
use crate::message::Millis;
use crate::session_file::{self, Doing, Word};
use crate::store::{Key, Result, Session, State, Work};

/// Nobody is waited for longer than this.
const LONGEST_WAIT_MILLIS: Millis = 24 * 60 * 60 * 1000;
/// A client writes its own word down a little before or after its hooks run.
const LAG_MILLIS: Millis = 1000;

/// Where a session is for somebody who writes to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// In a turn.
    Running,
    /// Waits for a prompt.
    Idle,
    /// Asks its user something.
    Awaiting,
    /// Not running.
    Away,
}

/// Tells where a session is.
///
/// # Errors
/// When the store fails.
pub fn of(work: &Work<'_>, session: &Session, now: Millis) -> Result<Presence> {
    if !is_live(work, session)? {
        return Ok(Presence::Away);
    }
    match session.state {
        State::Ended => Ok(Presence::Away),
        State::Idle => Ok(Presence::Idle),
        State::Running => {
            let began = session.turn.map_or(Ok(None), |turn| work.turn(turn).map(Some))?;
            let began = began.map_or(session.last_event_at, |turn| turn.started_at);
            Ok(match word_since(work, session, began)? {
                Some(Doing::Idle) => Presence::Idle,
                Some(Doing::Busy | Doing::Waiting) | None => Presence::Running,
            })
        }
        State::Awaiting => {
            let asked = work.open_dialogs(session.id)?.last().map_or(0, |open| open.since);
            Ok(match word_since(work, session, asked)? {
                Some(Doing::Idle) => Presence::Idle,
                Some(Doing::Busy) => Presence::Running,
                None if now - asked > LONGEST_WAIT_MILLIS => Presence::Running,
                Some(Doing::Waiting) | None => Presence::Awaiting,
            })
        }
    }
}

/// What the session's client says, if it has said so after something happened.
fn word_since(work: &Work<'_>, session: &Session, at: Millis) -> Result<Option<Doing>> {
    let Some(transcript) = &session.transcript else {
        return Ok(None);
    };
    let words = work
        .processes_of(session.id)?
        .into_iter()
        .filter_map(|process| session_file::read(Path::new(transcript), &session.key, process.pid));
    let latest: Option<Word> = words.max_by_key(|word| word.since);
    Ok(latest.filter(|word| word.since > at + LAG_MILLIS).map(|word| word.doing))
}

/// Tells where the session is that reads a mailbox: the one that is furthest in its work, of
/// those that do.
pub(super) fn of_reader(work: &Work<'_>, reader: Key, now: Millis) -> Result<Presence> {
    let address = work.address_of(reader)?;
    let mut found = Presence::Away;
    for session in sessions_of(work, &address, reader)? {
        match of(work, &session, now)? {
            Presence::Running => return Ok(Presence::Running),
            presence @ (Presence::Awaiting | Presence::Idle) if found == Presence::Away => {
                found = presence;
            }
            Presence::Awaiting | Presence::Idle | Presence::Away => {}
        }
    }
    Ok(found)
}
