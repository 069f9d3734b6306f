//! What happens on each event, and on send, read and resolve: the use cases. They
//! know no client's words.

mod answer;
mod answers;
mod ask;
mod attempts;
mod awaited_answer;
mod backfill;
mod care;
mod children;
mod classify;
mod close;
mod dead;
mod folders;
mod forget;
mod holds;
mod listing;
mod naming;
mod notice;
mod presence;
mod proofs;
mod redelivery;
mod register;
mod room;
mod send;
mod show;
mod start;
mod stop;
mod sweep;
mod target;
mod terms;
mod who;

use std::io;
use std::path::Path;

use crate::config::Config;
use crate::message::{Client, Millis};
use crate::policy::Lane;
use crate::protocol::skim::Input;
use crate::protocol::{Awaited, Dialog, Event, Occurrence, Output, Source};
use crate::render::Commands;
use crate::store::{self, Session, State, Store, Turn, Work};

pub use answer::{Ended, answer, cancel};
pub use answers::{Fate, Handled, Round, deliver_answers};
pub use ask::{Inquiry, ask};
pub use awaited_answer::{
    Awaited as AwaitedAnswer, Received, await_answer, is_awaited, received, stop_waiting,
};
pub use backfill::{Backfilled, backfill, rehearse_backfill};
pub use care::{endless, remove_orphans};
pub use classify::{Rule, classify};
pub use close::{Closed, Closing, close, read, withdraw};
pub use dead::{Letter, Letters, dead, drop_dead};
pub use folders::{Inbox, folder_address, project_inbox, session_inbox};
pub use forget::{Forgotten, forget};
pub use listing::{Recipient, Report, outcome_of, report};
pub use naming::{Renamed, rename};
pub use presence::{Presence, of as presence_of};
pub use redelivery::{rehearse_retry_all, retry, retry_all};
pub use register::is_live;
pub use send::{Draft, Reply, Sent, reply, send};
pub use sweep::{Retention, Swept, rehearse_sweep, sweep, sweep_alongside};
pub use target::resolve_address;
pub use terms::{believed, end_due, note_clock};
pub use who::{Actor, who};

/// Hooks that are installed twice run for one event within this time of each other.
const TWIN_MILLIS: Millis = 1000;
/// Clients give up on a hook after this time.
const LONGEST_HOOK_MILLIS: Millis = 10_000;

/// What a hook knows of its surroundings.
#[derive(Debug)]
pub struct Host {
    /// When this hook began: what happened later it cannot have come after.
    pub began: Millis,
    /// Tells the time.
    pub clock: fn() -> Millis,
    /// The time of the event, read once the store is this hook's alone.
    pub now: Millis,
    /// The commands that an agent is told.
    pub commands: Commands,
    /// The person's settings.
    pub config: Config,
    /// The name that the session's starter wants it to have.
    pub asked_name: Option<String>,
}

/// Why an event could not be handled.
#[derive(Debug)]
pub enum Failure {
    /// The store failed.
    Store(store::Error),
    /// The client did not take the output.
    Output(io::Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Store(error) => error.fmt(f),
            Failure::Output(error) => write!(f, "the client did not take the output: {error}"),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        Failure::Store(error)
    }
}

/// Takes an output to the client, and returns when it is flushed.
pub type Emit<'a> = dyn FnMut(&Output) -> io::Result<()> + 'a;

/// Handles one event in one transaction: what is shown is claimed first, then
/// written, and only then committed as offered.
///
/// # Errors
/// When the store fails or the client does not take the output; nothing is
/// committed then. A client that takes nothing has the event noted without a show.
pub fn on_event(
    store: &mut Store,
    occurrence: &Occurrence,
    host: &mut Host,
    emit: &mut Emit<'_>,
) -> Result<(), Failure> {
    if register::is_a_forks_start(occurrence) {
        return Ok(());
    }
    match attempt(store, occurrence, host, Some(emit)) {
        Err(Failure::Output(error)) => {
            attempt(store, occurrence, host, None)?;
            Err(Failure::Output(error))
        }
        done => done,
    }
}

