//! SessionStart and SessionEnd.

use super::register::Entered;
use super::{Scene, answers, holds, proofs, show};
use crate::message::Address;
use crate::policy::Lane;
use crate::process;
use crate::protocol::{Output, Source};
use crate::render;
use crate::store::{Result, State, What};

/// A session begins, or begins again: it is told who it is, and its mail.
pub(super) fn start(
    scene: &mut Scene<'_, '_>,
    source: Source,
    entered: &Entered,
) -> Result<Option<Output>> {
    let compacted = source == Source::Compact;
    if compacted {
        holds::compact(scene, false)?;
    } else {
        scene.work.close_dialogs(scene.session.id)?;
        scene.work.set_state(scene.session.id, State::Idle, scene.now())?;
    }
    proofs::look_up_old_offers(scene)?;
    answers::deliver_to(scene.work, &scene.session, scene.now())?;
    let told = if compacted {
        reminder(scene)?
    } else if !entered.is_new && scene.is_twin_of(scene.session.started_at) {
        // The twin of this hook, installed twice, registered it at the same moment.
        None
    } else {
        record(scene, What::Started, name(scene)?.as_deref())?;
        introduction(scene, entered)?
    };
    let mut opening: Vec<String> = told.into_iter().collect();
    if matches!(source, Source::Clear | Source::Compact) {
        opening.extend(show::open_lines(scene, &show::open_mail(scene)?));
    }
    // A compaction happens within a turn; any other start comes before one.
    let turn = if compacted { scene.session.turn } else { None };
    show::context(scene, Lane::Prompt, opening, turn, None)
}

fn record(scene: &Scene<'_, '_>, what: What, detail: Option<&str>) -> Result<()> {
    let session = Address::Session(scene.session.key.clone()).to_string();
    scene.work.record(what, None, &session, detail, scene.now())
}

/// What a session is told of itself; nothing when it has no name.
pub(super) fn introduction(scene: &Scene<'_, '_>, entered: &Entered) -> Result<Option<String>> {
    let refused = entered.refused_name.as_deref();
    Ok(name(scene)?.map(|name| render::introduction(&name, refused, &scene.host.commands)))
}

fn reminder(scene: &Scene<'_, '_>) -> Result<Option<String>> {
    Ok(name(scene)?.map(|name| render::reminder(&name, &scene.host.commands)))
}

fn name(scene: &Scene<'_, '_>) -> Result<Option<String>> {
    let Some(mailbox) = scene.session.agent_mailbox else {
        return Ok(None);
    };
    let address = scene.work.address_of(mailbox)?;
    Ok(Some(address.strip_prefix("agent/").unwrap_or(&address).to_owned()))
}

/// A process of the session ends; the session does when none is left.
pub(super) fn end(scene: &Scene<'_, '_>, clear: bool) -> Result<Option<Output>> {
    let session = scene.session.id;
    let own = process::client();
    let mut others = scene.work.processes_of(session)?;
    others.retain(|process| Some(process) != own.as_ref() && process::is_alive(process));
    if let Some(own) = own
        && !(clear && others.is_empty())
    {
        // After a clear the process stays, and leads its next session to this one.
        scene.work.drop_process(session, &own)?;
    }
    if others.is_empty() {
        scene.work.close_dialogs(session)?;
        scene.work.set_state(session, State::Ended, scene.now())?;
        record(scene, What::Ended, None)?;
    }
    Ok(None)
}
