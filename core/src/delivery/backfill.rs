//! Classifying messages that have no disposition, by the rules that a send goes by.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::classify::{Rule, classify};
use crate::message::Mode;
use crate::policy;
use crate::store::{Key, Result, Store, Undecided, Work, checkpoint_if_long};

/// How many messages are classified in one transaction.
const BATCH: usize = 500;
/// Between two of them others get at the mailbox.
const PAUSE: Duration = Duration::from_millis(2);

/// How many messages each rule has classified.
pub type Backfilled = BTreeMap<Rule, u64>;

/// Classifies every message without a disposition, in batches that are done whole or not
/// at all.
///
/// # Errors
/// When the store fails; whole batches stay.
pub fn backfill(store: &mut Store, folder: &Path) -> Result<Backfilled> {
    let mut counts = Backfilled::new();
    let mut last = 0;
    loop {
        let work = store.begin()?;
        let batch = work.undecided_after(last, BATCH)?;
        let Some(end) = batch.last().map(|message| message.seq) else {
            return Ok(counts);
        };
        for message in &batch {
            let rule = rule(message);
            *counts.entry(rule).or_default() += 1;
            let lane = policy::lane(message.status, Some(rule.disposition()), Mode::Auto);
            work.decide(message.seq, rule.disposition(), lane)?;
        }
        work.commit()?;
        checkpoint_if_long(store, folder)?;
        last = end;
        sleep(PAUSE);
    }
}

/// Tells what [`backfill`] would do.
///
/// # Errors
/// When the store fails.
pub fn rehearse_backfill(work: &Work<'_>) -> Result<Backfilled> {
    let mut counts = Backfilled::new();
    let mut last: Key = 0;
    loop {
        let batch = work.undecided_after(last, BATCH)?;
        let Some(end) = batch.last().map(|message| message.seq) else {
            return Ok(counts);
        };
        for message in &batch {
            *counts.entry(rule(message)).or_default() += 1;
        }
        last = end;
    }
}

fn rule(message: &Undecided) -> Rule {
    classify(Some(message.status), &message.subject, &message.tags, &message.body)
}
