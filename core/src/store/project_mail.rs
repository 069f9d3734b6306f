//! Mail to a project: shared by its sessions, and never stranded with one of them.

use rusqlite::params;

use super::{Key, Result, Work};

/// What a reader is still owed, each in the words of an index of its own: beside it may
/// lie years of mail that was handled.
const OWED: [&str; 2] = ["receipt = 0 AND owed = 1", "receipt > 0 AND owed = 1 AND lane < 2"];

impl Work<'_> {
    /// Copies a session's project mail, receipts included, to a fork of it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn copy_project_deliveries(&self, from: Key, into: Key) -> Result<()> {
        self.transaction.execute(
            "INSERT OR IGNORE INTO deliveries (message, reader, receipt, owed, lane, rank, offered_at,
               offered_event, offered_session, offered_turn, offered_call, offered_offset, seen_at,
               proof, blocked_turn, stalled_at)
             SELECT d.message, ?2, d.receipt, d.owed, d.lane, d.rank, d.offered_at, d.offered_event,
               d.offered_session, d.offered_turn, d.offered_call, d.offered_offset, d.seen_at, d.proof,
               d.blocked_turn, d.stalled_at
             FROM deliveries d JOIN messages m ON m.seq = d.message
             WHERE d.reader = ?1 AND d.dead_at IS NULL AND m.recipient LIKE 'project/%'",
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
        for owed in OWED {
            self.transaction.execute(
                &format!(
                    "UPDATE OR IGNORE deliveries SET reader = ?2 WHERE reader = ?1 AND {owed}
                       AND (SELECT sent_by FROM messages WHERE seq = message) <> ?3"
                ),
                params![waiting, reader, itself],
            )?;
        }
        Ok(())
    }

    /// Gives what waits under one address another one.
    ///
    /// # Errors
    /// When the store fails.
    pub fn readdress_waiting_mail(&self, waiting: Key, address: &str) -> Result<()> {
        for owed in OWED {
            self.transaction.execute(
                &format!(
                    "UPDATE messages SET recipient = ?2 WHERE seq IN
                       (SELECT message FROM deliveries WHERE reader = ?1 AND {owed})"
                ),
                params![waiting, address],
            )?;
        }
        Ok(())
    }

    /// Owes a message to one more reader, as it is owed to those it has.
    ///
    /// # Errors
    /// When the store fails.
    pub fn pass_on(&self, seq: Key, reader: Key) -> Result<()> {
        self.transaction.execute(
            "INSERT OR IGNORE INTO deliveries (message, reader, owed, lane, rank)
             SELECT message, ?2, owed, lane, rank FROM deliveries WHERE message = ?1
             ORDER BY owed DESC LIMIT 1",
            params![seq, reader],
        )?;
        Ok(())
    }
}
