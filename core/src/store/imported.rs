//! Messages that come from elsewhere, with the receipts they have already.

use rusqlite::{OptionalExtension, params};

use super::deliveries::lane_number;
use super::{Key, Result, Work};
use crate::message::Millis;
use crate::policy::Lane;

/// What proves that a message was seen where it comes from.
const PROOF: &str = "import";

/// A delivery that did not begin here.
#[derive(Debug, Clone, Copy)]
pub struct OldDelivery {
    /// Where it waits.
    pub lane: Lane,
    /// Its place among others.
    pub rank: i64,
    /// Whether anything is still to be shown or handled.
    pub owed: bool,
    /// When it was seen.
    pub seen_at: Option<Millis>,
}

impl Work<'_> {
    /// Stores a delivery as it was elsewhere.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_old_delivery(&self, seq: Key, reader: Key, old: OldDelivery) -> Result<()> {
        let receipt = if old.seen_at.is_some() { 2 } else { 0 };
        self.transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO deliveries
                   (message, reader, receipt, owed, lane, rank, seen_at, proof)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                seq,
                reader,
                receipt,
                old.owed,
                lane_number(old.lane),
                old.rank,
                old.seen_at,
                old.seen_at.map(|_| PROOF),
            ])?;
        Ok(())
    }

    /// Says what was done to an imported message, in the words it had there.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_note(&self, seq: Key, note: &str) -> Result<()> {
        self.transaction
            .prepare_cached("UPDATE messages SET note = ?2 WHERE seq = ?1")?
            .execute(params![seq, note])?;
        Ok(())
    }

    /// The id of the message with an id from elsewhere.
    ///
    /// # Errors
    /// When the store fails.
    pub fn id_with_alias(&self, alias: &str) -> Result<Option<String>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT m.id FROM aliases a JOIN messages m ON m.seq = a.message WHERE a.alias = ?1",
        )?;
        Ok(statement.query_row([alias], |row| row.get(0)).optional()?)
    }

    /// Whether a message answers one that was not known when it came.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answers_nothing(&self, seq: Key) -> Result<bool> {
        let mut statement = self
            .transaction
            .prepare_cached("SELECT 1 FROM messages WHERE seq = ?1 AND reply_to IS NULL")?;
        Ok(statement.exists([seq])?)
    }

    /// Notes which message another one answers.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_reply_to(&self, seq: Key, parent: &str) -> Result<()> {
        self.transaction
            .prepare_cached("UPDATE messages SET reply_to = ?2 WHERE seq = ?1")?
            .execute(params![seq, parent])?;
        Ok(())
    }
}
