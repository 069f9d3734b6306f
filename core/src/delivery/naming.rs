//! Names: asked for, taken, numbered, generated and changed. A name has one live
//! owner; an old name stays an alias of its mailbox.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::register::{Origin, is_live};
use super::{Actor, Host, children};
use crate::message::{Millis, Name};
use crate::protocol::Occurrence;
use crate::store::{Key, Result, Session, What, Work};
use crate::text::{self, Measure};

const FIRST: [&str; 32] = [
    "amber", "brave", "brisk", "calm", "clear", "clever", "cosmic", "crisp", "eager", "early",
    "fair", "fleet", "gentle", "glad", "golden", "green", "keen", "kind", "lively", "lucky",
    "mellow", "merry", "noble", "proud", "quick", "quiet", "silver", "steady", "sunny", "swift",
    "warm", "wise",
];
const SECOND: [&str; 32] = [
    "badger", "beaver", "bison", "crane", "deer", "dove", "eagle", "falcon", "ferret", "finch",
    "fox", "gecko", "hare", "heron", "ibex", "jay", "koala", "lark", "lynx", "marten", "mole",
    "newt", "otter", "owl", "panda", "raven", "robin", "seal", "stork", "swan", "tern", "wren",
];

/// What a session is called.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The mailbox of its name; none when it has no name.
    pub(super) mailbox: Option<Key>,
    /// Why it has not the name it wanted, in words for its agent.
    pub(super) refused: Option<String>,
}

/// Finds a name for a new session.
pub(super) fn name_session(
    work: &Work<'_>,
    occurrence: &Occurrence,
    host: &Host,
    origin: &Origin,
    attended: bool,
) -> Result<Named> {
    if let Origin::Cleared(old) = origin {
        return Ok(Named { mailbox: old.agent_mailbox, refused: None });
    }
    let asked = host.asked_name.as_deref().map(|text| (text, text.parse::<Name>()));
    let refused = match asked {
        Some((_, Ok(name))) if !is_inherited(work, &name, host)? => {
            return claim(work, &name, host.now);
        }
        Some((text, Err(_))) => Some(format!("{} cannot be a name", short(text))),
        Some((_, Ok(_))) | None => None,
    };
    if !attended {
        return Ok(Named::default());
    }
    let name = generate(work, &occurrence.session)?;
    Ok(Named { mailbox: Some(work.give_name(&name, host.now)?), refused })
}

fn short(text: &str) -> String {
    Measure::Utf8.cut(&text::quoted_line(text), 48).to_owned()
}

/// Whether a name in the environment is that of the client around this one.
fn is_inherited(work: &Work<'_>, name: &Name, host: &Host) -> Result<bool> {
    let Some(session) = children::around(work)? else {
        return Ok(false);
    };
    let names = session.agent_mailbox.map_or(Ok(Vec::new()), |mailbox| work.names_of(mailbox))?;
    let same_wish = session.asked_name.is_some() && session.asked_name == host.asked_name;
    Ok(same_wish || names.iter().any(|held| held == name.as_str()))
}

/// Takes a name, or the first numbered one that no live session holds.
fn claim(work: &Work<'_>, name: &Name, now: Millis) -> Result<Named> {
    let mut candidate = name.clone();
    let mut number = 1;
    while is_held(work, &candidate, None)? {
        number += 1;
        candidate = name.numbered(number);
    }
    let refused = (number > 1).then(|| format!("the name {name} is held by another session"));
    Ok(Named { mailbox: Some(work.give_name(&candidate, now)?), refused })
}

/// Whether a live session, other than one, holds a name.
fn is_held(work: &Work<'_>, name: &Name, but: Option<Key>) -> Result<bool> {
    let Some(mailbox) = work.mailbox_named(name)? else {
        return Ok(false);
    };
    for session in work.holders(mailbox)? {
        if Some(session.id) != but && is_live(work, &session)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A session that is back takes its name again, or a numbered one when another
/// session has taken it meanwhile.
pub(super) fn take_back(work: &Work<'_>, session: &Session, host: &Host) -> Result<Named> {
    let kept = Named { mailbox: session.agent_mailbox, refused: None };
    let Some(mailbox) = session.agent_mailbox else {
        return Ok(kept);
    };
    let names = work.names_of(mailbox)?;
    let Some(name) = names.first().and_then(|name| name.parse::<Name>().ok()) else {
        return Ok(kept);
    };
    if !is_held(work, &name, Some(session.id))? {
        return Ok(kept);
    }
    let named = claim(work, &name, host.now)?;
    work.set_agent_mailbox(session.id, named.mailbox)?;
    Ok(named)
}

/// A pair of words that no agent was ever called by.
fn generate(work: &Work<'_>, seed: &str) -> Result<Name> {
    let hash = BuildHasherDefault::<DefaultHasher>::default();
    let mut attempt = 0_u32;
    loop {
        let number = hash.hash_one((seed, attempt));
        let pair = (number % 1024) as usize;
        let text = format!("{}-{}", FIRST[pair % 32], SECOND[pair / 32]);
        let Ok(name) = text.parse::<Name>() else { unreachable!("the words are names") };
        let name = if attempt < 8 { name } else { name.numbered(attempt) };
        if work.mailbox_named(&name)?.is_none() {
            return Ok(name);
        }
        attempt += 1;
    }
}

/// How a renaming ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renamed {
    /// The session goes by the new name; the old one stays an alias.
    Done {
        /// What it was called before.
        old: Option<String>,
    },
    /// A live session holds the name.
    Held,
    /// Only a session has a name, and this is none.
    NoSession,
}

/// Gives the session that asks a new name.
///
/// # Errors
/// When the store fails.
pub fn rename(work: &Work<'_>, actor: &Actor, name: &Name, now: Millis) -> Result<Renamed> {
    let Some(session) = &actor.session else {
        return Ok(Renamed::NoSession);
    };
    if is_held(work, name, Some(session.id))? {
        return Ok(Renamed::Held);
    }
    let old = match session.agent_mailbox {
        Some(mailbox) => Some((mailbox, work.address_of(mailbox)?)),
        None => None,
    };
    let taken = work.mailbox_named(name)?;
    let mailbox = match (&old, taken) {
        (Some((mailbox, _)), None) => {
            work.rename_mailbox(*mailbox, name, now)?;
            *mailbox
        }
        (_, _) => work.give_name(name, now)?,
    };
    if let Some((before, _)) = &old
        && *before != mailbox
    {
        work.merge_mailbox(*before, mailbox)?;
    }
    work.set_agent_mailbox(session.id, Some(mailbox))?;
    let named = work.address_of(mailbox)?;
    let before = old.as_ref().map_or(actor.address.as_str(), |(_, address)| address.as_str());
    work.record(What::Renamed, None, before, Some(&named), now)?;
    Ok(Renamed::Done { old: old.map(|(_, address)| address) })
}
