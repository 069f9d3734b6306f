//! From offered to seen: what proves that the model got what a hook printed, and
//! what shows that it did not.

use std::path::{Path, PathBuf};

use super::{Scene, attempts, register};
use crate::message::Millis;
use crate::store::{Key, Result, Unproved};
use crate::transcript;

fn unproved(scene: &Scene<'_, '_>) -> Result<Vec<Unproved>> {
    let mut offers = Vec::new();
    for reader in scene.session.readers() {
        offers.extend(scene.work.unproved(reader)?);
    }
    Ok(offers)
}

/// Whether an offer was made in a turn, before this event.
fn is_of_turn(scene: &Scene<'_, '_>, offer: &Unproved, turn: Key) -> bool {
    let here = offer.session == Some(scene.session.id);
    let earlier = !scene.ran_before(offer.offered_at);
    here && earlier && offer.turn.is_none_or(|offered| offered == turn)
}

/// A Stop proves everything that its turn was offered before.
pub(super) fn prove_by_stop(scene: &Scene<'_, '_>, turn: Key) -> Result<()> {
    for offer in unproved(scene)? {
        if is_of_turn(scene, &offer, turn) {
            attempts::seen(scene.work, &offer, "stop", scene.now())?;
        }
    }
    Ok(())
}

/// A tool call proves a block of its turn, and any other offer that the model had
/// before it asked for the call.
pub(super) fn prove_by_tool(
    scene: &Scene<'_, '_>,
    turn: Key,
    call: Option<&str>,
    duration: Option<Millis>,
) -> Result<()> {
    let began = duration.map(|duration| scene.now() - duration);
    for offer in unproved(scene)? {
        if is_of_turn(scene, &offer, turn)
            && (offer.event == "Stop" || was_before(scene, &offer, call, began))
        {
            attempts::seen(scene.work, &offer, "tool call", scene.now())?;
        }
    }
    Ok(())
}

/// Whether the model had an offer before it asked for a tool call.
fn was_before(
    scene: &Scene<'_, '_>,
    offer: &Unproved,
    call: Option<&str>,
    began: Option<Millis>,
) -> bool {
    // A call that ran before the offer was asked for before it.
    if began.is_some_and(|began| began <= offer.offered_at) {
        return false;
    }
    match (offer.call.as_deref(), call) {
        // Shown at the turn's beginning: every later call came after it.
        (None, _) => true,
        (Some(offering), Some(call)) if offering == call => false,
        (Some(offering), Some(call)) => {
            let siblings = transcript_path(scene)
                .and_then(|path| transcript::are_siblings(&path, offering, call));
            match siblings {
                Some(siblings) => !siblings,
                None => began.is_some() && transcript_path(scene).is_none(),
            }
        }
        (Some(_), None) => false,
    }
}

fn transcript_path(scene: &Scene<'_, '_>) -> Option<PathBuf> {
    let path = PathBuf::from(scene.occurrence.transcript.as_ref()?);
    path.is_file().then_some(path)
}

/// At a new beginning, what earlier turns were offered and nothing proved is looked
/// up in the transcript it was offered to. What is not there was never seen.
pub(super) fn look_up_old_offers(scene: &Scene<'_, '_>) -> Result<()> {
    for offer in unproved(scene)? {
        let here = offer.session == Some(scene.session.id);
        if here
            && offer.event == scene.occurrence.event.name()
            && scene.is_twin_of(offer.offered_at)
        {
            // The twin of this hook, installed twice, offered it at the same moment.
            continue;
        }
        if here && offer.turn.is_none() && !is_start(scene) {
            // Offered by the start of this very turn: still on its way.
            continue;
        }
        let Some(path) = offered_to(scene, &offer, here)? else {
            continue;
        };
        if transcript::holds(&path, offer.offset.unwrap_or(0), &offer.id) {
            attempts::seen(scene.work, &offer, "transcript", scene.now())?;
        } else {
            attempts::failed(scene.work, &offer, scene.now())?;
        }
    }
    Ok(())
}

fn is_start(scene: &Scene<'_, '_>) -> bool {
    matches!(scene.occurrence.event, crate::protocol::Event::SessionStart(_))
}

/// The transcript of the session an offer was made to; none while another session
/// that is still alive may prove it.
fn offered_to(scene: &Scene<'_, '_>, offer: &Unproved, here: bool) -> Result<Option<PathBuf>> {
    if here {
        let path = scene.occurrence.transcript.clone().unwrap_or_default();
        return Ok(Some(PathBuf::from(path)));
    }
    let Some(session) = offer.session.map_or(Ok(None), |id| scene.work.session_row(id))? else {
        return Ok(Some(PathBuf::new()));
    };
    if register::is_live(scene.work, &session)? {
        return Ok(None);
    }
    Ok(Some(Path::new(&session.transcript.unwrap_or_default()).to_owned()))
}
