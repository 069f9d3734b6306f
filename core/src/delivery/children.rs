//! Parents hear when a turn of their child ends. A child is a session that another one
//! started, or that was told whose it is.

use super::Scene;
use super::holds;
use super::register::enclosing;
use super::target::readers_of_sender;
use crate::config;
use crate::message::{Address, Disposition, Kind, Mode, Priority, Status};
use crate::policy::Lane;
use crate::process;
use crate::protocol::Ending;
use crate::store::{NewMessage, Result, Session, Work};

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It came to its Stop.
    Finished,
    /// Its model could not be reached, or refused.
    Failed,
    /// Its user stopped it.
    Interrupted,
}

impl From<Ending> for End {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Failed => End::Failed,
            Ending::Interrupted => End::Interrupted,
        }
    }
}

impl End {
    const fn word(self) -> &'static str {
        match self {
            End::Finished => "finished",
            End::Failed => "failed",
            End::Interrupted => "interrupted",
        }
    }

    const fn says(self) -> &'static str {
        match self {
            End::Finished => "finished its turn",
            End::Failed => "failed in its turn, which its model did not finish",
            End::Interrupted => "was interrupted by its user",
        }
    }
}

/// The address of a new session's parent: as its starter says, else the session whose
/// process started it.
pub(super) fn parent(work: &Work<'_>) -> Result<Option<String>> {
    if let Some(said) = config::variable("MAILSTOP_PARENT") {
        return Ok(match said.parse::<Address>() {
            Ok(address @ (Address::Agent(_) | Address::Session(_))) => Some(address.to_string()),
            Ok(Address::Project(_) | Address::User) | Err(_) => None,
        });
    }
    let around = around(work)?;
    Ok(around.map(|session| Address::Session(session.key).to_string()))
}

/// The session whose client encloses this one's.
pub(super) fn around(work: &Work<'_>) -> Result<Option<Session>> {
    // The nearest client is the session's own; only those above it enclose it.
    let chain = process::ancestors();
    let own = process::client();
    let above = chain.iter().position(|process| Some(&process.id) == own.as_ref());
    let chain = above.map_or(&chain[..], |own| &chain[own + 1..]);
    match enclosing(work, chain)? {
        Some((_, session)) => Ok(Some(session)),
        None => {
            config::variable("MAILSTOP_SESSION").map_or(Ok(None), |key| work.session_with_key(&key))
        }
    }
}

/// Tells a session's parent that its turn has ended. Of an end that the parent has not
/// even been shown yet it hears once.
pub(super) fn tell_parent(scene: &Scene<'_, '_>, end: End) -> Result<()> {
    let (work, session) = (scene.work, &scene.session);
    let Some(parent) = work.parent_of(session.id)? else {
        return Ok(());
    };
    let child = work.address_of(session.agent_mailbox.unwrap_or(session.own_mailbox))?;
    let mark = format!("{} {child}", end.word());
    for reader in readers_of_sender(work, &parent)? {
        if work.is_waiting(reader, &mark)? {
            continue;
        }
        let subject = format!("{child} {}", end.says());
        let stored = work.add_message(&NewMessage {
            sender: &child,
            sent_by: "mailstop",
            recipient: &parent,
            kind: Kind::notice(),
            priority: Priority::Normal,
            disposition: Disposition::Actionable,
            mode: Mode::Auto,
            status: Status::Pending,
            subject: &subject,
            body: "",
            tags: &[],
            thread: None,
            reply_to: None,
            about: None,
            correlation: Some(&mark),
            created_at: scene.now(),
            closed: None,
            expires_at: None,
        })?;
        let rank = Priority::Normal.rank();
        holds::owe(work, stored.seq, reader, Lane::Steer, rank, scene.now())?;
    }
    Ok(())
}
