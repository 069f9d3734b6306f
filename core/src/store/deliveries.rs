//! Deliveries: one message on its way to one reader, with its receipt.

use rusqlite::{OptionalExtension, Row, params};

use super::{Key, Result, What, Work};
use crate::message::{Millis, Receipt};
use crate::policy::Lane;

/// An offer about to be made.
#[derive(Debug, Clone, Copy)]
pub struct Offer<'a> {
    /// The event whose hook prints it.
    pub event: &'a str,
    /// The session it is printed to.
    pub session: Key,
    /// Its turn; none at a start, whose turn has not begun.
    pub turn: Option<Key>,
    /// The tool call whose hook prints it.
    pub call: Option<&'a str>,
    /// The transcript's length now.
    pub offset: Option<i64>,
}

/// An offer that nothing has proved yet.
#[derive(Debug, Clone)]
pub struct Unproved {
    /// The message's place in the order of arrival.
    pub seq: Key,
    /// Its id.
    pub id: String,
    /// The reader.
    pub reader: Key,
    /// When it was offered.
    pub offered_at: Millis,
    /// By which event.
    pub event: String,
    /// To which session, unless that was forgotten.
    pub session: Option<Key>,
    /// In which turn.
    pub turn: Option<Key>,
    /// At which tool call.
    pub call: Option<String>,
    /// Where the transcript ended then.
    pub offset: Option<i64>,
}

/// One delivery, as a status tells it.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The reader's mailbox.
    pub reader: Key,
    /// The address that it goes by now.
    pub address: String,
    /// How far it got.
    pub receipt: Receipt,
    /// Where it waits.
    pub lane: Lane,
    /// When it was offered.
    pub offered_at: Option<Millis>,
    /// By which event.
    pub offered_event: Option<String>,
    /// The client's id of the session it was offered to.
    pub session: Option<String>,
    /// When it was proved.
    pub seen_at: Option<Millis>,
    /// By what.
    pub proof: Option<String>,
    /// When a turn was let go because of it.
    pub stalled_at: Option<Millis>,
    /// How often a hook offered it.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it was given up.
    pub dead_at: Option<Millis>,
    /// When it was put aside for good.
    pub dropped_at: Option<Millis>,
}

pub(super) fn receipt(row: &Row<'_>) -> rusqlite::Result<Receipt> {
    Ok(match row.get::<_, i64>("receipt")? {
        0 => Receipt::Unread,
        1 => Receipt::Offered,
        _ => Receipt::Seen,
    })
}

pub(super) fn lane_number(lane: Lane) -> i64 {
    match lane {
        Lane::Steer => 0,
        Lane::Stop => 1,
        Lane::Prompt => 2,
    }
}

