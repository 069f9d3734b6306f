//! The activity record: what happened to which message and session, and no word of what
//! was said. It is written with what it tells of, in one transaction.

use std::fmt;
use std::str::FromStr;

use rusqlite::{Row, params};

use super::{Key, Result, Work, word};
use crate::message::{Invalid, Millis, Status, words};

words! {
    /// What happened.
    What, "activity" {
        /// A message was stored.
        Stored = "stored",
        /// It waits until its recipient's question to its user is settled.
        Held = "held",
        /// A hook showed it to a session.
        Offered = "offered",
        /// Something proved that it was got.
        Seen = "seen",
        /// Nothing proved an offer, so that it is unread again.
        Unread = "unread",
        /// It was given up.
        Dead = "dead",
        /// Somebody had what was given up tried again.
        Retried = "retried",
        /// Somebody put aside what was given up.
        Dropped = "dropped",
        /// It held a Stop.
        Blocked = "blocked",
        /// A turn was let go although it was not handled.
        Stalled = "stalled",
        /// Somebody closed it.
        Resolved = "resolved",
        /// Its sender took it back.
        Withdrawn = "withdrawn",
        /// Its term ended.
        Expired = "expired",
        /// The content of messages was removed.
        Swept = "swept",
        /// Messages came from elsewhere.
        Imported = "imported",
        /// A session was registered, or came back.
        Started = "started",
        /// A session ended.
        Ended = "ended",
        /// An agent got another name.
        Renamed = "renamed",
        /// A session was forgotten.
        Forgotten = "forgotten",
        /// A question got its answer; the detail is their digest.
        Answered = "answered",
        /// A question ended without one.
        Cancelled = "cancelled",
        /// An answer was delivered to who asked; the detail is how it went.
        Delivered = "delivered",
        /// An answer cannot be delivered; the detail is the last error.
        Failed = "failed",
    }
}

impl What {
    /// What is recorded when a message gets a status.
    pub(super) const fn of(status: Status) -> What {
        match status {
            Status::Pending => What::Stored,
            Status::Resolved => What::Resolved,
            Status::Withdrawn => What::Withdrawn,
            Status::Expired => What::Expired,
        }
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Activity {
    /// Its place in the order.
    pub id: i64,
    /// When.
    pub at: Millis,
    /// What.
    pub what: What,
    /// To which message.
    pub message: Option<String>,
    /// To, or by, whom.
    pub who: String,
    /// The event, proof, reason or other address that belongs to it.
    pub detail: Option<String>,
}

fn activity(row: &Row<'_>) -> rusqlite::Result<Activity> {
    Ok(Activity {
        id: row.get("id")?,
        at: row.get("at")?,
        what: word(row, "what")?,
        message: row.get("message")?,
        who: row.get("who")?,
        detail: row.get("detail")?,
    })
}

impl Work<'_> {
    /// Records what happened to a delivery.
    pub(crate) fn record_delivery(
        &self,
        what: What,
        (seq, reader): (Key, Key),
        detail: Option<&str>,
        now: Millis,
    ) -> Result<()> {
        self.transaction
            .prepare_cached(
                "INSERT INTO activities (at, what, message, who, detail)
                 SELECT ?1, ?2, m.id, b.address, ?5 FROM messages m, mailboxes b
                 WHERE m.seq = ?3 AND b.id = ?4",
            )?
            .execute(params![now, what.as_str(), seq, reader, detail])?;
        Ok(())
    }

    /// Records something that has no delivery of its own.
    ///
    /// # Errors
    /// When the store fails.
    pub fn record(
        &self,
        what: What,
        message: Option<&str>,
        who: &str,
        detail: Option<&str>,
        now: Millis,
    ) -> Result<()> {
        self.transaction
            .prepare_cached(
                "INSERT INTO activities (at, what, message, who, detail) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![now, what.as_str(), message, who, detail])?;
        Ok(())
    }

    /// The latest activities, the oldest of them first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn latest_activities(&self, count: usize) -> Result<Vec<Activity>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT * FROM (SELECT * FROM activities ORDER BY id DESC LIMIT ?1) ORDER BY id",
        )?;
        Ok(statement.query_map([count], activity)?.collect::<rusqlite::Result<_>>()?)
    }

    /// The activities after one, in order.
    ///
    /// # Errors
    /// When the store fails.
    pub fn activities_after(&self, id: i64) -> Result<Vec<Activity>> {
        let mut statement = self
            .transaction
            .prepare_cached("SELECT * FROM activities WHERE id > ?1 ORDER BY id")?;
        Ok(statement.query_map([id], activity)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Removes the oldest activities from before a time, at most so many. Says how many.
    ///
    /// # Errors
    /// When the store fails.
    pub fn forget_activities(&self, until: Millis, limit: usize) -> Result<usize> {
        Ok(self.transaction.execute(
            "DELETE FROM activities WHERE id IN (SELECT id FROM activities ORDER BY id LIMIT ?2)
               AND at <= ?1",
            params![until, limit],
        )?)
    }
}
