//! Deliveries: one message on its way to one reader, with its receipt.

use rusqlite::{Row, params};

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
}

fn receipt(row: &Row<'_>) -> rusqlite::Result<Receipt> {
    Ok(match row.get::<_, i64>("receipt")? {
        0 => Receipt::Unread,
        1 => Receipt::Offered,
        _ => Receipt::Seen,
    })
}

fn lane_number(lane: Lane) -> i64 {
    match lane {
        Lane::Steer => 0,
        Lane::Stop => 1,
        Lane::Prompt => 2,
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
        "{columns}, octet_length(m.body) AS body_bytes, d.reader, d.receipt, d.blocked_turn, d.stalled_at"
    )
}

impl Work<'_> {
    /// Stores that a message is owed to a reader.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_delivery(&self, seq: Key, reader: Key, lane: Lane, rank: i64) -> Result<()> {
        self.transaction
            .prepare_cached(
                "INSERT OR IGNORE INTO deliveries (message, reader, owed, lane, rank)
                 VALUES (?1, ?2, 1, ?3, ?4)",
            )?
            .execute(params![seq, reader, lane_number(lane), rank])?;
        Ok(())
    }

    /// Copies a session's project mail, receipts included, to a fork of it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn copy_project_deliveries(&self, from: Key, into: Key) -> Result<()> {
        self.transaction.execute(
            "INSERT OR IGNORE INTO deliveries
             SELECT d.message, ?2, d.receipt, d.owed, d.lane, d.rank, d.offered_at, d.offered_event,
               d.offered_session, d.offered_turn, d.offered_call, d.offered_offset, d.seen_at, d.proof,
               d.blocked_turn, d.stalled_at
             FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND m.recipient LIKE 'project/%'",
            params![from, into],
        )?;
        Ok(())
    }

    /// Pending mail to a project that none of the sessions it is owed to has seen, with
    /// those sessions.
    ///
    /// # Errors
    /// When the store fails.
    pub fn unseen_project_mail(
        &self,
        project: &str,
        address: &str,
    ) -> Result<Vec<(Key, Vec<Key>)>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT d.message, s.id FROM sessions s
             JOIN deliveries d ON d.reader = s.own_mailbox AND d.receipt = 0 AND d.owed = 1
             JOIN messages m ON m.seq = d.message AND m.status = 'pending' AND m.recipient = ?2
             WHERE s.project = ?1
               AND NOT EXISTS (SELECT 1 FROM deliveries o WHERE o.message = d.message AND o.receipt > 0)
             ORDER BY d.message",
        )?;
        let rows = statement.query_map([project, address], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut mail: Vec<(Key, Vec<Key>)> = Vec::new();
        for row in rows {
            let (seq, session): (Key, Key) = row?;
            match mail.last_mut() {
                Some((last, sessions)) if *last == seq => sessions.push(session),
                _ => mail.push((seq, vec![session])),
            }
        }
        Ok(mail)
    }

    /// Gives a session what waits for the first one of its project, but what it sent
    /// itself.
    ///
    /// # Errors
    /// When the store fails.
    pub fn take_waiting_mail(&self, waiting: Key, reader: Key, itself: &str) -> Result<()> {
        self.transaction.execute(
            "UPDATE OR IGNORE deliveries SET reader = ?2 WHERE reader = ?1
               AND message NOT IN (SELECT seq FROM messages WHERE sent_by = ?3)",
            params![waiting, reader, itself],
        )?;
        Ok(())
    }

    /// Owes a message to one more reader, as it is owed to those it has.
    ///
    /// # Errors
    /// When the store fails.
    pub fn pass_on(&self, seq: Key, reader: Key) -> Result<()> {
        self.transaction.execute(
            "INSERT OR IGNORE INTO deliveries (message, reader, owed, lane, rank)
             SELECT message, ?2, owed, lane, rank FROM deliveries WHERE message = ?1 LIMIT 1",
            params![seq, reader],
        )?;
        Ok(())
    }

    /// Unread messages of one reader in one lane, urgent and high first, then in order
    /// of arrival.
    ///
    /// # Errors
    /// When the store fails.
    pub fn unread(&self, reader: Key, lane: Lane, limit: usize) -> Result<Vec<Owed>> {
        let sql = format!(
            "SELECT {} FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.lane = ?2 AND d.receipt = 0 AND d.owed = 1
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

    /// Marks a message as offered to its reader.
    ///
    /// # Errors
    /// When the store fails.
    pub fn offer(&self, seq: Key, reader: Key, offer: Offer<'_>, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE deliveries SET receipt = 1, offered_at = ?3, offered_event = ?4,
                   offered_session = ?5, offered_turn = ?6, offered_call = ?7, offered_offset = ?8
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
        Ok(())
    }

    /// Marks which turn's Stop a message held.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_blocked(&self, seq: Key, reader: Key, turn: Key) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE deliveries SET blocked_turn = ?3 WHERE message = ?1 AND reader = ?2",
            )?
            .execute(params![seq, reader, turn])?;
        Ok(())
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
        Ok(())
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
    /// already closed, is owed no longer.
    ///
    /// # Errors
    /// When the store fails.
    pub fn prove(&self, seq: Key, reader: Key, proof: &str, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE deliveries SET receipt = 2, seen_at = ?4, proof = ?3,
                   owed = owed AND (lane < 2)
                 WHERE message = ?1 AND reader = ?2 AND receipt < 2",
            )?
            .execute(params![seq, reader, proof, now])?;
        Ok(())
    }

    /// Takes an offer back that nobody can have seen: the message is unread again.
    ///
    /// # Errors
    /// When the store fails.
    pub fn retract(&self, seq: Key, reader: Key) -> Result<()> {
        self.transaction.execute(
            "UPDATE deliveries SET receipt = 0, offered_at = NULL, offered_event = NULL,
               offered_session = NULL, offered_turn = NULL, offered_call = NULL, offered_offset = NULL
             WHERE message = ?1 AND reader = ?2 AND receipt = 1",
            params![seq, reader],
        )?;
        Ok(())
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
                "UPDATE deliveries SET lane = 2, owed = receipt < 2 WHERE message = ?1",
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
               d.seen_at, d.proof, d.stalled_at
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
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
