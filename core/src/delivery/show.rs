//! Choosing what an event shows, and marking exactly that as offered.

use std::path::Path;

use super::Scene;
use crate::message::{Disposition, Receipt, Status};
use crate::policy::{Lane, Rules};
use crate::protocol::{self, Event, Output};
use crate::render::{self, Letter, Page, Why};
use crate::store::{Key, Offer, Owed, Result};
use crate::transcript;

/// Why open mail is named again outside a block.
const OPEN: Why = Why::Actionable { until_resolved: true };
/// More letters than ever fit into one output.
const CANDIDATES: usize = 64;
/// More open messages than are ever listed one by one.
const OPEN_LISTED: usize = 200;

/// The unread messages that an event of this lane may show, in the order to show
/// them, and how many there are in all.
pub(super) fn unread(scene: &Scene<'_, '_>, lane: Lane) -> Result<(Vec<Owed>, usize)> {
    let mut owed = Vec::new();
    let mut total = 0;
    for reader in scene.session.readers() {
        let held = scene.work.held(reader, CANDIDATES)?;
        let mut count = held.len();
        let mut is_all = count < CANDIDATES;
        owed.extend(held);
        for &lane in lane.shown() {
            let found = scene.work.unread(reader, lane, CANDIDATES)?;
            is_all &= found.len() < CANDIDATES;
            count += found.len();
            owed.extend(found);
        }
        total += if is_all { count } else { count_all(scene, reader, lane)? };
    }
    if matches!(scene.occurrence.event, Event::SessionStart(_)) {
        // What is closed already is only told at a prompt.
        let found = owed.len();
        owed.retain(|owed| owed.message.status == Status::Pending);
        total -= found - owed.len();
    }
    // What was held goes first, in the order in which it came.
    owed.sort_by_key(|owed| match owed.held {
        true => (-1, owed.message.seq),
        false => (owed.message.priority.rank(), owed.message.seq),
    });
    Ok((owed, total))
}

fn count_all(scene: &Scene<'_, '_>, reader: Key, lane: Lane) -> Result<usize> {
    let counts = lane.shown().iter().map(|&lane| scene.work.count_unread(reader, lane));
    counts.sum()
}

/// Pending mail that was shown and goes on blocking.
pub(super) fn open_mail(scene: &Scene<'_, '_>) -> Result<Vec<Owed>> {
    let rules = scene.host.config.rules(scene.client());
    let mut open = Vec::new();
    for reader in scene.session.readers() {
        for &priority in &rules.block_until_resolved {
            open.extend(scene.work.standing(reader, priority, OPEN_LISTED)?);
        }
    }
    open.sort_by_key(|owed| (owed.message.priority.rank(), owed.message.seq));
    Ok(open)
}

/// Shows unread mail as context, behind some opening lines.
pub(super) fn context(
    scene: &Scene<'_, '_>,
    lane: Lane,
    opening: Vec<String>,
    turn: Option<Key>,
    call: Option<&str>,
) -> Result<Option<Output>> {
    if !scene.shows {
        return Ok(None);
    }
    let (owed, total) = unread(scene, lane)?;
    let rules = scene.host.config.rules(scene.client());
    let letters = owed.iter().map(|owed| letter(scene, owed, why(&rules, owed))).collect();
    let page = Page { opening, letters, more: total - owed.len(), holds: false };
    let composed = compose(scene, &page);
    offer(scene, &owed[..composed.shown], turn, call)?;
    Ok((!composed.text.is_empty()).then_some(Output::Context(composed.text)))
}

fn why(rules: &Rules, owed: &Owed) -> Why {
    let message = &owed.message;
    match (message.status, message.disposition) {
        (Status::Pending, Some(Disposition::Acknowledgement)) => Why::Acknowledgement,
        (Status::Pending, _) => Why::Actionable {
            until_resolved: rules.block_until_resolved.contains(&message.priority),
        },
        (status, _) => Why::Closed(status),
    }
}

/// One owed message as it is shown.
pub(super) fn letter<'a>(scene: &Scene<'_, '_>, owed: &'a Owed, why: Why) -> Letter<'a> {
    let message = &owed.message;
    Letter {
        id: &message.id,
        sender: &message.sender,
        subject: &message.subject,
        priority: message.priority,
        age: scene.now() - message.created_at,
        body: &message.body,
        body_bytes: owed.body_bytes,
        why,
    }
}

/// Puts a page into this client's budget.
pub(super) fn compose(scene: &Scene<'_, '_>, page: &Page<'_>) -> render::Composed {
    let measure = protocol::measure(scene.client());
    let budget = render::Budget { size: scene.host.config.output_budget, measure };
    render::compose(page, &scene.host.commands, budget)
}

/// Marks as offered what really stands in the output.
pub(super) fn offer<'o>(
    scene: &Scene<'_, '_>,
    shown: impl IntoIterator<Item = &'o Owed>,
    turn: Option<Key>,
    call: Option<&str>,
) -> Result<()> {
    let mut shown = shown.into_iter().peekable();
    if shown.peek().is_none() {
        return Ok(());
    }
    let transcript = scene.occurrence.transcript.as_deref();
    let offer = Offer {
        event: scene.occurrence.event.name(),
        session: scene.session.id,
        turn,
        call,
        // A transcript that does not exist yet will hold the offer from its beginning.
        offset: transcript.map(|path| transcript::length(Path::new(path)).unwrap_or(0)),
    };
    for owed in shown {
        scene.work.offer(owed.message.seq, owed.reader, offer, scene.now())?;
    }
    Ok(())
}

/// One line for all open mail, but what the start showed a moment ago.
pub(super) fn open_summary(scene: &Scene<'_, '_>, open: &[Owed]) -> Option<String> {
    let seen = open.iter().filter(|owed| owed.receipt == Receipt::Seen);
    let letters: Vec<Letter<'_>> = seen.map(|owed| letter(scene, owed, OPEN)).collect();
    (!letters.is_empty()).then(|| render::open_summary(&letters, &scene.host.commands))
}

/// One line for each open message.
pub(super) fn open_lines(scene: &Scene<'_, '_>, open: &[Owed]) -> Vec<String> {
    open.iter()
        .map(|owed| render::open_line(&letter(scene, owed, OPEN), &scene.host.commands))
        .collect()
}