/// The common case, decided by one read and without a lock: a tool call of a known
/// running session that is owed nothing. Its event needs no handling.
///
/// # Errors
/// When the store fails.
pub fn is_idle_tool_call(store: &mut Store, occurrence: &Occurrence) -> Result<bool, Failure> {
    if !matches!(occurrence.event, Event::PostToolUse { .. }) {
        return Ok(false);
    }
    let work = store.read()?;
    Ok(work.tool_call_is_idle(occurrence.client, &occurrence.session, occurrence.in_subagent())?)
}

fn attempt(
    store: &mut Store,
    occurrence: &Occurrence,
    host: &mut Host,
    emit: Option<&mut Emit<'_>>,
) -> Result<(), Failure> {
    let work = store.begin()?;
    host.now = (host.clock)();
    let host = &*host;
    terms::end_due(&work, host.now)?;
    let entered = register::enter(&work, occurrence, host)?;
    let mut scene = Scene {
        work: &work,
        occurrence,
        host,
        session: entered.session.clone(),
        shows: emit.is_some(),
    };
    let output = match &occurrence.event {
        Event::Opened(_, dialog) => holds::open(&mut scene, dialog)?,
        Event::Settled(_, dialog) => holds::settle(&mut scene, dialog)?,
        Event::AgentEnded => holds::settle_agent(&mut scene)?,
        _ if occurrence.in_subagent() => subagent(&mut scene)?,
        Event::SessionStart(source) => start::start(&mut scene, *source, &entered)?,
        Event::UserPromptSubmit => prompt(&mut scene, &entered)?,
        Event::PostToolUse { call, duration, .. } => tool(&mut scene, call.as_deref(), *duration)?,
        Event::Stop => stop::stop(&mut scene)?,
        Event::TurnEnded(_, ending) => holds::end_turn(&mut scene, *ending)?,
        Event::Resting => holds::rest(&mut scene)?,
        Event::Compacting => holds::compact(&mut scene, true)?,
        Event::Compacted => holds::compact(&mut scene, false)?,
        Event::SessionEnd { clear } => start::end(&scene, *clear)?,
    };
    if entered.session.state == State::Awaiting {
        holds::await_on(&mut scene)?;
    }
    if let (Some(output), Some(emit)) = (output, emit) {
        emit(&output).map_err(Failure::Output)?;
    }
    Ok(work.commit()?)
}

/// One event being handled.
pub(crate) struct Scene<'a, 'w> {
    pub(crate) work: &'a Work<'w>,
    pub(crate) occurrence: &'a Occurrence,
    pub(crate) host: &'a Host,
    pub(crate) session: Session,
    /// False when the client takes no output: everything is noted, nothing shown.
    pub(crate) shows: bool,
}

impl Scene<'_, '_> {
    pub(crate) fn now(&self) -> Millis {
        self.host.now
    }

    /// Whether this hook was running before something else happened. What lies further
    /// ahead than a hook can live was noted before the clock was set back.
    pub(crate) fn ran_before(&self, at: Millis) -> bool {
        (1..LONGEST_HOOK_MILLIS).contains(&(at - self.host.began))
    }

    /// Whether a hook that did something then was started with this one, for one event.
    /// Where the transcript can be asked about what it showed, and where a session begins
    /// again, only if both ran at once.
    pub(crate) fn is_twin_of(&self, at: Millis) -> bool {
        let transcript = self.occurrence.transcript.as_deref().map(Path::new);
        let may_follow = match self.occurrence.event {
            Event::SessionStart(source) => source != Source::Startup,
            _ => transcript.is_some_and(Path::is_file),
        };
        self.ran_before(at) || (!may_follow && (self.now() - at).abs() < TWIN_MILLIS)
    }

    pub(crate) fn client(&self) -> Client {
        self.occurrence.client
    }

