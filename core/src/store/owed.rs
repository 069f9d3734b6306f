//! What is owed to a reader: the questions that hooks ask, and the indexes answer.

use rusqlite::{Row, params};

use super::deliveries::{lane_number, receipt};
use super::messages::{self, Message};
use super::{Key, Result, Work};
use crate::message::{Millis, Priority, Receipt};
use crate::policy::{Lane, Stall};

/// The most of a body that a hook reads: more than it may ever print.
const EXCERPT_BYTES: i64 = 16 * 1024;

/// A message owed to a session, as a hook needs it.
#[derive(Debug, Clone)]
pub struct Owed {
    /// The message; its body is only the beginning of a long one.
    pub message: Message,
    /// The whole body's length in bytes.
    pub body_bytes: usize,
    /// The reader it is owed through.
    pub reader: Key,
    /// How far it got.
    pub receipt: Receipt,
    /// The turn whose Stop it held last.
    pub blocked_turn: Option<Key>,
    /// When a turn was let go because of it.
    pub stalled_at: Option<Millis>,
    /// Whether it is held, and shown in the order of arrival.
    pub held: bool,
}

impl Owed {
    /// Where the message stands with the block budget in a turn.
    #[must_use]
    pub fn stall(&self, turn: Key) -> Stall {
        match self.stalled_at {
            None => Stall::None,
            Some(_) if self.blocked_turn == Some(turn) => Stall::Spent,
            Some(_) => Stall::Armed,
        }
    }
}

fn owed(row: &Row<'_>) -> rusqlite::Result<Owed> {
    Ok(Owed {
        message: messages::message(row)?,
        body_bytes: row.get("body_bytes")?,
        reader: row.get("reader")?,
        receipt: receipt(row)?,
        blocked_turn: row.get("blocked_turn")?,
        stalled_at: row.get("stalled_at")?,
        held: row.get("held")?,
    })
}

/// The columns of an owed message, its body cut at the limit. Bodies are cut as
/// bytes, and lossless again as text, since SQLite's text functions end at a NUL.
fn owed_columns() -> String {
    let cut = format!(
        "CASE WHEN octet_length(m.body) <= {EXCERPT_BYTES} THEN m.body
         ELSE CAST(substr(CAST(m.body AS BLOB), 1, {EXCERPT_BYTES}) AS TEXT) END AS body"
    );
    let columns = messages::COLUMNS.replace("m.body", &cut);
    format!(
        "{columns}, octet_length(m.body) AS body_bytes, d.reader, d.receipt, d.blocked_turn, d.stalled_at, d.held"
    )
}

impl Work<'_> {
    /// Unread messages that are held for one reader, in order of arrival.
    ///
    /// # Errors
    /// When the store fails.
    pub fn held(&self, reader: Key, limit: usize) -> Result<Vec<Owed>> {
        let sql = format!(
            "SELECT {} FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.held = 1 AND d.receipt = 0 AND d.owed = 1
             ORDER BY d.message LIMIT ?2",
            owed_columns()
        );
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map(params![reader, limit], owed)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether an unread message with a mark waits for a reader.
    ///
    /// # Errors
    /// When the store fails.
    pub fn is_waiting(&self, reader: Key, correlation: &str) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.receipt = 0 AND d.owed = 1 AND m.correlation = ?2
             ORDER BY d.lane, d.rank, d.message DESC LIMIT 1",
        )?;
        Ok(statement.exists(params![reader, correlation])?)
    }

    /// Unread messages of one reader in one lane, urgent and high first, then in order
    /// of arrival, without those that are held.
    ///
    /// # Errors
    /// When the store fails.
    pub fn unread(&self, reader: Key, lane: Lane, limit: usize) -> Result<Vec<Owed>> {
        let sql = format!(
            "SELECT {} FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.lane = ?2 AND d.receipt = 0 AND d.owed = 1 AND d.held = 0
             ORDER BY d.rank, d.message LIMIT ?3",
            owed_columns()
        );
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map(params![reader, lane_number(lane), limit], owed)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How many unread messages of one reader wait in one lane.
    ///
    /// # Errors
    /// When the store fails.
    pub fn count_unread(&self, reader: Key, lane: Lane) -> Result<usize> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT count(*) FROM deliveries WHERE reader = ?1 AND lane = ?2 AND receipt = 0 AND owed = 1",
        )?;
        Ok(statement.query_row(params![reader, lane_number(lane)], |row| row.get(0))?)
    }

    /// Pending messages of one reader that were shown and may block, of one priority.
    ///
    /// # Errors
    /// When the store fails.
    pub fn standing(&self, reader: Key, priority: Priority, limit: usize) -> Result<Vec<Owed>> {
        let sql = format!(
            "SELECT {} FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.rank = ?2 AND d.receipt > 0 AND d.owed = 1 AND d.lane < 2
               AND m.priority = ?3
             ORDER BY d.message LIMIT ?4",
            owed_columns()
        );
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let values = params![reader, priority.rank(), priority.as_str(), limit];
        let rows = statement.query_map(values, owed)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a reader has at least so many unread messages.
    ///
    /// # Errors
    /// When the store fails.
    pub fn has_unread(&self, reader: Key, count: u32) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM deliveries WHERE reader = ?1 AND receipt = 0 AND owed = 1
             LIMIT 1 OFFSET ?2",
        )?;
        Ok(statement.exists(params![reader, count.saturating_sub(1)])?)
    }
}
