//! Holds: while a session awaits its user, its mail waits in order of arrival. What it
//! awaits is a set of dialogs, each settled by its own result, by what can only come after
//! it, or by the end of the turn.

use super::presence::{self, Presence};
use super::{Scene, TWIN_MILLIS};
use crate::message::{Client, Millis};
use crate::policy::Lane;
use crate::protocol::{Awaited, Dialog, Ending, Output};
use crate::store::{Key, Open, Result, State, Turn, What, Work};

/// A call that began so long after a dialog opened is no sibling of the one that asks: the
/// model has gone on since.
const NO_SIBLING_MILLIS: Millis = 2000;

/// Claude Code says that it waits for a prompt when it has done so for a minute.
const RESTED_MILLIS: Millis = 45_000;

/// The client asks its user something. Where nobody sits, nobody is asked.
pub(super) fn open(scene: &mut Scene<'_, '_>, dialog: &Dialog) -> Result<Option<Output>> {
    let session = scene.session.id;
    let known = scene.work.open_dialogs(session)?;
    if !scene.session.attended || known.iter().any(|open| tells_again(scene, open, dialog)) {
        return Ok(None);
    }
    if dialog.what == Awaited::Dialog && !known.is_empty() {
        return Ok(None);
    }
    let agent = scene.occurrence.agent.as_deref();
    scene.work.open_dialog(session, dialog, agent, scene.now())?;
    set_state(scene, State::Awaiting)?;
    Ok(None)
}

/// Whether a dialog is one that was told already: by another event, or by a hook that is
/// installed twice.
fn tells_again(scene: &Scene<'_, '_>, open: &Open, dialog: &Dialog) -> bool {
    if open.agent != scene.occurrence.agent {
        return false;
    }
    let same = open.dialog.what == dialog.what && open.dialog.tool == dialog.tool;
    match (&open.dialog.call, &dialog.call) {
        (Some(one), Some(other)) => one == other,
        (Some(_), None) => same && dialog.what != Awaited::Permission,
        (None, _) => {
            same && open.dialog.input == dialog.input
                && (scene.now() - open.since).abs() < TWIN_MILLIS
        }
    }
}

/// The client says that a dialog is settled.
pub(super) fn settle(scene: &mut Scene<'_, '_>, dialog: &Dialog) -> Result<Option<Output>> {
    let open = scene.work.open_dialogs(scene.session.id)?;
    let mut mine = open.iter().filter(|open| open.agent == scene.occurrence.agent);
    if let Some(settled) = mine.find(|open| is_about(&open.dialog, dialog)) {
        scene.work.close_dialog(settled.id)?;
    }
    go_on(scene)?;
    Ok(None)
}

fn is_about(open: &Dialog, settled: &Dialog) -> bool {
    match (&open.call, &settled.call) {
        (Some(one), Some(other)) => one == other,
        (None, _) => open.tool == settled.tool && open.input == settled.input,
        (Some(_), None) => open.tool == settled.tool,
    }
}

/// A tool call has ended, which settles its own dialog, and those of its thread that the
/// model must have left behind to ask for it. What a client did not name may be any thread's.
pub(super) fn settle_call(
    scene: &mut Scene<'_, '_>,
    ended: &Dialog,
    duration: Option<Millis>,
) -> Result<()> {
    let began = duration.map(|duration| scene.now() - duration);
    let mut open = scene.work.open_dialogs(scene.session.id)?;
    open.retain(|open| open.agent == scene.occurrence.agent || open.dialog.what == Awaited::Dialog);
    let own = open.iter().find(|open| is_about(&open.dialog, ended)).map(|open| open.id);
    // A call that was asked about began when it was allowed, however long its siblings had
    // been waiting by then. Codex tells of no call before all are allowed.
    let leaves = |open: &Open| match scene.client() {
        Client::Claude => {
            own.is_none() && began.is_some_and(|began| began - open.since > NO_SIBLING_MILLIS)
        }
        Client::Codex => true,
    };
    for open in &open {
        if Some(open.id) == own || open.dialog.what == Awaited::Dialog || leaves(open) {
            scene.work.close_dialog(open.id)?;
        }
    }
    go_on(scene)
}

