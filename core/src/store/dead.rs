//! Deliveries that are not tried again by themselves.

use rusqlite::{Row, params};

use super::{Key, Result, What, Work};
use crate::message::Millis;

/// A delivery that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dead {
    /// The message's place in the order of arrival.
    pub seq: Key,
    /// Its id.
    pub id: String,
    /// Its subject.
    pub subject: String,
    /// The address it went to.
    pub recipient: String,
    /// The reader that it did not reach.
    pub reader: Key,
    /// The reader's address.
    pub address: String,
    /// How often it was offered.
    pub attempts: u32,
    /// Why it was given up.
    pub last_error: String,
    /// When.
    pub dead_at: Millis,
    /// The mailbox of the name that the reader had, if it was forgotten.
    pub heir: Option<Key>,
}

const COLUMNS: &str = "m.seq, m.id, m.subject, m.recipient, d.reader, b.address, d.attempts,
    coalesce(d.last_error, '') AS last_error, d.dead_at, d.heir";
const TABLES: &str = "deliveries d JOIN messages m ON m.seq = d.message
    JOIN mailboxes b ON b.id = d.reader";
const DEAD: &str = "d.dead_at IS NOT NULL AND d.dropped_at IS NULL";

fn dead(row: &Row<'_>) -> rusqlite::Result<Dead> {
    Ok(Dead {
        seq: row.get("seq")?,
        id: row.get("id")?,
        subject: row.get("subject")?,
        recipient: row.get("recipient")?,
        reader: row.get("reader")?,
        address: row.get("address")?,
        attempts: row.get("attempts")?,
        last_error: row.get("last_error")?,
        dead_at: row.get("dead_at")?,
        heir: row.get("heir")?,
    })
}

impl Work<'_> {
    /// Gives a delivery up. Says whether it was not given up before.
    ///
    /// # Errors
    /// When the store fails.
    pub fn give_up(&self, (seq, reader): (Key, Key), reason: &str, now: Millis) -> Result<bool> {
        let changed = self.transaction.execute(
            "UPDATE deliveries SET owed = 0, held = 0, dead_at = ?4, last_error = ?3
             WHERE message = ?1 AND reader = ?2 AND receipt = 0 AND dead_at IS NULL",
            params![seq, reader, reason, now],
        )?;
        if changed > 0 {
            self.record_delivery(What::Dead, (seq, reader), Some(reason), now)?;
        }
        Ok(changed > 0)
    }

    /// What was given up and is pending at a time, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn dead(&self, now: Millis) -> Result<Vec<Dead>> {
        let mut statement = self.transaction.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM {TABLES}
             WHERE {DEAD} AND m.status = 'pending' AND coalesce(m.expires_at > ?1, 1)
             ORDER BY d.dead_at, d.message, d.reader"
        ))?;
        Ok(statement.query_map([now], dead)?.collect::<rusqlite::Result<_>>()?)
    }

    /// The deliveries of one message that were given up, but those put aside.
    ///
    /// # Errors
    /// When the store fails.
    pub fn dead_of(&self, seq: Key) -> Result<Vec<Dead>> {
        let mut statement = self.transaction.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM {TABLES} WHERE d.message = ?1 AND {DEAD} ORDER BY d.reader"
        ))?;
        Ok(statement.query_map([seq], dead)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether any delivery of a message was put aside.
    ///
    /// # Errors
    /// When the store fails.
    pub fn has_dropped(&self, seq: Key) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM deliveries WHERE message = ?1 AND dropped_at IS NOT NULL",
        )?;
        Ok(statement.exists([seq])?)
    }

    /// Makes a delivery that was given up unread and owed again, by its reader or by
    /// another one, with a budget of its own; held if that one awaits its user. Says whether
    /// it could be: a reader has a message once.
    ///
    /// # Errors
    /// When the store fails.
    pub fn redeliver(&self, dead: &Dead, reader: Key, awaits: bool, now: Millis) -> Result<bool> {
        let changed = self.transaction.execute(
            "UPDATE OR IGNORE deliveries SET reader = ?3, receipt = 0, owed = 1, errors = 0,
               held = ?5 AND lane = 0, dead_at = NULL, heir = NULL, redelivered_at = ?4
             WHERE message = ?1 AND reader = ?2 AND dead_at IS NOT NULL AND dropped_at IS NULL",
            params![dead.seq, dead.reader, reader, now, awaits],
        )?;
        if changed > 0 {
            self.record_delivery(What::Retried, (dead.seq, reader), None, now)?;
        }
        Ok(changed > 0)
    }

    /// Notes whose name a reader had that is forgotten now, with what it never got.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_heir(&self, reader: Key, heir: Option<Key>) -> Result<()> {
        self.transaction.execute(
            "UPDATE deliveries SET heir = ?2
             WHERE reader = ?1 AND dead_at IS NOT NULL AND dropped_at IS NULL",
            params![reader, heir],
        )?;
        Ok(())
    }

    /// Puts a delivery that was given up aside for good.
    ///
    /// # Errors
    /// When the store fails.
    pub fn drop_dead(&self, dead: &Dead, now: Millis) -> Result<()> {
        self.transaction.execute(
            "UPDATE deliveries SET dropped_at = ?3 WHERE message = ?1 AND reader = ?2",
            params![dead.seq, dead.reader, now],
        )?;
        self.record_delivery(What::Dropped, (dead.seq, dead.reader), None, now)
    }

    /// Ids of the pending mail to a session itself that a reader was not shown.
    ///
    /// # Errors
    /// When the store fails.
    pub fn unread_session_mail(&self, reader: Key) -> Result<Vec<String>> {
        let mut statement = self.transaction.prepare(
            "SELECT m.id FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.receipt = 0 AND d.owed = 1
               AND m.status = 'pending' AND m.recipient LIKE 'session/%' ORDER BY d.message",
        )?;
        Ok(statement.query_map([reader], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// Ids and readers of the pending mail that somebody sent and that is held, in order.
    ///
    /// # Errors
    /// When the store fails.
    pub fn held_of_sender(&self, sent_by: &str) -> Result<Vec<(String, Key)>> {
        let mut statement = self.transaction.prepare(
            "SELECT m.id, d.reader FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.held = 1 AND d.receipt = 0 AND d.owed = 1
               AND m.status = 'pending' AND m.sent_by = ?1 ORDER BY d.message",
        )?;
        let rows = statement.query_map([sent_by], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
