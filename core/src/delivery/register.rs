//! Who a session is: registered by its first event, bound to the project of that
//! event, and known by the client's id and process.

use std::path::Path;

use super::{Host, children, folders, naming};
use crate::message::Address;
use crate::process::{self, Process};
use crate::project;
use crate::protocol::{self, Event, Occurrence, Source};
use crate::store::{Error, Key, NewSession, ProcessId, Result, Session, State, Work};

/// A session that an event belongs to.
#[derive(Debug)]
pub(super) struct Entered {
    /// The session.
    pub(super) session: Session,
    /// Why it has not the name it wanted.
    pub(super) refused_name: Option<String>,
    /// Whether this is its first event.
    pub(super) is_new: bool,
}

/// Whether a process that ran a session is still there.
///
/// # Errors
/// When the store fails.
pub fn is_live(work: &Work<'_>, session: &Session) -> Result<bool> {
    if session.state == State::Ended {
        return Ok(false);
    }
    Ok(work.processes_of(session.id)?.iter().any(process::is_alive))
}

/// Finds the session of an event, or registers it.
pub(super) fn enter(work: &Work<'_>, occurrence: &Occurrence, host: &Host) -> Result<Entered> {
    let known = work.session(occurrence.client, &occurrence.session)?;
    let begins = matches!(occurrence.event, Event::SessionStart(_) | Event::UserPromptSubmit);
    let Some(mut session) = known else {
        return register(work, occurrence, host);
    };
    let revives = session.state == State::Ended && !occurrence.in_subagent();
    let refused_name =
        if begins || revives { refresh(work, &mut session, occurrence, host)? } else { None };
    if let Event::SessionStart(source) = occurrence.event
        && source != Source::Compact
    {
        adopt_project_mail(work, &session, occurrence)?;
    }
    Ok(Entered { session, refused_name, is_new: false })
}

/// A known session runs on, perhaps in another process. Tells why it has lost its name.
fn refresh(
    work: &Work<'_>,
    session: &mut Session,
    occurrence: &Occurrence,
    host: &Host,
) -> Result<Option<String>> {
    if let Some(process) = process::client() {
        work.note_process(session.id, &process, host.now)?;
    }
    if let Some(transcript) = &occurrence.transcript {
        work.set_transcript(session.id, transcript)?;
        session.transcript = Some(transcript.clone());
    }
    if session.state == State::Ended && !matches!(occurrence.event, Event::SessionEnd { .. }) {
        work.set_state(session.id, State::Idle, host.now)?;
        session.state = State::Idle;
        let named = naming::take_back(work, session, host)?;
        session.agent_mailbox = named.mailbox;
        return Ok(named.refused);
    }
    Ok(None)
}

fn register(work: &Work<'_>, occurrence: &Occurrence, host: &Host) -> Result<Entered> {
    let client = process::client();
    let words = client.as_ref().map(process::command_line).unwrap_or_default();
    let attended = protocol::is_attended(occurrence.client, &words);
    let origin = Origin::find(work, occurrence, client.as_ref(), &words)?;
    let named = naming::name_session(work, occurrence, host, &origin, attended)?;
    let cwd = occurrence.cwd.as_deref().unwrap_or(".");
    let own_mailbox = work.mailbox(&Address::Session(occurrence.session.clone()))?;
    let id = work.add_session(
        &NewSession {
            client: occurrence.client,
            key: &occurrence.session,
            own_mailbox,
            agent_mailbox: named.mailbox,
            asked_name: host.asked_name.as_deref(),
            project: &project::key_of(Path::new(cwd)),
            attended,
            transcript: occurrence.transcript.as_deref(),
        },
        host.now,
    )?;
    if let Some(process) = &client {
        work.note_process(id, process, host.now)?;
    }
    if let Some(parent) = parent_of(work, &origin)? {
        work.set_parent(id, &parent)?;
    }
    match &origin {
        Origin::Cleared(old) => {
            work.move_deliveries(old.own_mailbox, own_mailbox)?;
            work.continue_session(old.id, id, host.now)?;
        }
        Origin::Forked(parent) => work.copy_project_deliveries(parent.own_mailbox, own_mailbox)?,
        Origin::Fresh => {}
    }
    let session = work.session_row(id)?.ok_or(Error::Vanished("the session just registered"))?;
    adopt_project_mail(work, &session, occurrence)?;
    Ok(Entered { session, refused_name: named.refused, is_new: true })
}