/// A turn begins or ends, so whatever its thread asked is settled. A subagent may go on
/// asking, unless the client says that nobody is asked any more.
pub(super) fn settle_thread(scene: &mut Scene<'_, '_>) -> Result<()> {
    if scene.session.state != State::Awaiting {
        return Ok(());
    }
    let says_so = presence::of(scene.work, &scene.session, scene.now())? != Presence::Awaiting;
    for open in scene.work.open_dialogs(scene.session.id)? {
        if says_so || open.agent.is_none() {
            scene.work.close_dialog(open.id)?;
        }
    }
    go_on(scene)
}

/// A subagent has ended, and with it whatever it asked.
pub(super) fn settle_agent(scene: &mut Scene<'_, '_>) -> Result<Option<Output>> {
    for open in scene.work.open_dialogs(scene.session.id)? {
        if open.agent == scene.occurrence.agent {
            scene.work.close_dialog(open.id)?;
        }
    }
    go_on(scene)?;
    Ok(None)
}

/// With nothing left to settle, the session is in its turn again, unless that has ended
/// while a subagent asked.
fn go_on(scene: &mut Scene<'_, '_>) -> Result<()> {
    let waits = !scene.work.open_dialogs(scene.session.id)?.is_empty();
    if scene.session.state != State::Awaiting || waits {
        return Ok(());
    }
    let turn = scene.session.turn.map_or(Ok(None), |turn| scene.work.turn(turn).map(Some))?;
    let is_over = turn.is_some_and(|turn| turn.finished);
    set_state(scene, if is_over { State::Idle } else { State::Running })
}

/// A turn that has begun or ended while a subagent asks leaves the session awaiting its user.
pub(super) fn await_on(scene: &mut Scene<'_, '_>) -> Result<()> {
    if scene.work.open_dialogs(scene.session.id)?.is_empty() {
        return Ok(());
    }
    scene.work.set_state(scene.session.id, State::Awaiting, scene.now())
}

pub(super) fn set_state(scene: &mut Scene<'_, '_>, state: State) -> Result<()> {
    if scene.session.state != state {
        scene.work.set_state(scene.session.id, state, scene.now())?;
        scene.session.state = state;
    }
    Ok(())
}

/// The client has waited for a prompt, although no Stop reached us. A turn that is younger
/// than the wait began after it.
pub(super) fn rest(scene: &mut Scene<'_, '_>) -> Result<Option<Output>> {
    let turn = scene.session.turn.map_or(Ok(None), |turn| scene.work.turn(turn).map(Some))?;
    let is_young = |turn: &Turn| (scene.now() - turn.started_at).abs() < RESTED_MILLIS;
    if turn.as_ref().is_some_and(is_young) {
        return Ok(None);
    }
    end_turn(scene, Ending::Interrupted)
}

/// A turn ended without a Stop.
pub(super) fn end_turn(scene: &mut Scene<'_, '_>, ending: Ending) -> Result<Option<Output>> {
    match ending {
        Ending::Failed => settle_thread(scene)?,
        Ending::Interrupted => scene.work.close_dialogs(scene.session.id)?,
    }
    let turn = scene.session.turn.map_or(Ok(None), |turn| scene.work.turn(turn).map(Some))?;
    if let Some(turn) = turn.filter(|turn| !turn.finished) {
        scene.work.finish_turn(scene.session.id, turn.id, scene.now())?;
        super::children::tell_parent(scene, ending.into())?;
    } else {
        set_state(scene, State::Idle)?;
    }
    scene.session.state = State::Idle;
    Ok(None)
}

/// A compaction is work, also between turns.
pub(super) fn compact(scene: &mut Scene<'_, '_>, begins: bool) -> Result<Option<Output>> {
    let turn = scene.session.turn.map_or(Ok(None), |turn| scene.work.turn(turn).map(Some))?;
    let between_turns = turn.is_none_or(|turn| turn.finished);
    if between_turns && scene.session.state != State::Ended {
        set_state(scene, if begins { State::Running } else { State::Idle })?;
    }
    Ok(None)
}

/// Stores that a message is owed to a reader, held if its session awaits its user.
pub(super) fn owe(
    work: &Work<'_>,
    seq: Key,
    reader: Key,
    lane: Lane,
    rank: i64,
    now: Millis,
) -> Result<()> {
    let held = lane == Lane::Steer && presence::of_reader(work, reader, now)? == Presence::Awaiting;
    work.add_delivery(seq, reader, lane, rank, held)?;
    if held {
        work.record_delivery(What::Held, (seq, reader), None, now)?;
    }
    Ok(())
}
