//! Listings and counts. Nothing here changes anything.

use rusqlite::{ToSql, params_from_iter};

use super::deliveries::{Delivery, receipt};
use super::messages::{self, Message};
use super::{Key, Result, Work};
use crate::message::{Disposition, Millis, Priority, Receipt, Status};

/// Which messages a listing shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only those owed to one of these readers; empty is everybody's.
    pub readers: Vec<Key>,
    /// Only those that went to one of these addresses; empty is every one.
    pub recipients: Vec<String>,
    /// Only those that were not shown yet.
    pub unread: bool,
    /// Only what is pending at this time.
    pub pending_at: Option<Millis>,
    /// Only those of this priority.
    pub priority: Option<Priority>,
    /// Only those of this disposition.
    pub disposition: Option<Disposition>,
    /// Only those that speak for this address.
    pub sender: Option<String>,
    /// At most so many.
    pub limit: usize,
}

/// One message in one mailbox.
#[derive(Debug, Clone)]
pub struct Row {
    /// The message.
    pub message: Message,
    /// The reader's delivery.
    pub reader: Key,
    /// The reader's address.
    pub reader_address: String,
    /// How far it got.
    pub receipt: Receipt,
    /// Whether a turn was let go because of it.
    pub stalled: bool,
}

/// The mailbox at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// All messages.
    pub messages: i64,
    /// Those pending.
    pub pending: i64,
    /// Deliveries that were not shown yet.
    pub unread: i64,
    /// Deliveries offered and not proved.
    pub offered: i64,
}

impl Work<'_> {
    /// Lists messages with their deliveries, urgent and high first, then the newest.
    ///
    /// # Errors
    /// When the store fails.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Row>> {
        let mut conditions = vec!["1".to_owned()];
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        if !filter.readers.is_empty() {
            let marks = vec!["?"; filter.readers.len()].join(", ");
            conditions.push(format!("d.reader IN ({marks})"));
            values.extend(filter.readers.iter().map(|key| Box::new(*key) as Box<dyn ToSql>));
        }
        if !filter.recipients.is_empty() {
            let marks = vec!["?"; filter.recipients.len()].join(", ");
            conditions.push(format!("m.recipient IN ({marks})"));
            values.extend(filter.recipients.iter().map(|address| Box::new(address.clone()) as _));
        }
        if filter.unread {
            conditions.push("d.receipt = 0 AND d.owed = 1".to_owned());
        }
        if let Some(now) = filter.pending_at {
            let pending = Status::Pending;
            conditions.push(format!("m.status = '{pending}' AND coalesce(m.expires_at > ?, 1)"));
            values.push(Box::new(now));
        }
        if let Some(priority) = filter.priority {
            conditions.push(format!("m.priority = '{priority}'"));
        }
        if let Some(disposition) = filter.disposition {
            conditions.push(format!("coalesce(m.disposition, 'actionable') = '{disposition}'"));
        }
        if let Some(sender) = &filter.sender {
            conditions.push("m.sender = ?".to_owned());
            values.push(Box::new(sender.clone()));
        }
        let sql = format!(
            "SELECT {}, d.reader, b.address, d.receipt, d.stalled_at
             FROM deliveries d JOIN messages m ON m.seq = d.message
             JOIN mailboxes b ON b.id = d.reader
             WHERE {} ORDER BY d.rank, d.message DESC LIMIT {}",
            messages::COLUMNS,
            conditions.join(" AND "),
            filter.limit
        );
        let mut statement = self.transaction.prepare(&sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            Ok(Row {
                message: messages::message(row)?,
                reader: row.get("reader")?,
                reader_address: row.get("address")?,
                receipt: receipt(row)?,
                stalled: row.get::<_, Option<i64>>("stalled_at")?.is_some(),
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Counts everything once.
    ///
    /// # Errors
    /// When the store fails.
    pub fn totals(&self) -> Result<Totals> {
        Ok(self.transaction.query_row(
            "SELECT (SELECT count(*) FROM messages),
               (SELECT count(*) FROM messages WHERE status = 'pending'),
               (SELECT count(*) FROM deliveries WHERE receipt = 0 AND owed = 1),
               (SELECT count(*) FROM deliveries WHERE receipt = 1)",
            [],
            |row| {
                Ok(Totals {
                    messages: row.get(0)?,
                    pending: row.get(1)?,
                    unread: row.get(2)?,
                    offered: row.get(3)?,
                })
            },
        )?)
    }

    /// The delivery of a message to a reader.
    ///
    /// # Errors
    /// When the store fails.
    pub fn delivery(&self, seq: Key, reader: Key) -> Result<Option<Delivery>> {
        Ok(self.deliveries(seq)?.into_iter().find(|delivery| delivery.reader == reader))
    }
}