/// Who hears of a new session's ends: what a clear carried on has the same parent.
fn parent_of(work: &Work<'_>, origin: &Origin) -> Result<Option<String>> {
    match origin {
        Origin::Cleared(old) => work.parent_of(old.id),
        Origin::Forked(_) | Origin::Fresh => children::parent(work),
    }
}

/// Where a new session id comes from.
#[derive(Debug)]
pub(super) enum Origin {
    /// From nowhere.
    Fresh,
    /// It carries on this session, whose conversation was cleared.
    Cleared(Session),
    /// It is a copy of this session.
    Forked(Session),
}

impl Origin {
    fn find(
        work: &Work<'_>,
        occurrence: &Occurrence,
        client: Option<&ProcessId>,
        words: &[String],
    ) -> Result<Origin> {
        let in_process = || match client {
            Some(process) => work.session_of_process(process),
            None => Ok(None),
        };
        if let Some(key) = protocol::forked_from(occurrence.client, words)
            && key != occurrence.session
        {
            let parent = work.session(occurrence.client, &key)?;
            return Ok(parent.map_or(Origin::Fresh, Origin::Forked));
        }
        Ok(match occurrence.event {
            Event::SessionStart(Source::Clear) => match in_process()? {
                Some(old) if !runs_elsewhere(work, &old, client)? => Origin::Cleared(old),
                Some(_) | None => Origin::Fresh,
            },
            Event::SessionStart(Source::Fork) => {
                in_process()?.map_or(Origin::Fresh, Origin::Forked)
            }
            _ => Origin::Fresh,
        })
    }
}

/// Whether a session that one process cleared goes on in another.
fn runs_elsewhere(work: &Work<'_>, session: &Session, here: Option<&ProcessId>) -> Result<bool> {
    let processes = work.processes_of(session.id)?;
    Ok(processes.iter().any(|process| Some(process) != here && process::is_alive(process)))
}

/// Whether an event speaks for a session that its process only copies: Claude Code
/// 2.1.197 announces a fork as the resumption of its parent, and only then takes
/// its own id.
pub(super) fn is_a_forks_start(occurrence: &Occurrence) -> bool {
    let resumes = matches!(occurrence.event, Event::SessionStart(Source::Resume));
    resumes
        && process::client().is_some_and(|client| {
            let words = process::command_line(&client);
            protocol::forked_from(occurrence.client, &words).as_ref() == Some(&occurrence.session)
        })
}

/// Programs that clients run as. Another program that starts a hook, such as a
/// test, keeps a session alive but is nobody's parent or sender.
const CLIENT_PROGRAMS: [&str; 5] = ["claude", "codex", "node", "bun", "deno"];

/// The session of the nearest client among some processes.
pub(super) fn enclosing(
    work: &Work<'_>,
    chain: &[Process],
) -> Result<Option<(ProcessId, Session)>> {
    for process in chain {
        let is_client = CLIENT_PROGRAMS.iter().any(|name| process.program.starts_with(name));
        if is_client && let Some(session) = work.session_of_process(&process.id)? {
            return Ok(Some((process.id.clone(), session)));
        }
    }
    Ok(None)
}

/// A first session gets what was sent to its project when nobody was there, and
/// what went only to sessions that ended before they saw it.
fn adopt_project_mail(work: &Work<'_>, session: &Session, occurrence: &Occurrence) -> Result<()> {
    if !session.takes_project_mail() {
        return Ok(());
    }
    let address = Address::Project(session.project.clone()).to_string();
    let itself = Address::Session(session.key.clone()).to_string();
    let folder = occurrence.cwd.as_deref().unwrap_or(".");
    folders::adopt(work, session, folder, &itself)?;
    if let Some(waiting) = work.find_mailbox(&address)? {
        work.take_waiting_mail(waiting, session.own_mailbox, &itself)?;
    }
    for (seq, readers) in work.unseen_project_mail(&session.project, &address)? {
        if !any_live(work, &readers)? {
            work.pass_on(seq, session.own_mailbox)?;
        }
    }
    Ok(())
}

fn any_live(work: &Work<'_>, sessions: &[Key]) -> Result<bool> {
    for id in sessions {
        if let Some(session) = work.session_row(*id)?
            && is_live(work, &session)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}
