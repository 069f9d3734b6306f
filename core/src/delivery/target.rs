//! Who is meant by an address, and whether it can be reached.

use std::path::Path;

use super::Actor;
use super::presence::{self, Presence};
use super::register::is_live;
use crate::message::{Address, Millis, Mode};
use crate::project;
use crate::refusal::Refusal;
use crate::store::{Key, Session, Work};

/// The address a sender meant, in full: a project by path or folder name, a session
/// by the beginning of its id.
///
/// # Errors
/// When nothing, or more than one thing, is meant.
pub fn resolve_address(work: &Work<'_>, text: &str) -> Result<Address, Refusal> {
    resolve(work, text, false)
}

fn resolve(work: &Work<'_>, text: &str, allow_unknown: bool) -> Result<Address, Refusal> {
    match text.parse()? {
        Address::Project(spec) => Ok(Address::Project(project_key(work, &spec, allow_unknown)?)),
        Address::Session(key) => Ok(Address::Session(session_key(work, &key)?)),
        address @ (Address::Agent(_) | Address::User) => Ok(address),
    }
}

fn project_key(work: &Work<'_>, spec: &str, allow_unknown: bool) -> Result<String, Refusal> {
    let is_known = || Ok::<_, Refusal>(work.projects()?.iter().any(|key| key == spec));
    if spec.contains('/') || spec == "." || spec == ".." {
        if Path::new(spec).is_dir() {
            return Ok(project::key_of(Path::new(spec)));
        }
        if is_known()? {
            return Ok(spec.to_owned());
        }
        return Err(Refusal::not_found(format!("no folder `{spec}`"), "give an existing folder"));
    }
    let mut named = projects_named(work, spec)?;
    match (named.len(), named.pop()) {
        (1, Some(key)) => Ok(key),
        // Mail from elsewhere names a folder that may yet appear.
        (0, _) | (_, None) if allow_unknown || is_known()? => Ok(spec.to_owned()),
        (0, _) | (_, None) => Err(Refusal::not_found(
            format!("no project is called `{spec}`"),
            "give the folder's path: project/./folder",
        )),
        (_, Some(last)) => {
            named.push(last);
            Err(Refusal::ambiguous(format!("more than one project is called `{spec}`"), &named))
        }
    }
}

/// The projects whose folder has a name.
pub(super) fn projects_named(work: &Work<'_>, name: &str) -> crate::store::Result<Vec<String>> {
    let mut known = work.projects()?;
    known.retain(|key| key.contains('/') && project::name_of(key) == name);
    Ok(known)
}

fn session_key(work: &Work<'_>, key: &str) -> Result<String, Refusal> {
    if let Some(session) = work.session_with_key(key)? {
        let current = work.continuation(session.id)?;
        return Ok(work.session_row(current)?.map_or(session.key, |session| session.key));
    }
    let mut matching: Vec<String> = work
        .all_sessions()?
        .into_iter()
        .map(|session| session.key)
        .filter(|other| key.len() >= 4 && other.starts_with(key))
        .collect();
    match (matching.len(), matching.pop()) {
        (1, Some(key)) => Ok(key),
        (0, _) | (_, None) => Ok(key.to_owned()),
        (_, Some(last)) => {
            matching.push(last);
            Err(Refusal::ambiguous(format!("more than one session begins with `{key}`"), &matching))
        }
    }
}

/// Who gets a message.
pub(super) struct Target {
    pub(super) address: String,
    pub(super) readers: Vec<Key>,
    /// The session of a single recipient, if one is live.
    live: Option<Session>,
    single: bool,
    pub(super) warnings: Vec<String>,
}

impl Target {
    pub(super) fn find(
        work: &Work<'_>,
        to: &str,
        allow_unknown: bool,
        actor: &Actor,
        now: Millis,
    ) -> Result<Target, Refusal> {
        let address = resolve(work, to, allow_unknown)?;
        let text = address.to_string();
        match &address {
            Address::User => {
                let reader = work.mailbox(&address)?;
                Ok(Target {
                    address: text,
                    readers: vec![reader],
                    live: None,
                    single: true,
                    warnings: vec![],
                })
            }
            Address::Agent(name) => {
                let mailbox = match work.mailbox_named(name)? {
                    Some(mailbox) => mailbox,
                    None if allow_unknown => work.give_name(name, now)?,
                    None => return Err(unknown_agent(work, name.as_str())?),
                };
                let live = first_live(work, work.holders(mailbox)?)?;
                Ok(Target::single(text, mailbox, live))
            }
            Address::Session(key) => {
                let session = work.session_with_key(key)?;
                if session.is_none() && !allow_unknown {
                    return Err(Refusal::not_found(
                        format!("no session `{key}`"),
                        "`mailstop sessions --json` lists them; --allow-unknown stores it anyway",
                    ));
                }
                let mailbox = match &session {
                    Some(session) => session.own_mailbox,
                    None => work.mailbox(&address)?,
                };
                let live = first_live(work, session.into_iter().collect())?;
                Ok(Target::single(text, mailbox, live))
            }
            Address::Project(key) => Target::project(work, key, &address, actor),
        }
    }

