//! Answers that did not get to who asked, and are not tried again by themselves.

use rusqlite::params;

use super::{Key, Result, What, Work};
use crate::message::Millis;

/// An answer that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedAnswer {
    /// The id of its question.
    pub id: String,
    /// The subject of its question.
    pub subject: String,
    /// The address that asked.
    pub asker: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why it failed.
    pub last_error: String,
    /// When.
    pub failed_at: Millis,
}

impl Work<'_> {
    /// The answers that failed, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn failed_answers(&self) -> Result<Vec<FailedAnswer>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT m.id, m.subject, q.asker, a.generation, coalesce(a.last_error, ''), a.updated_at
             FROM answer_deliveries a JOIN questions q ON q.message = a.question
             JOIN messages m ON m.seq = a.question
             WHERE a.status = 'failed' AND a.dropped_at IS NULL ORDER BY a.updated_at, a.question",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(FailedAnswer {
                id: row.get(0)?,
                subject: row.get(1)?,
                asker: row.get(2)?,
                attempts: row.get(3)?,
                last_error: row.get(4)?,
                failed_at: row.get(5)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Makes the failed answer to a question pending again, with a budget of its own. Its
    /// generation stays, so that what an old attempt still has to say changes nothing. Tells
    /// who asked; none when there is no such answer.
    ///
    /// # Errors
    /// When the store fails.
    pub fn retry_answer(&self, question: Key, now: Millis) -> Result<Option<String>> {
        let change = "status = 'pending', errors = 0, leased_until = NULL, updated_at = ?2";
        self.change_failed_answer(question, change, What::Retried, now)
    }

    /// Puts the failed answer to a question aside for good. Tells who asked.
    ///
    /// # Errors
    /// When the store fails.
    pub fn drop_answer(&self, question: Key, now: Millis) -> Result<Option<String>> {
        self.change_failed_answer(question, "dropped_at = ?2", What::Dropped, now)
    }

    fn change_failed_answer(
        &self,
        question: Key,
        change: &str,
        what: What,
        now: Millis,
    ) -> Result<Option<String>> {
        let changed = self.transaction.execute(
            &format!(
                "UPDATE answer_deliveries SET {change}
                 WHERE question = ?1 AND status = 'failed' AND dropped_at IS NULL"
            ),
            params![question, now],
        )?;
        if changed == 0 {
            return Ok(None);
        }
        let (id, asker): (String, String) = self.transaction.query_row(
            "SELECT m.id, q.asker FROM questions q JOIN messages m ON m.seq = q.message
             WHERE q.message = ?1",
            [question],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        self.record(what, Some(&id), &asker, Some("answer"), now)?;
        Ok(Some(asker))
    }
}
