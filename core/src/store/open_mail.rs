//! Mail that is open for long: by mailbox, and the oldest of it.

use rusqlite::{OptionalExtension, Row, params};

use super::{Key, Result, Work};
use crate::message::{Millis, Priority};

/// Open mail in one mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenMail {
    /// The mailbox.
    pub reader: Key,
    /// Its address.
    pub address: String,
    /// How many messages.
    pub count: u64,
    /// The oldest one's id.
    pub oldest: String,
    /// When that was sent.
    pub since: Millis,
}

/// Of a group, `min` picks the row that the other columns come from.
const COLUMNS: &str = "d.reader, b.address, count(*) AS count, m.id, min(m.created_at) AS since";
const TABLES: &str = "deliveries d JOIN messages m ON m.seq = d.message
    JOIN mailboxes b ON b.id = d.reader";
const OPEN: &str = "m.status = 'pending' AND coalesce(m.disposition, 'actionable') = 'actionable'";

fn open_mail(row: &Row<'_>) -> rusqlite::Result<OpenMail> {
    Ok(OpenMail {
        reader: row.get("reader")?,
        address: row.get("address")?,
        count: row.get("count")?,
        oldest: row.get("id")?,
        since: row.get("since")?,
    })
}

impl Work<'_> {
    /// Actionable mail sent before a time that is still open, by mailbox, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn open_before(&self, time: Millis) -> Result<Vec<OpenMail>> {
        let mut statement = self.transaction.prepare(&format!(
            "SELECT {COLUMNS} FROM {TABLES} WHERE {OPEN} AND m.created_at < ?1
             GROUP BY d.reader ORDER BY since, d.reader"
        ))?;
        let rows = statement.query_map([time], open_mail)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The same for mail that is owed to some readers and to nobody else.
    ///
    /// # Errors
    /// When the store fails.
    pub fn open_before_only_for(&self, time: Millis, readers: &[Key]) -> Result<Vec<OpenMail>> {
        let list = readers.iter().map(Key::to_string).collect::<Vec<_>>().join(", ");
        let mut statement = self.transaction.prepare(&format!(
            "SELECT {COLUMNS} FROM {TABLES}
             WHERE {OPEN} AND m.created_at < ?1 AND d.reader IN ({list}) AND NOT EXISTS (
               SELECT 1 FROM deliveries o WHERE o.message = d.message AND o.reader NOT IN ({list}))
             GROUP BY d.reader ORDER BY since, d.reader"
        ))?;
        let rows = statement.query_map([time], open_mail)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The oldest message that some reader has not been shown.
    ///
    /// # Errors
    /// When the store fails.
    pub fn oldest_unread(&self) -> Result<Option<OpenMail>> {
        self.oldest("m.status = 'pending' AND d.receipt = 0 AND d.owed = 1")
    }

    /// The oldest message that was shown and holds the Stop of its reader, by the
    /// priorities that do. A person has no Stop.
    ///
    /// # Errors
    /// When the store fails.
    pub fn oldest_blocking(&self, blocking: &[Priority]) -> Result<Option<OpenMail>> {
        let words: Vec<String> =
            blocking.iter().map(|priority| format!("'{}'", priority.as_str())).collect();
        self.oldest(&format!(
            "{OPEN} AND d.receipt > 0 AND d.owed = 1 AND m.priority IN ({}) AND b.address <> 'user'",
            words.join(", ")
        ))
    }

    fn oldest(&self, condition: &str) -> Result<Option<OpenMail>> {
        let mut statement = self.transaction.prepare(&format!(
            "SELECT {COLUMNS} FROM {TABLES} WHERE {condition} HAVING count(*) > 0"
        ))?;
        Ok(statement.query_row(params![], open_mail).optional()?)
    }
}
