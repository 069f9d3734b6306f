//! Questions: what a message asks, and what was answered.

use std::fmt;
use std::str::FromStr;

use rusqlite::{OptionalExtension, Row, params};

use super::{Key, Result, What, Work, word};
use crate::message::{Invalid, Millis, words};

words! {
    /// A question's own life.
    Standing, "state of a question" {
        /// Waits for its answer.
        Open = "open",
        /// Has its answer.
        Answered = "answered",
        /// Ended without one.
        Cancelled = "cancelled",
    }
}

/// A question as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The message that carries it.
    pub message: Key,
    /// That message's id.
    pub id: String,
    /// The address that is told the answer.
    pub asker: String,
    /// The address that is asked.
    pub recipient: String,
    /// The question set in JSON; empty once it was swept.
    pub question_set: String,
    /// Where it stands.
    pub standing: Standing,
    /// The answer in JSON; empty once it was swept.
    pub answer: Option<String>,
    /// When it was answered.
    pub answered_at: Option<Millis>,
    /// The address that answered.
    pub answered_by: Option<String>,
    /// Who that really was.
    pub sent_by: Option<String>,
    /// How long somebody certainly waits in a shell for the answer.
    pub waited_until: Option<Millis>,
    /// When it was asked.
    pub created_at: Millis,
}

/// A question that a client itself asks its user, and that only there can be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeQuestion {
    /// The client's id of the session that asks.
    pub session: String,
    /// The address that the session goes by.
    pub address: String,
    /// What is asked, where the client tells.
    pub question: Option<String>,
    /// Since when.
    pub since: Millis,
}

const QUERY: &str = "SELECT q.*, m.id, m.recipient, m.created_at
   FROM questions q JOIN messages m ON m.seq = q.message";

fn asked(row: &Row<'_>) -> rusqlite::Result<Asked> {
    Ok(Asked {
        message: row.get("message")?,
        id: row.get("id")?,
        asker: row.get("asker")?,
        recipient: row.get("recipient")?,
        question_set: row.get("question_set")?,
        standing: word(row, "status")?,
        answer: row.get("answer")?,
        answered_at: row.get("answered_at")?,
        answered_by: row.get("answered_by")?,
        sent_by: row.get("sent_by")?,
        waited_until: row.get("waited_until")?,
        created_at: row.get("created_at")?,
    })
}

impl Work<'_> {
    /// Stores that a message asks something, and the text it is read as, which names the
    /// message's id.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_question(&self, message: Key, asker: &str, set: &str, text: &str) -> Result<()> {
        self.transaction.execute(
            "INSERT INTO questions (message, asker, question_set, status) VALUES (?1, ?2, ?3, 'open')",
            params![message, asker, set],
        )?;
        self.transaction
            .execute("UPDATE messages SET body = ?2 WHERE seq = ?1", params![message, text])?;
        Ok(())
    }

    /// The question that a message carries.
    ///
    /// # Errors
    /// When the store fails.
    pub fn question(&self, message: Key) -> Result<Option<Asked>> {
        let sql = format!("{QUERY} WHERE q.message = ?1");
        let mut statement = self.transaction.prepare_cached(&sql)?;
        Ok(statement.query_row([message], asked).optional()?)
    }

    /// The questions that are open, or all, the latest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn questions(&self, all: bool, limit: usize) -> Result<Vec<Asked>> {
        let only = if all { "" } else { "WHERE q.status = 'open'" };
        let sql = format!("{QUERY} {only} ORDER BY q.message DESC LIMIT ?1");
        let mut statement = self.transaction.prepare(&sql)?;
        Ok(statement.query_map([limit], asked)?.collect::<rusqlite::Result<_>>()?)
    }

    /// The questions that clients ask their users now.
    ///
    /// # Errors
    /// When the store fails.
    pub fn native_questions(&self) -> Result<Vec<NativeQuestion>> {
        let mut statement = self.transaction.prepare(
            "SELECT s.key, b.address, a.question, a.since FROM awaited a
             JOIN sessions s ON s.id = a.session
             JOIN mailboxes b ON b.id = coalesce(s.agent_mailbox, s.own_mailbox)
             WHERE a.what = 'question' ORDER BY a.id",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(NativeQuestion {
                session: row.get(0)?,
                address: row.get(1)?,
                question: row.get(2)?,
                since: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Stores the answer to an open question, by whom it is and who that really was. Says
    /// whether it was open.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answer_question(
        &self,
        message: Key,
        answer: &str,
        (by, truly): (&str, &str),
        now: Millis,
    ) -> Result<bool> {
        let changed = self.transaction.execute(
            "UPDATE questions SET status = 'answered', answer = ?2, answered_by = ?3, sent_by = ?4,
               answered_at = ?5 WHERE message = ?1 AND status = 'open'",
            params![message, answer, by, truly, now],
        )?;
        Ok(changed > 0)
    }

    /// Ends the question of a message that is closed, if it has an open one.
    pub(super) fn cancel_question(&self, message: Key, by: &str, now: Millis) -> Result<()> {
        let changed = self
            .transaction
            .prepare_cached(
                "UPDATE questions SET status = 'cancelled' WHERE message = ?1 AND status = 'open'",
            )?
            .execute([message])?;
        if changed == 0 {
            return Ok(());
        }
        let id: String = self
            .transaction
            .prepare_cached("SELECT id FROM messages WHERE seq = ?1")?
            .query_row([message], |row| row.get(0))?;
        self.record(What::Cancelled, Some(&id), by, None, now)
    }

    /// Notes until when somebody certainly waits for an answer; none is nobody.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_waiting(&self, message: Key, until: Option<Millis>) -> Result<()> {
        self.transaction.execute(
            "UPDATE questions SET waited_until = ?2 WHERE message = ?1",
            params![message, until],
        )?;
        Ok(())
    }

    /// Removes what a swept message asked, and what was answered.
    pub(super) fn empty_question(&self, message: Key) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE questions SET question_set = '', answer = iif(answer IS NULL, NULL, '')
                 WHERE message = ?1",
            )?
            .execute([message])?;
        Ok(())
    }
}
