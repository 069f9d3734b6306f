//! `mailstop sessions`.

use mailstop_core::delivery::{self, Forgotten, Presence, presence_of};
use mailstop_core::message::{Millis, Name};
use mailstop_core::policy::Lane;
use mailstop_core::project;
use mailstop_core::refusal::Refusal;
use mailstop_core::store::{Open, Session, State, Work};
use mailstop_core::text;
use serde_json::{Value, json};

use crate::args::{SessionsAction, SessionsArgs};
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::table::Table;

/// One session as it is listed.
pub(super) struct Listed {
    pub(super) session: Session,
    pub(super) name: Option<String>,
    pub(super) presence: Presence,
    pub(super) dialogs: Vec<Open>,
    pub(super) parent: Option<String>,
    pub(super) paused: bool,
    pub(super) unread: usize,
}

impl Listed {
    /// What it is doing. A session whose client is gone without a word was cut.
    pub(super) fn state(&self) -> &'static str {
        match (self.presence, self.session.state) {
            (Presence::Running, _) => State::Running.as_str(),
            (Presence::Idle, _) => State::Idle.as_str(),
            (Presence::Awaiting, _) => State::Awaiting.as_str(),
            (Presence::Away, State::Ended) => State::Ended.as_str(),
            (Presence::Away, _) => "cut",
        }
    }
}

/// Lists sessions, or removes one.
pub(crate) fn run(args: &SessionsArgs, printer: &mut Printer) -> Result<(), CliError> {
    if let Some(SessionsAction::Forget { session }) = &args.action {
        return forget(session, printer);
    }
    let mut mailbox = Mailbox::open_to_read()?;
    let now = mailbox.now;
    let sessions = mailbox.look(|work, _| list(work, args.all, now))?;
    let documents: Vec<Value> = sessions.iter().map(document).collect();
    printer.document(&json!({ "sessions": documents }))?;
    if sessions.is_empty() {
        return printer
            .line("no sessions; they register with their first event after `mailstop install`");
    }
    print(&sessions, now, printer)
}

/// The sessions, the latest first: those that run, or all.
pub(super) fn list(work: &Work<'_>, all: bool, now: Millis) -> Result<Vec<Listed>, Refusal> {
    let mut listed = Vec::new();
    for session in work.all_sessions()? {
        if !all && session.state == State::Ended {
            continue;
        }
        let mailbox = session.agent_mailbox;
        let name = mailbox.map(|mailbox| work.address_of(mailbox)).transpose()?;
        let paused = mailbox.map_or(Ok(false), |mailbox| work.is_paused(mailbox))?;
        let mut unread = 0;
        for reader in session.readers() {
            for &lane in Lane::Prompt.shown() {
                unread += work.count_unread(reader, lane)?;
            }
        }
        let presence = presence_of(work, &session, now)?;
        let dialogs = match presence {
            Presence::Awaiting => work.open_dialogs(session.id)?,
            Presence::Running | Presence::Idle | Presence::Away => Vec::new(),
        };
        let parent = work.parent_of(session.id)?;
        listed.push(Listed { presence, dialogs, parent, paused, name, unread, session });
    }
    Ok(listed)
}

/// One session as a document.
pub(super) fn document(listed: &Listed) -> Value {
    let session = &listed.session;
    json!({
        "id": session.key,
        "client": session.client.as_str(),
        "name": listed.name.as_deref().and_then(|name| name.strip_prefix("agent/")),
        "state": listed.state(),
        "awaiting": listed.dialogs.iter().map(awaited).collect::<Vec<_>>(),
        "paused": listed.paused,
        "attended": session.attended,
        "parent": listed.parent,
        "project": session.project,
        "unread": listed.unread,
        "started_at": session.started_at,
        "last_event_at": session.last_event_at,
    })
}

fn awaited(open: &Open) -> Value {
    let dialog = &open.dialog;
    json!({
        "what": dialog.what.as_str(),
        "tool": dialog.tool,
        "question": dialog.question,
        "since": open.since,
    })
}

/// Prints sessions as a table.
pub(super) fn print(sessions: &[Listed], now: i64, printer: &mut Printer) -> Result<(), CliError> {
    let mut table =
        Table::new(&["NAME", "STATE", "UNREAD", "CLIENT", "PROJECT", "LAST", "SESSION"]);
    for listed in sessions {
        let session = &listed.session;
        table.row(&[
            listed.name.clone().unwrap_or_else(|| "-".to_owned()),
            state(listed, now),
            listed.unread.to_string(),
            session.client.to_string(),
            project::name_of(&session.project).to_owned(),
            text::age(now - session.last_event_at),
            session.key.clone(),
        ]);
    }
    table.print(printer)
}

/// What a session is doing, and what it awaits its user for, since when.
fn state(listed: &Listed, now: Millis) -> String {
    let mut words = vec![listed.state().to_owned()];
    if let Some(oldest) = listed.dialogs.first() {
        words[0] += &format!(" its user: {} {}", oldest.dialog.what, text::age(now - oldest.since));
    }
    words.extend(listed.paused.then(|| "paused".to_owned()));
    words.join(", ")
}

fn forget(which: &str, printer: &mut Printer) -> Result<(), CliError> {
    let mailbox = Mailbox::open()?;
    let now = mailbox.now;
    let forgotten = mailbox.act(|work, _, _| delivery::forget(work, &named(work, which)?, now))?;
    let Forgotten { key, unread, held } = forgotten;
    printer
        .document(&json!({ "id": key, "forgotten": true, "dead": unread, "held_dead": held }))?;
    let session = text::line(&key);
    let dead = match unread {
        0 => String::new(),
        count => format!(", but {} to the session itself: mailstop dead list", counted(count)),
    };
    printer.line(format!("forgot session {session}; its mail stays{dead}"))?;
    if held > 0 && !printer.is_json() {
        let warning = format!("{} by session {session} will not be delivered", counted(held));
        printer.complain("warning", &format!("{warning}: mailstop dead list"));
    }
    Ok(())
}

fn counted(count: usize) -> String {
    format!("{count} unread {}", if count == 1 { "message" } else { "messages" })
}

fn named(work: &Work<'_>, which: &str) -> Result<Session, Refusal> {
    if let Some(session) = work.session_with_key(which)? {
        return Ok(session);
    }
    if let Ok(name) = which.trim_start_matches("agent/").parse::<Name>()
        && let Some(mailbox) = work.mailbox_named(&name)?
        && let Some(session) = work.holders(mailbox)?.into_iter().next()
    {
        return Ok(session);
    }
    Err(Refusal::not_found(format!("no session `{which}`"), "`mailstop sessions --all` lists them"))
}
