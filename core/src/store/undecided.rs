//! Messages that nobody has classified.

use rusqlite::params;

use super::deliveries::lane_number;
use super::{Key, Result, Work};
use crate::message::{Disposition, Status};
use crate::policy::Lane;

/// A message without a disposition.
#[derive(Debug, Clone)]
pub struct Undecided {
    /// Its place in the order of arrival.
    pub seq: Key,
    /// Its status.
    pub status: Status,
    /// Its subject.
    pub subject: String,
    /// Its body.
    pub body: String,
    /// Its tags.
    pub tags: Vec<String>,
}

impl Work<'_> {
    /// Messages after one that have no disposition, in the order of arrival.
    ///
    /// # Errors
    /// When the store fails.
    pub fn undecided_after(&self, seq: Key, limit: usize) -> Result<Vec<Undecided>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT seq, status, subject, body, tags FROM messages
             WHERE seq > ?1 AND disposition IS NULL ORDER BY seq LIMIT ?2",
        )?;
        let rows = statement.query_map(params![seq, limit], |row| {
            let tags: String = row.get("tags")?;
            Ok(Undecided {
                seq: row.get("seq")?,
                status: super::word(row, "status")?,
                subject: row.get("subject")?,
                body: row.get("body")?,
                tags: serde_json::from_str(&tags).unwrap_or_default(),
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Gives a message its disposition, and its deliveries the lane that follows from it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn decide(&self, seq: Key, disposition: Disposition, lane: Lane) -> Result<()> {
        self.transaction.execute(
            "UPDATE messages SET disposition = ?2 WHERE seq = ?1",
            params![seq, disposition.as_str()],
        )?;
        self.transaction.execute(
            "UPDATE deliveries SET lane = max(lane, ?2), owed = owed AND (?2 < 2 OR receipt < 2)
             WHERE message = ?1",
            params![seq, lane_number(lane)],
        )?;
        Ok(())
    }
}
