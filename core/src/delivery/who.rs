//! Who runs a command: an agent's shell knows its session, and a person has none.

use super::register::enclosing;
use crate::config;
use crate::message::Address;
use crate::process;
use crate::store::{Key, Result, Session, Work};

/// Who a command acts for.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The session, when an agent runs the command.
    pub session: Option<Session>,
    /// The address it speaks for.
    pub address: String,
}

impl Actor {
    /// The person at the keyboard, or a script.
    #[must_use]
    pub fn user() -> Actor {
        Actor { session: None, address: Address::User.to_string() }
    }

    /// The readers whose mail is this one's.
    ///
    /// # Errors
    /// When the store fails.
    pub fn readers(&self, work: &Work<'_>) -> Result<Vec<Key>> {
        match &self.session {
            Some(session) => Ok(session.readers()),
            None => Ok(work.find_mailbox(&self.address)?.into_iter().collect()),
        }
    }

    /// Who it really is: what a message stores beside the address it speaks for.
    #[must_use]
    pub fn truly(&self) -> String {
        match &self.session {
            Some(session) => format!("session/{}", session.key),
            None => self.address.clone(),
        }
    }
}

/// Finds out who runs this command. The nearest client above it decides; what the
/// environment says counts where it agrees, or where no client can be seen.
///
/// # Errors
/// When the store fails.
pub fn who(work: &Work<'_>) -> Result<Actor> {
    let said = match config::session_variable() {
        Some(key) => work.session_with_key(&key)?,
        None => None,
    };
    let session = match enclosing(work, &process::ancestors())? {
        Some((process, nearest)) => match said {
            Some(said) if work.processes_of(said.id)?.contains(&process) => Some(said),
            Some(_) | None => Some(nearest),
        },
        None => said,
    };
    let Some(session) = session else {
        return Ok(Actor::user());
    };
    let session = match work.session_row(work.continuation(session.id)?)? {
        Some(current) => current,
        None => session,
    };
    let mailbox = session.agent_mailbox.unwrap_or(session.own_mailbox);
    Ok(Actor { address: work.address_of(mailbox)?, session: Some(session) })
}
