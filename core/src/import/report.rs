//! What an import came to.

use std::collections::BTreeMap;

use super::odd::Odd;
use super::row::Converted;
use crate::delivery::Rule;

/// The counts of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows that are messages now.
    pub imported: u64,
    /// Rows that were imported before, also where a sweep has removed their content.
    pub already_there: u64,
    /// Rows that say nothing.
    pub skipped: u64,
    /// What made no sense in the rows imported, with how often.
    pub odd: BTreeMap<Odd, u64>,
    /// Rows imported that had no disposition, by the rule that gave them one.
    pub backfilled: BTreeMap<Rule, u64>,
}

impl Report {
    pub(super) fn add_odd(&mut self, odd: Odd, count: u64) {
        if count > 0 {
            *self.odd.entry(odd).or_default() += count;
        }
    }

    pub(super) fn count(&mut self, message: &Converted, known: bool) {
        if known {
            self.already_there += 1;
            return;
        }
        self.imported += 1;
        for odd in &message.odd {
            self.add_odd(*odd, 1);
        }
        if let Some(rule) = message.rule {
            *self.backfilled.entry(rule).or_default() += 1;
        }
    }
}
