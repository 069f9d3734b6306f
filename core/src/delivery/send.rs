//! Sending: who speaks, who is meant, and what became of it.

use std::path::Path;

use super::Actor;
use super::listing::{self, Report};
use super::register::is_live;
use crate::message::{self, Address, Declared, Disposition, Kind, Millis, Mode, Priority, Status};
use crate::policy::{self, Rules};
use crate::project;
use crate::refusal::Refusal;
use crate::store::{Key, Message, NewMessage, Session, State, Work};

/// A message as its sender wrote it.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Where it goes, as the sender wrote it.
    pub to: String,
    /// Whom it speaks for; none is who sends it.
    pub from: Option<String>,
    /// Its subject.
    pub subject: String,
    /// Its body.
    pub body: String,
    /// What it is for.
    pub kind: Kind,
    /// How hard it blocks.
    pub priority: Priority,
    /// Whether it may block; none is classified.
    pub disposition: Option<Disposition>,
    /// How it wants to reach a busy recipient.
    pub mode: Mode,
    /// The thread it continues.
    pub thread: Option<String>,
    /// The message it answers.
    pub reply_to: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The status it is born with.
    pub status: Option<Status>,
    /// The sender's own mark.
    pub correlation: Option<String>,
    /// Whether a recipient that nobody ever had is fine.
    pub allow_unknown: bool,
}

/// What became of a message at once.
#[derive(Debug, Clone)]
pub struct Sent {
    /// The message, and where it is with each recipient.
    pub report: Report,
    /// What the sender should know.
    pub warnings: Vec<String>,
}

/// Stores a message and its deliveries.
///
/// # Errors
/// When it is refused, or the store fails; nothing is stored then.
pub fn send(
    work: &Work<'_>,
    draft: &Draft,
    actor: &Actor,
    rules: &Rules,
    now: Millis,
) -> Result<Sent, Refusal> {
    check(draft)?;
    let sender = speaker(work, draft.from.as_deref(), actor)?;
    let parent = parent(work, draft)?;
    let target = Target::find(work, &draft.to, draft.allow_unknown, actor, now)?;
    target.check_start(work, draft.mode)?;
    let status = draft.status.unwrap_or(Status::Pending);
    let disposition = disposition(draft, parent.as_ref());
    let thread =
        draft.thread.clone().or_else(|| parent.as_ref().map(|parent| parent.thread.clone()));
    let new = NewMessage {
        sender: &sender,
        sent_by: &actor.truly(),
        recipient: &target.address,
        kind: draft.kind.clone(),
        priority: draft.priority,
        disposition,
        mode: draft.mode,
        status,
        subject: &draft.subject,
        body: &draft.body,
        tags: &draft.tags,
        thread: thread.as_deref(),
        reply_to: parent.as_ref().map(|parent| parent.id.as_str()),
        about: None,
        correlation: draft.correlation.as_deref(),
    };
    let stored = work.add_message(&new, now)?;
    let lane = policy::lane(status, Some(disposition), draft.mode);
    for &reader in &target.readers {
        work.add_delivery(stored.seq, reader, lane, draft.priority.rank())?;
    }
    let report = listing::report(work, &stored.id, &rules.block_until_resolved)?;
    Ok(Sent { report, warnings: target.warnings })
}

/// Undeclared, a reply to a question is actionable and any other reply is not.
fn disposition(draft: &Draft, parent: Option<&Message>) -> Disposition {
    match (draft.disposition, parent) {
        (Some(declared), _) => declared,
        (None, Some(parent)) if parent.kind.as_str() == Kind::QUESTION => Disposition::Actionable,
        (None, Some(_)) => Disposition::Acknowledgement,
        (None, None) => message::classify(Declared {
            status: draft.status,
            subject: &draft.subject,
            tags: &draft.tags,
            consent_title: has_consent_title(&draft.body),
        }),
    }
}

fn check(draft: &Draft) -> Result<(), Refusal> {
    if draft.body.trim().is_empty() && (draft.subject.trim().is_empty() || !draft.body.is_empty()) {
        return Err(Refusal::usage(
            "the message is empty",
            "give --body TEXT, --body-file FILE, or - for standard input",
        ));
    }
    if draft.body.len() > message::MAX_BODY_BYTES {
        return Err(Refusal::usage(
            format!(
                "the body has {} bytes; at most {} are accepted",
                draft.body.len(),
                message::MAX_BODY_BYTES
            ),
            "put the text into a file and send its path",
        ));
    }
    if draft.subject.chars().count() > message::MAX_SUBJECT_CHARS {
        return Err(Refusal::usage(
            format!("the subject is longer than {} characters", message::MAX_SUBJECT_CHARS),
            "put the text into the body",
        ));
    }
    Ok(())
}

fn has_consent_title(body: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(body).is_ok_and(|value| {
        value
            .get("title")
            .and_then(|title| title.as_str())
            .is_some_and(|t| t.starts_with("Consent:"))
    })
}

