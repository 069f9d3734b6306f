//! Answers on their way to who asked. A row has no word of the answer. Who delivers one
//! claims it first, and every later write names the claim, so that a claim that was taken
//! over changes nothing.

use std::fmt;
use std::str::FromStr;

use rusqlite::{OptionalExtension, Row, params};

use super::{Key, Result, Work, word};
use crate::message::{Invalid, Millis, words};

/// How long a claim lasts that is not renewed, and how far ahead a waiter is noted.
pub const LEASE: Millis = 30_000;
/// After so many errors an answer is not tried again.
const MOST_ERRORS: u32 = 5;

words! {
    /// How far an answer's delivery has come.
    Progress, "state of an answer" {
        /// To be delivered.
        Pending = "pending",
        /// Claimed by somebody who delivers it.
        Delivering = "delivering",
        /// In the mailbox of who asked.
        Delivered = "delivered",
        /// Given up.
        Failed = "failed",
    }
}

words! {
    /// How an answer got to who asked.
    Went, "way of an answer" {
        /// Into a running turn, or to a shell that waited.
        Steered = "steered",
        /// To other mail that waits.
        Joined = "joined",
        /// It started a turn.
        Woken = "woken",
        /// It waits for the next event.
        Waiting = "waiting",
    }
}

/// An answer's delivery as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerDelivery {
    /// The message that carries the question.
    pub question: Key,
    /// The mark that the answer's message carries.
    pub correlation: String,
    /// The digest of question and answer, when it was given.
    pub digest: String,
    /// How far it has come.
    pub progress: Progress,
    /// How it went.
    pub went: Option<Went>,
    /// How often it was claimed.
    pub generation: i64,
    /// How often delivering failed.
    pub errors: u32,
    /// Why it failed last.
    pub last_error: Option<String>,
    /// When its claim ends.
    pub leased_until: Option<Millis>,
    /// When it was answered.
    pub created_at: Millis,
    /// When anything changed last.
    pub updated_at: Millis,
}

/// The right to deliver one answer, as long as nobody else has claimed it since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The message that carries the question.
    pub question: Key,
    /// The number of the claim.
    pub generation: i64,
}

