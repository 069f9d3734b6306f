//! Stop, the only gate: asks the policy, and does what it says.

use super::children::{self, End};
use super::notice::{self, Notice};
use super::show::{compose, letter, offer, open_mail, unread};
use super::{Scene, holds, proofs};
use crate::message::Receipt;
use crate::policy::{self, Facts, Lane, Reason, Rules, Verdict};
use crate::protocol::Output;
use crate::render::{self, Page, Why};
use crate::store::{Key, Owed, Result};

/// Decides whether the turn may end.
pub(super) fn stop(scene: &mut Scene<'_, '_>) -> Result<Option<Output>> {
    holds::settle_thread(scene)?;
    let turn = scene.turn()?;
    proofs::prove_by_stop(scene, turn.id)?;
    let rules = scene.host.config.rules(scene.client());
    let (mut owed, total) = unread(scene, Lane::Stop)?;
    let more = total - owed.len();
    // What was never shown goes first; what was is shown again where there is room.
    owed.extend(open_mail(scene)?);
    let facts: Vec<Facts> = owed.iter().map(|owed| facts(owed, turn.id)).collect();
    let verdict =
        if scene.shows { policy::at_stop(&rules, &facts, turn.budget) } else { Verdict::LetGo };
    match verdict {
        Verdict::LetGo => {
            finish(scene, turn.id)?;
            Ok(None)
        }
        Verdict::Block(holding) => block(scene, &rules, turn.id, &owed, &holding, more),
        Verdict::Stall(ignored) => {
            let ignored: Vec<&Owed> = ignored.into_iter().map(|place| &owed[place]).collect();
            stall(scene, turn.id, &ignored, total)
        }
    }
}

fn finish(scene: &Scene<'_, '_>, turn: Key) -> Result<()> {
    scene.work.finish_turn(scene.session.id, turn, scene.now())?;
    children::tell_parent(scene, End::Finished)
}

fn facts(owed: &Owed, turn: Key) -> Facts {
    Facts {
        status: owed.message.status,
        disposition: owed.message.disposition,
        priority: owed.message.priority,
        receipt: owed.receipt,
        stall: owed.stall(turn),
    }
}

/// A message is shown in full when it is unread or blocks for the first time, and
/// takes one line in later blocks.
fn block(
    scene: &Scene<'_, '_>,
    rules: &Rules,
    turn: Key,
    owed: &[Owed],
    holding: &[(usize, Reason)],
    more: usize,
) -> Result<Option<Output>> {
    let mut page = Page { more, holds: true, ..Page::default() };
    let mut in_full = Vec::new();
    for &(place, reason) in holding {
        let owed = &owed[place];
        let until_resolved = rules.block_until_resolved.contains(&owed.message.priority);
        let letter = letter(scene, owed, Why::Holds { reason, until_resolved });
        if reason == Reason::Unread || owed.blocked_turn.is_none() {
            page.letters.push(letter);
            in_full.push(owed);
        } else {
            page.opening.push(render::open_line(&letter, &scene.host.commands));
            scene.work.note_blocked(owed.message.seq, owed.reader, turn, scene.now())?;
        }
    }
    let composed = compose(scene, &page);
    let shown = &in_full[..composed.shown];
    offer(
        scene,
        shown.iter().copied().filter(|owed| owed.receipt == Receipt::Unread),
        Some(turn),
        None,
    )?;
    for owed in shown {
        scene.work.note_blocked(owed.message.seq, owed.reader, turn, scene.now())?;
    }
    scene.work.count_block(turn)?;
    Ok(Some(Output::Block(composed.text)))
}

/// The budget is used up: the turn ends, and who sent what was ignored is told once.
fn stall(
    scene: &Scene<'_, '_>,
    turn: Key,
    ignored: &[&Owed],
    unread: usize,
) -> Result<Option<Output>> {
    for owed in ignored {
        scene.work.note_stalled(owed.message.seq, owed.reader, turn, scene.now())?;
        tell_sender(scene, owed)?;
    }
    finish(scene, turn)?;
    let ids: Vec<&str> = ignored.iter().map(|owed| owed.message.id.as_str()).collect();
    let readers = scene.session.readers();
    let reader = scene.work.address_of(readers[0])?;
    Ok(Some(Output::User(render::let_go(&ids, unread, &reader))))
}

fn tell_sender(scene: &Scene<'_, '_>, owed: &Owed) -> Result<()> {
    let message = &owed.message;
    let reader = scene.work.address_of(owed.reader)?;
    let subject = format!("{reader} stopped without handling {}", message.id);
    let body = format!(
        "Your message {} ({}) was shown to {reader}, which stopped without resolving it. \
         It is still pending and blocks again on later turns, once each.",
        message.id, message.subject
    );
    let notice = Notice { about: &reader, event: "stalled", subject: &subject, body: &body };
    notice::tell_sender(scene.work, message, notice, scene.now())
}