impl Work<'_> {
    /// Stores that a message is owed to a reader; `held` keeps its place in the order of
    /// arrival until it is shown.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_delivery(
        &self,
        seq: Key,
        reader: Key,
        lane: Lane,
        rank: i64,
        held: bool,
    ) -> Result<()> {
        self.transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO deliveries (message, reader, owed, lane, rank, held)
                 VALUES (?1, ?2, 1, ?3, ?4, ?5)",
            )?
            .execute(params![seq, reader, lane_number(lane), rank, held])?;
        Ok(())
    }

    /// Marks a message as offered to its reader.
    ///
    /// # Errors
    /// When the store fails.
    pub fn offer(&self, seq: Key, reader: Key, offer: Offer<'_>, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE deliveries SET receipt = 1, held = 0, attempts = attempts + 1, offered_at = ?3,
                   offered_event = ?4, offered_session = ?5, offered_turn = ?6, offered_call = ?7,
                   offered_offset = ?8
                 WHERE message = ?1 AND reader = ?2",
            )?
            .execute(params![
                seq,
                reader,
                now,
                offer.event,
                offer.session,
                offer.turn,
                offer.call,
                offer.offset
            ])?;
        self.record_delivery(What::Offered, (seq, reader), Some(offer.event), now)
    }

    /// Marks which turn's Stop a message held.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_blocked(&self, seq: Key, reader: Key, turn: Key, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE deliveries SET blocked_turn = ?3 WHERE message = ?1 AND reader = ?2",
            )?
            .execute(params![seq, reader, turn])?;
        self.record_delivery(What::Blocked, (seq, reader), None, now)
    }

    /// Marks that a turn was let go although this message was not handled.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_stalled(&self, seq: Key, reader: Key, turn: Key, now: Millis) -> Result<()> {
        self.transaction.execute(
            "UPDATE deliveries SET stalled_at = coalesce(stalled_at, ?4), blocked_turn = ?3
             WHERE message = ?1 AND reader = ?2",
            params![seq, reader, turn, now],
        )?;
        self.record_delivery(What::Stalled, (seq, reader), None, now)
    }

    /// The offers to a reader that nothing has proved.
    ///
    /// # Errors
    /// When the store fails.
    pub fn unproved(&self, reader: Key) -> Result<Vec<Unproved>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT d.message, m.id, d.reader, d.offered_at, d.offered_event, d.offered_session,
               d.offered_turn, d.offered_call, d.offered_offset
             FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.receipt = 1 ORDER BY d.message",
        )?;
        let rows = statement.query_map([reader], |row| {
            Ok(Unproved {
                seq: row.get(0)?,
                id: row.get(1)?,
                reader: row.get(2)?,
                offered_at: row.get(3)?,
                event: row.get(4)?,
                session: row.get(5)?,
                turn: row.get(6)?,
                call: row.get(7)?,
                offset: row.get(8)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Marks a delivery as seen, with what proved it. What is only information, or
    /// already closed, is owed no longer; what was given up and is pending is owed again,
    /// unless somebody dropped it. Says whether it had ever been given up.
    ///
    /// # Errors
    /// When the store fails.
    pub fn prove(&self, seq: Key, reader: Key, proof: &str, now: Millis) -> Result<bool> {
        let given_up = self
            .transaction
            .prepare_cached(
                "UPDATE deliveries SET receipt = 2, seen_at = ?4, proof = ?3, errors = 0,
                   owed = lane < 2 AND (owed OR (dead_at IS NOT NULL AND dropped_at IS NULL
                     AND (SELECT status FROM messages WHERE seq = ?1) = 'pending')),
                   redelivered_at = coalesce(redelivered_at, iif(dead_at IS NULL, NULL, ?4)),
                   dead_at = iif(dropped_at IS NULL, NULL, dead_at)
                 WHERE message = ?1 AND reader = ?2 AND receipt < 2
                 RETURNING redelivered_at IS NOT NULL",
            )?
            .query_row(params![seq, reader, proof, now], |row| row.get(0))
            .optional()?;
        let Some(given_up) = given_up else {
            return Ok(false);
        };
        self.record_delivery(What::Seen, (seq, reader), Some(proof), now)?;
        Ok(given_up)
    }

    /// Takes an offer back that nobody can have seen: the message is unread again. Says how
    /// many attempts have failed since the last that was proved, or somebody's redelivery.
    ///
    /// # Errors
    /// When the store fails.
    pub fn retract(&self, seq: Key, reader: Key, reason: &str, now: Millis) -> Result<u32> {
        let mut statement = self.transaction.prepare_cached(
            "UPDATE deliveries SET receipt = 0, offered_at = NULL, offered_event = NULL,
               offered_session = NULL, offered_turn = NULL, offered_call = NULL,
               offered_offset = NULL, errors = errors + 1, last_error = ?3
             WHERE message = ?1 AND reader = ?2 AND receipt = 1 RETURNING errors",
        )?;
        let errors =
            statement.query_row(params![seq, reader, reason], |row| row.get(0)).optional()?;
        let Some(errors) = errors else {
            return Ok(0);
        };
        self.record_delivery(What::Unread, (seq, reader), None, now)?;
        Ok(errors)
    }

    /// Gives the offers of a start the turn that follows it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn date_offers(&self, reader: Key, session: Key, turn: Key) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE deliveries SET offered_turn = ?3
                 WHERE reader = ?1 AND receipt = 1 AND offered_session = ?2 AND offered_turn IS NULL",
            )?
            .execute(params![reader, session, turn])?;
        Ok(())
    }

    /// Ends what a closed message still owes. Sessions of a project that have not seen
    /// it keep it, as information for their next prompt.
    ///
    /// # Errors
    /// When the store fails.
    pub fn end_deliveries(&self, seq: Key, inform_unread: bool) -> Result<()> {
        if inform_unread {
            self.transaction.execute(
                "UPDATE deliveries SET lane = 2, owed = receipt < 2 AND dead_at IS NULL
                 WHERE message = ?1",
                [seq],
            )?;
        } else {
            self.transaction.execute("UPDATE deliveries SET owed = 0 WHERE message = ?1", [seq])?;
        }
        Ok(())
    }

    /// The deliveries of one message.
    ///
    /// # Errors
    /// When the store fails.
    pub fn deliveries(&self, seq: Key) -> Result<Vec<Delivery>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT d.reader, b.address, d.receipt, d.lane, d.offered_at, d.offered_event, s.key,
               d.seen_at, d.proof, d.stalled_at, d.attempts, d.last_error, d.dead_at,
               d.dropped_at
             FROM deliveries d JOIN mailboxes b ON b.id = d.reader
             LEFT JOIN sessions s ON s.id = d.offered_session
             WHERE d.message = ?1 ORDER BY d.reader",
        )?;
        let rows = statement.query_map([seq], |row| {
            Ok(Delivery {
                reader: row.get(0)?,
                address: row.get(1)?,
                receipt: receipt(row)?,
                lane: match row.get::<_, i64>(3)? {
                    0 => Lane::Steer,
                    1 => Lane::Stop,
                    _ => Lane::Prompt,
                },
                offered_at: row.get(4)?,
                offered_event: row.get(5)?,
                session: row.get(6)?,
                seen_at: row.get(7)?,
                proof: row.get(8)?,
                stalled_at: row.get(9)?,
                attempts: row.get(10)?,
                last_error: row.get(11)?,
                dead_at: row.get(12)?,
                dropped_at: row.get(13)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