    fn single(address: String, reader: Key, live: Option<Session>) -> Target {
        let warnings = match &live {
            Some(_) => Vec::new(),
            None => vec![format!("{address} is not running; it gets the message when it starts")],
        };
        Target { address, readers: vec![reader], live, single: true, warnings }
    }

    /// The sessions of a project that are alive, but the sender; or the first one after.
    fn project(
        work: &Work<'_>,
        key: &str,
        address: &Address,
        actor: &Actor,
    ) -> Result<Target, Refusal> {
        let sender = actor.session.as_ref().map(|session| session.id);
        let mut readers = live_readers(work, key, sender)?;
        let mut warnings = Vec::new();
        if readers.is_empty() {
            readers.push(work.mailbox(address)?);
            warnings.push(format!(
                "no other session is running in {address}; the next one there gets it"
            ));
        }
        Ok(Target { address: address.to_string(), readers, live: None, single: false, warnings })
    }

    pub(super) fn check_start(
        &self,
        work: &Work<'_>,
        mode: Mode,
        now: Millis,
    ) -> Result<(), Refusal> {
        if mode != Mode::Start {
            return Ok(());
        }
        if !self.single {
            return Err(Refusal::usage(
                "--mode start needs a single recipient",
                "send to an agent or a session",
            ));
        }
        let presence = match &self.live {
            Some(session) => presence::of(work, session, now)?,
            None => Presence::Away,
        };
        let address = &self.address;
        match presence {
            Presence::Idle => Ok(()),
            Presence::Awaiting => Err(Refusal::state(
                "awaiting_user_interaction",
                format!("{address} asks its user something"),
                "use --mode auto, which holds the message until that is settled",
            )),
            Presence::Running => Err(Refusal::state(
                "already_active",
                format!("{address} is in a turn"),
                "use --mode auto, which reaches it at its next tool call",
            )),
            Presence::Away => Err(Refusal::state(
                "not_running",
                format!("{address} is not running"),
                "use --mode auto, which stores the message until it starts",
            )),
        }
    }
}

/// The readers of a project's live sessions, but of one.
pub(super) fn live_readers(
    work: &Work<'_>,
    key: &str,
    but: Option<Key>,
) -> crate::store::Result<Vec<Key>> {
    let mut readers = Vec::new();
    for session in work.open_sessions_of(key)? {
        if session.takes_project_mail() && Some(session.id) != but && is_live(work, &session)? {
            readers.push(session.own_mailbox);
        }
    }
    Ok(readers)
}

fn first_live(work: &Work<'_>, sessions: Vec<Session>) -> Result<Option<Session>, Refusal> {
    for session in sessions {
        if is_live(work, &session)? {
            return Ok(Some(session));
        }
    }
    Ok(None)
}

fn unknown_agent(work: &Work<'_>, name: &str) -> Result<Refusal, Refusal> {
    let mut close: Vec<String> = work.all_names()?;
    close.retain(|other| distance(other, name) <= 2 || other.starts_with(name));
    close.truncate(5);
    let hint = if close.is_empty() {
        "`mailstop sessions` lists the agents; --allow-unknown stores it anyway".to_owned()
    } else {
        format!("did you mean {}? --allow-unknown stores it anyway", close.join(", "))
    };
    Ok(Refusal::not_found(format!("nobody is or was called `{name}`"), hint))
}

/// How many letters differ between two short words.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

/// The readers of a message's sender, for what is told to it later.
pub(super) fn readers_of_sender(work: &Work<'_>, sender: &str) -> crate::store::Result<Vec<Key>> {
    match sender.parse() {
        Ok(Address::Agent(name)) => match work.mailbox_named(&name)? {
            Some(mailbox) => Ok(vec![mailbox]),
            None => Ok(vec![work.mailbox(&Address::Agent(name))?]),
        },
        Ok(Address::Session(key)) => match work.session_with_key(&key)? {
            Some(session) => {
                let current = work.session_row(work.continuation(session.id)?)?.unwrap_or(session);
                Ok(vec![current.agent_mailbox.unwrap_or(current.own_mailbox)])
            }
            None => Ok(vec![work.mailbox(&Address::Session(key))?]),
        },
        Ok(address @ (Address::Project(_) | Address::User)) => Ok(vec![work.mailbox(&address)?]),
        Err(_) => Ok(vec![work.mailbox(&Address::User)?]),
    }
}