/// Whom a message speaks for. Inside an agent's process tree that is the agent.
fn speaker(work: &Work<'_>, from: Option<&str>, actor: &Actor) -> Result<String, Refusal> {
    let Some(from) = from else {
        return Ok(actor.address.clone());
    };
    let address: Address = from.parse()?;
    let Some(session) = &actor.session else {
        return Ok(address.to_string());
    };
    let names = session.agent_mailbox.map_or(Ok(Vec::new()), |mailbox| work.names_of(mailbox))?;
    let own = match &address {
        Address::Agent(name) => names.iter().any(|held| held == name.as_str()),
        Address::Session(key) => *key == session.key,
        Address::Project(_) | Address::User => false,
    };
    if own {
        return Ok(actor.address.clone());
    }
    Err(Refusal::claim(
        format!("this is {}, which cannot speak as {address}", actor.address),
        "leave --from out",
    ))
}

fn parent(work: &Work<'_>, draft: &Draft) -> Result<Option<Message>, Refusal> {
    if let Some(thread) = &draft.thread
        && work.thread(thread)?.is_empty()
    {
        return Err(Refusal::not_found(
            format!("no thread `{thread}`"),
            "leave --thread out to begin a new one",
        ));
    }
    draft.reply_to.as_deref().map(|id| listing::find(work, id)).transpose()
}

/// The address a sender meant, in full: a project by path or folder name, a session
/// by the beginning of its id.
///
/// # Errors
/// When nothing, or more than one thing, is meant.
pub fn resolve_address(work: &Work<'_>, text: &str) -> Result<Address, Refusal> {
    match text.parse()? {
        Address::Project(spec) => Ok(Address::Project(project_key(work, &spec)?)),
        Address::Session(key) => Ok(Address::Session(session_key(work, &key)?)),
        address @ (Address::Agent(_) | Address::User) => Ok(address),
    }
}

fn project_key(work: &Work<'_>, spec: &str) -> Result<String, Refusal> {
    let known = work.projects()?;
    if known.iter().any(|key| key == spec) {
        return Ok(spec.to_owned());
    }
    if spec.contains('/') || spec == "." || spec == ".." {
        if Path::new(spec).is_dir() {
            return Ok(project::key_of(Path::new(spec)));
        }
        return Err(Refusal::not_found(format!("no folder `{spec}`"), "give an existing folder"));
    }
    let mut named: Vec<String> =
        known.into_iter().filter(|key| project::name_of(key) == spec).collect();
    match (named.len(), named.pop()) {
        (1, Some(key)) => Ok(key),
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
struct Target {
    address: String,
    readers: Vec<Key>,
    /// The session of a single recipient, if one is live.
    live: Option<Session>,
    single: bool,
    warnings: Vec<String>,
}

impl Target {
    fn find(
        work: &Work<'_>,
        to: &str,
        allow_unknown: bool,
        actor: &Actor,
        now: Millis,
    ) -> Result<Target, Refusal> {
        let address = resolve_address(work, to)?;
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
        let mut readers = Vec::new();
        for session in work.open_sessions_of(key)? {
            if session.takes_project_mail()
                && Some(session.id) != sender
                && is_live(work, &session)?
            {
                readers.push(session.own_mailbox);
            }
        }
        let mut warnings = Vec::new();
        if readers.is_empty() {
            readers.push(work.mailbox(address)?);
            warnings.push(format!(
                "no other session is running in {address}; the next one there gets it"
            ));
        }
        Ok(Target { address: address.to_string(), readers, live: None, single: false, warnings })
    }

    fn check_start(&self, work: &Work<'_>, mode: Mode) -> Result<(), Refusal> {
        if mode != Mode::Start {
            return Ok(());
        }
        if !self.single {
            return Err(Refusal::usage(
                "--mode start needs a single recipient",
                "send to an agent or a session",
            ));
        }
        let state = match &self.live {
            Some(session) => {
                work.session_row(session.id)?.map_or(State::Ended, |session| session.state)
            }
            None => State::Ended,
        };
        let address = &self.address;
        match state {
            State::Idle => Ok(()),
            State::Running => Err(Refusal::state(
                "already_active",
                format!("{address} is in a turn"),
                "use --mode auto, which reaches it at its next tool call",
            )),
            State::Ended => Err(Refusal::state(
                "not_running",
                format!("{address} is not running"),
                "use --mode auto, which stores the message until it starts",
            )),
        }
    }
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

/// An answer to a message.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The message answered, by its id or the beginning of it.
    pub to: String,
    /// The rest of the message; its recipient and subject are filled in.
    pub draft: Draft,
}

/// Sends an answer to a message's sender, in its thread.
///
/// # Errors
/// When the message is not there, the answer is refused, or the store fails.
pub fn reply(
    work: &Work<'_>,
    reply: &Reply,
    actor: &Actor,
    rules: &Rules,
    now: Millis,
) -> Result<Sent, Refusal> {
    let parent = listing::find(work, &reply.to)?;
    let mut draft = reply.draft.clone();
    draft.to.clone_from(&parent.sender);
    draft.reply_to = Some(parent.id.clone());
    draft.allow_unknown = true;
    if draft.subject.is_empty() {
        draft.subject = message::reply_subject(&parent.subject);
    }
    if draft.body.trim().is_empty() {
        return Err(Refusal::usage(
            "the reply is empty",
            "give --body TEXT, --body-file FILE, or - for standard input",
        ));
    }
    let sent = send(work, &draft, actor, rules, now)?;
    for reader in actor.readers(work)? {
        work.prove(parent.seq, reader, "reply", now)?;
    }
    Ok(sent)
}
