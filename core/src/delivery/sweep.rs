//! Keeping the mailbox small: the content of what is old and closed goes, in bounded steps.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::terms;
use crate::message::Millis;
use crate::retention::{DAY, Reason, verdict};
use crate::store::{Aged, Result, Store, What, Work, checkpoint_if_long, fold};

/// How many messages are emptied in one transaction, and how many pages given back.
const STEP: usize = 250;
/// After how many steps the log is folded: a long one slows the hooks beside this.
const FOLD_EVERY: u64 = 8;
/// Between two steps others get at the mailbox.
const PAUSE: Duration = Duration::from_millis(2);
/// The steps that a command does beside its own work.
const ALONGSIDE: usize = 4;
/// Without a sweep for so long nobody can tell an unused mailbox from a clock set forward.
const LONG_AGO: Millis = 30 * DAY;
/// Who closes what nobody closed.
const CLOSED_BY: &str = "mailstop";
/// The name of the chore.
const CHORE: &str = "sweep";

/// What a sweep removed, or would.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many messages, by the reason.
    pub removed: BTreeMap<Reason, u64>,
    /// The bytes of their content.
    pub freed_bytes: u64,
    /// How many are as old, but open, and stay.
    pub kept_open: u64,
}

impl Swept {
    /// All messages removed.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.removed.values().sum()
    }

    fn add(&mut self, reason: Reason, bytes: u64) {
        *self.removed.entry(reason).or_default() += 1;
        self.freed_bytes += bytes;
    }
}

/// The rule of a sweep: the time it goes by, and how long content is kept.
#[derive(Debug, Clone, Copy)]
pub struct Retention {
    /// The time, as far as it is believed.
    pub now: Millis,
    /// How long content is kept.
    pub ttl: Millis,
}

impl Retention {
    /// The rule of a number of days; none for 0, which keeps everything.
    ///
    /// # Errors
    /// When the store fails.
    pub fn of_days(work: &Work<'_>, days: u32, now: Millis) -> Result<Option<Retention>> {
        let now = terms::believed(work, now)?;
        Ok((days > 0).then(|| Retention { now, ttl: Millis::from(days) * DAY }))
    }

    fn until(self) -> Millis {
        self.now.saturating_sub(self.ttl)
    }

    fn reason(self, aged: &Aged) -> Option<Reason> {
        verdict(aged.facts, self.now, self.ttl)
    }
}

/// Tells what a sweep would remove, and changes nothing.
///
/// # Errors
/// When the store fails.
pub fn rehearse_sweep(work: &Work<'_>, retention: Retention) -> Result<Swept> {
    let mut swept = Swept { kept_open: work.count_open(retention.until())?, ..Swept::default() };
    work.visit_aged(retention.until(), &mut |aged| {
        if let Some(reason) = retention.reason(aged) {
            swept.add(reason, aged.bytes);
        }
    })?;
    Ok(swept)
}

/// Removes everything that may go, and gives the space back. `progress` hears how many
/// messages are done.
///
/// # Errors
/// When the store fails; whole steps stay.
pub fn sweep(
    store: &mut Store,
    folder: &Path,
    retention: Retention,
    progress: &mut dyn FnMut(u64),
) -> Result<Swept> {
    store.hold_more()?;
    let mut swept = Swept::default();
    for steps in 1.. {
        if !step(store, retention, &mut swept)? {
            break;
        }
        if steps % FOLD_EVERY == 0 {
            checkpoint_if_long(store, folder)?;
        }
        progress(swept.total());
        sleep(PAUSE);
    }
    let work = store.begin()?;
    swept.kept_open = work.count_open(retention.until())?;
    finish(&work, retention, &swept)?;
    work.commit()?;
    while store.give_back(STEP)? {
        sleep(PAUSE);
    }
    // Only then does the file get shorter.
    fold(store)?;
    Ok(swept)
}

/// Notes that nothing is left to be done, and forgets what happened as long ago.
fn finish(work: &Work<'_>, retention: Retention, swept: &Swept) -> Result<()> {
    work.note_chore(CHORE, retention.now)?;
    while work.forget_activities(retention.until(), STEP)? == STEP {}
    if swept.total() == 0 {
        return Ok(());
    }
    let count = format!("{} messages", swept.total());
    work.record(What::Swept, None, CLOSED_BY, Some(&count), retention.now)
}

/// Empties some messages. Says whether there may be more.
fn step(store: &mut Store, retention: Retention, swept: &mut Swept) -> Result<bool> {
    let work = store.begin()?;
    let mut buried = Vec::new();
    for aged in work.aged(retention.until(), STEP)? {
        if let Some(reason) = retention.reason(&aged) {
            swept.add(reason, aged.bytes);
            buried.push(aged.seq);
        }
    }
    // Neighbours in the file go together.
    buried.sort_unstable();
    work.bury(&buried, CLOSED_BY, retention.now)?;
    work.commit()?;
    Ok(buried.len() == STEP)
}

/// Sweeps a little, at most once a day. What is left then is for the next command.
///
/// # Errors
/// When the store fails.
pub fn sweep_alongside(store: &mut Store, days: u32, now: Millis) -> Result<()> {
    let Some(retention) = due(store, days, now)? else {
        return Ok(());
    };
    let mut swept = Swept::default();
    for _ in 0..ALONGSIDE {
        if !step(store, retention, &mut swept)? {
            let work = store.begin()?;
            finish(&work, retention, &swept)?;
            work.commit()?;
            break;
        }
    }
    store.give_back(STEP)?;
    Ok(())
}

/// The rule to sweep by, if a day has gone by. A first look, or one after a long time, only
/// notes the day: a clock that was set forward is often set right again.
fn due(store: &mut Store, days: u32, now: Millis) -> Result<Option<Retention>> {
    let work = store.read()?;
    let done_at = work.chore_done_at(CHORE)?;
    let retention = Retention::of_days(&work, days, now)?;
    drop(work);
    let since = done_at.map_or(Millis::MAX, |at| now.saturating_sub(at).saturating_abs());
    if since < DAY {
        return Ok(None);
    }
    if since > LONG_AGO {
        let work = store.begin()?;
        work.note_chore(CHORE, now)?;
        work.commit()?;
        return Ok(None);
    }
    Ok(retention)
}