    /// The turn the session is in; its first event may come in the middle of one.
    pub(crate) fn turn(&self) -> store::Result<Turn> {
        match self.session.turn {
            Some(turn) => self.work.turn(turn),
            None => self.work.start_turn(self.session.id, None, self.now()),
        }
    }
}

/// A subagent's event says that the session is at work, and settles what it asked.
fn subagent(scene: &mut Scene<'_, '_>) -> store::Result<Option<Output>> {
    if matches!(scene.occurrence.event, Event::PostToolUse { .. }) {
        settle_call(scene)?;
        at_work(scene)?;
    }
    Ok(None)
}

/// A call has ended, and with it the dialog about it.
fn settle_call(scene: &mut Scene<'_, '_>) -> store::Result<()> {
    let Event::PostToolUse { call, duration, tool, input, .. } = &scene.occurrence.event else {
        return Ok(());
    };
    if scene.session.state != State::Awaiting {
        return Ok(());
    }
    let ended = Dialog {
        what: Awaited::Permission,
        tool: tool.clone().unwrap_or_default(),
        call: call.clone(),
        input: input.as_ref().map(Input::digest),
        question: None,
    };
    holds::settle_call(scene, &ended, *duration)
}

fn at_work(scene: &mut Scene<'_, '_>) -> store::Result<()> {
    match scene.session.state {
        State::Running | State::Awaiting => Ok(()),
        State::Idle | State::Ended => holds::set_state(scene, State::Running),
    }
}

/// A prompt starts a turn and shows everything there is.
fn prompt(scene: &mut Scene<'_, '_>, entered: &register::Entered) -> store::Result<Option<Output>> {
    holds::settle_thread(scene)?;
    let twin = turn_of_twin(scene)?;
    let is_twin = twin.is_some();
    let turn = match twin {
        Some(turn) => turn,
        None => {
            proofs::look_up_old_offers(scene)?;
            begin_turn(scene)?
        }
    };
    scene.session.turn = Some(turn.id);
    for reader in scene.session.readers() {
        scene.work.date_offers(reader, scene.session.id, turn.id)?;
    }
    let open = if is_twin { Vec::new() } else { show::open_mail(scene)? };
    // A session whose first event this is was not told who it is.
    let told = if entered.is_new { start::introduction(scene, entered)? } else { None };
    let opening = told.into_iter().chain(show::open_summary(scene, &open)).collect();
    show::context(scene, Lane::Prompt, opening, Some(turn.id), None)
}

fn begin_turn(scene: &Scene<'_, '_>) -> store::Result<Turn> {
    let prompt = scene.occurrence.prompt.as_deref();
    scene.work.start_turn(scene.session.id, prompt, scene.now())
}

/// The turn that this prompt's hook has begun already, where it is installed twice.
/// Clients name a prompt; of one without a name, a hook of the same moment is a twin.
fn turn_of_twin(scene: &Scene<'_, '_>) -> store::Result<Option<Turn>> {
    let Some(turn) = scene.session.turn else {
        return Ok(None);
    };
    let turn = scene.work.turn(turn)?;
    let is_twin = match (&turn.prompt, &scene.occurrence.prompt) {
        (Some(begun), Some(prompt)) => begun == prompt,
        _ => scene.is_twin_of(turn.started_at),
    };
    Ok((is_twin && !turn.finished && turn.budget.in_turn == 0).then_some(turn))
}

/// A tool call that ended shows what may steer the turn.
fn tool(
    scene: &mut Scene<'_, '_>,
    call: Option<&str>,
    duration: Option<Millis>,
) -> store::Result<Option<Output>> {
    settle_call(scene)?;
    at_work(scene)?;
    let turn = scene.turn()?;
    if turn.budget.without_tool > 0 {
        scene.work.note_tool(turn.id)?;
    }
    proofs::prove_by_tool(scene, turn.id, call, duration)?;
    if scene.session.state == State::Awaiting {
        // Another dialog is open still: mail waits until that is settled, too.
        return Ok(None);
    }
    show::context(scene, Lane::Steer, Vec::new(), Some(turn.id), call)
}
