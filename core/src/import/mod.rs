//! Bringing mail over from work-buddy: every row once, as far as it makes sense, in batches
//! that are there whole or not at all. A run that was cut goes on where it was.

mod odd;
mod reads;
mod report;
mod row;
mod store;
mod times;

use std::collections::HashMap;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use crate::message::Millis;
use crate::store::{OldMailbox, OldMessage, Result, Store, What, checkpoint_if_long};

use reads::Readers;
use row::Converted;
use store::Batch;

pub use odd::Odd;
pub use report::Report;

/// How many rows are stored in one transaction.
const BATCH: usize = 500;
/// After how many of them the log is folded: a long one slows the hooks beside this.
const FOLD_EVERY: u64 = 4;
/// Between two of them others get at the mailbox.
const PAUSE: Duration = Duration::from_millis(2);

/// An import being done.
#[derive(Debug)]
pub struct Import<'a> {
    source: &'a OldMailbox,
    readers: Readers,
    /// Stands for times that are not there.
    now: Millis,
    /// How long an acknowledgement may wait.
    term: Option<Millis>,
    report: Report,
    /// How often each row without an id has come that says the same as another.
    nameless: HashMap<String, u64>,
}

impl<'a> Import<'a> {
    /// Prepares an import.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn new(source: &'a OldMailbox, now: Millis, term: Option<Millis>) -> Result<Import<'a>> {
        let of_projects = source.projects_of_sessions()?;
        let readers = Readers { of_projects, is_oldest: source.is_oldest() };
        let mut report = Report::default();
        report.add_odd(Odd::Read, source.count_stray_reads()?);
        Ok(Import { source, readers, now, term, report, nameless: HashMap::new() })
    }

    /// Imports everything. `progress` hears how many rows are done.
    ///
    /// # Errors
    /// When the source cannot be read or the store fails; whole batches stay.
    pub fn run(
        mut self,
        store: &mut Store,
        folder: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report> {
        store.hold_more()?;
        let mut done = 0;
        let mut last = 0;
        for batch in 1.. {
            let rows = self.source.messages_after(last, BATCH)?;
            let Some(end) = rows.last().map(|row| row.row) else {
                break;
            };
            let work = store.begin()?;
            let mut stored = Batch::new(&work);
            for row in &rows {
                self.import(&mut stored, row)?;
            }
            work.commit()?;
            if batch % FOLD_EVERY == 0 {
                checkpoint_if_long(store, folder)?;
            }
            last = end;
            done += rows.len() as u64;
            progress(done);
            sleep(PAUSE);
        }
        self.link(store)?;
        if self.report.imported > 0 {
            let work = store.begin()?;
            let count = format!("{} messages", self.report.imported);
            work.record(What::Imported, None, "work-buddy", Some(&count), self.now)?;
            work.commit()?;
        }
        Ok(self.report)
    }

    /// Tells what [`Import::run`] would do. Without a store nothing is there already.
    ///
    /// # Errors
    /// When the source or the store cannot be read.
    pub fn rehearse(
        mut self,
        store: Option<&mut Store>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Report> {
        let work = store.map(Store::read).transpose()?;
        let (mut done, mut last) = (0, 0);
        loop {
            let rows = self.source.messages_after(last, BATCH)?;
            let Some(end) = rows.last().map(|row| row.row) else {
                return Ok(self.report);
            };
            for row in &rows {
                let Some(message) = self.convert(row)? else {
                    continue;
                };
                let known = work.as_ref().map(|work| work.message_with_alias(&message.alias));
                self.report.count(&message, known.transpose()?.flatten().is_some());
            }
            last = end;
            done += rows.len() as u64;
            progress(done);
        }
    }

    fn convert(&mut self, row: &OldMessage) -> Result<Option<Converted>> {
        let Some(mut message) = row::convert(row, self.now, self.term) else {
            self.report.skipped += 1;
            return Ok(None);
        };
        if message.odd.contains(&Odd::NoId) {
            let count = self.nameless.entry(message.alias.clone()).or_default();
            *count += 1;
            message.alias += &format!("-{count}");
        }
        if let Some(parent) = &message.answers
            && !self.source.has(parent)?
        {
            message.odd.push(Odd::Reply);
        }
        Ok(Some(message))
    }

    fn import(&mut self, batch: &mut Batch<'_>, row: &OldMessage) -> Result<()> {
        let Some(message) = self.convert(row)? else {
            return Ok(());
        };
        let known = batch.has(&message.alias)?;
        self.report.count(&message, known);
        if known {
            return Ok(());
        }
        let reads = match &row.id {
            Some(id) => self.source.reads_of(id)?,
            None => Vec::new(),
        };
        let seen_at = reads::seen_at(&message, row.recipient.as_deref(), &reads, &self.readers);
        batch.store(&message, seen_at)
    }

    /// Leads answers to what they answer, also where that came later.
    fn link(&self, store: &mut Store) -> Result<()> {
        let mut last = 0;
        loop {
            let replies = self.source.replies_after(last, BATCH)?;
            let Some(end) = replies.last().map(|reply| reply.0) else {
                return Ok(());
            };
            let read = store.read()?;
            let mut missing = Vec::new();
            for (_, id, parent) in &replies {
                if let Some(seq) = read.message_with_alias(id)?
                    && read.answers_nothing(seq)?
                    && let Some(parent) = read.id_with_alias(parent)?
                {
                    missing.push((seq, parent));
                }
            }
            drop(read);
            if !missing.is_empty() {
                let work = store.begin()?;
                for (seq, parent) in &missing {
                    work.set_reply_to(*seq, parent)?;
                }
                work.commit()?;
            }
            last = end;
        }
    }
}