/// An answer that is not delivered yet, with what decides when it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The message that carries the question.
    pub question: Key,
    /// When it was answered.
    pub created_at: Millis,
    /// Until when somebody else has it, or waits for it in a shell.
    pub free_at: Millis,
    /// How often delivering failed.
    pub errors: u32,
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<AnswerDelivery> {
    let went: Option<String> = row.get("went")?;
    Ok(AnswerDelivery {
        question: row.get("question")?,
        correlation: row.get("correlation")?,
        digest: row.get("digest")?,
        progress: word(row, "status")?,
        went: went.and_then(|went| went.parse().ok()),
        generation: row.get("generation")?,
        errors: row.get("errors")?,
        last_error: row.get("last_error")?,
        leased_until: row.get("leased_until")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

fn due(row: &Row<'_>) -> rusqlite::Result<Due> {
    Ok(Due {
        question: row.get("question")?,
        created_at: row.get("created_at")?,
        free_at: row.get("free_at")?,
        errors: row.get("errors")?,
    })
}

/// A claim and a waiter hold for a lease at most: what lies further ahead was noted by a
/// clock that was set back since.
const FREE_AT: &str = "max(
    iif(a.status = 'delivering' AND a.leased_until <= ?1 + ?2, a.leased_until, 0),
    iif(q.waited_until <= ?1 + ?2, q.waited_until, 0))";

impl Work<'_> {
    /// Stores that an answer is to be delivered.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_answer_delivery(
        &self,
        question: Key,
        correlation: &str,
        digest: &str,
        now: Millis,
    ) -> Result<()> {
        self.transaction.execute(
            "INSERT INTO answer_deliveries (question, correlation, digest, status, created_at,
               updated_at) VALUES (?1, ?2, ?3, 'pending', ?4, ?4)",
            params![question, correlation, digest, now],
        )?;
        Ok(())
    }

    /// The delivery of a question's answer.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answer_delivery(&self, question: Key) -> Result<Option<AnswerDelivery>> {
        let mut statement = self
            .transaction
            .prepare_cached("SELECT * FROM answer_deliveries WHERE question = ?1")?;
        Ok(statement.query_row([question], delivery).optional()?)
    }

    /// The oldest answers that are not delivered, behind one.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answers_due(&self, now: Millis, after: Option<&Due>, limit: usize) -> Result<Vec<Due>> {
        let sql = format!(
            "SELECT a.question, a.created_at, a.errors, coalesce({FREE_AT}, 0) AS free_at
             FROM answer_deliveries a JOIN questions q ON q.message = a.question
             WHERE a.status IN ('pending', 'delivering') AND (a.created_at, a.question) > (?3, ?4)
             ORDER BY a.created_at, a.question LIMIT ?5"
        );
        let (at, question) =
            after.map_or((Millis::MIN, 0), |after| (after.created_at, after.question));
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map(params![now, LEASE, at, question, limit], due)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The oldest answers that are not delivered and belong to a session: to a name that
    /// leads to its mailbox, or to it or a session that it carries on.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answers_due_to(
        &self,
        session: Key,
        mailbox: Option<Key>,
        now: Millis,
        limit: usize,
    ) -> Result<Vec<Due>> {
        let sql = format!(
            "WITH RECURSIVE past (id) AS (VALUES (?3)
               UNION SELECT s.id FROM sessions s JOIN past ON s.continued_by = past.id)
             SELECT a.question, a.created_at, a.errors, coalesce({FREE_AT}, 0) AS free_at
             FROM answer_deliveries a JOIN questions q ON q.message = a.question
             WHERE a.status IN ('pending', 'delivering') AND q.asker IN (
               SELECT 'session/' || key FROM sessions WHERE id IN past
               UNION ALL SELECT 'agent/' || name FROM names WHERE mailbox = ?4)
             ORDER BY a.created_at, a.question LIMIT ?5"
        );
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map(params![now, LEASE, session, mailbox, limit], due)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether any answer is not delivered yet: one look into an index.
    ///
    /// # Errors
    /// When the store fails.
    pub fn is_any_answer_due(&self) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM answer_deliveries WHERE status IN ('pending', 'delivering') LIMIT 1",
        )?;
        Ok(statement.exists([])?)
    }

    /// Claims an answer, unless it is delivered or somebody else delivers it. Only who waits
    /// for it in a shell claims it in spite of that shell.
    ///
    /// # Errors
    /// When the store fails.
    pub fn claim_answer(&self, question: Key, waiter: bool, now: Millis) -> Result<Option<Claim>> {
        let mut statement = self.transaction.prepare_cached(
            "UPDATE answer_deliveries SET status = 'delivering', generation = generation + 1,
               leased_until = ?2 + ?3, updated_at = ?2
             WHERE question = ?1
               AND (status = 'pending' OR (status = 'delivering'
                 AND coalesce(leased_until NOT BETWEEN ?2 + 1 AND ?2 + ?3, 1)))
               AND (?4 OR NOT EXISTS (SELECT 1 FROM questions q WHERE q.message = ?1
                 AND q.waited_until BETWEEN ?2 + 1 AND ?2 + ?3))
             RETURNING generation",
        )?;
        let generation = statement
            .query_row(params![question, now, LEASE, waiter], |row| row.get(0))
            .optional()?;
        Ok(generation.map(|generation| Claim { question, generation }))
    }

    /// Makes a claim last. Says whether it still holds.
    ///
    /// # Errors
    /// When the store fails.
    pub fn renew_claim(&self, claim: Claim, now: Millis) -> Result<bool> {
        self.fenced(claim, "leased_until = ?3 + ?4", params![LEASE], now)
    }

    /// Gives a claim back: nobody was there to deliver to, which counts for nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub fn release_claim(&self, claim: Claim, now: Millis) -> Result<bool> {
        self.fenced(claim, "status = 'pending', leased_until = NULL", params![], now)
    }

    /// Notes that an answer was delivered. Says whether the claim still held.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answer_delivered(&self, claim: Claim, went: Went, now: Millis) -> Result<bool> {
        let set = "status = 'delivered', went = ?4, leased_until = NULL";
        self.fenced(claim, set, params![went.as_str()], now)
    }

    /// Notes that an answer can never be delivered. Says whether the claim still held.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answer_failed(&self, claim: Claim, code: &str, now: Millis) -> Result<bool> {
        let set = "status = 'failed', last_error = ?4, leased_until = NULL";
        self.fenced(claim, set, params![code], now)
    }

    /// Counts an error; the last one that is allowed ends it. Says whether the claim still
    /// held.
    ///
    /// # Errors
    /// When the store fails.
    pub fn answer_erred(&self, claim: Claim, code: &str, now: Millis) -> Result<bool> {
        let set = "errors = errors + 1, last_error = ?4, leased_until = NULL,
            status = iif(errors + 1 >= ?5, 'failed', 'pending')";
        self.fenced(claim, set, params![code, MOST_ERRORS], now)
    }

    /// Writes to a delivery as long as a claim holds. The first three parameters are taken.
    fn fenced(
        &self,
        claim: Claim,
        set: &str,
        values: &[&dyn rusqlite::ToSql],
        now: Millis,
    ) -> Result<bool> {
        let sql = format!(
            "UPDATE answer_deliveries SET {set}, updated_at = ?3
             WHERE question = ?1 AND generation = ?2 AND status = 'delivering'"
        );
        let mut all: Vec<&dyn rusqlite::ToSql> = vec![&claim.question, &claim.generation, &now];
        all.extend(values);
        Ok(self.transaction.prepare_cached(&sql)?.execute(all.as_slice())? > 0)
    }
}
