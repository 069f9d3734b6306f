//! What a sweep looks at and what it leaves, and the space that this frees.

use rusqlite::{Row, params};

use super::{Key, Result, Store, Work, word};
use crate::message::Millis;
use crate::retention::Facts;

/// A message that has its age, with how much its content takes.
#[derive(Debug, Clone, Copy)]
pub struct Aged {
    /// Its place in the order of arrival.
    pub seq: Key,
    /// What retention must know of it.
    pub facts: Facts,
    /// The bytes of its content.
    pub bytes: u64,
}

/// In the words of the index `aging`.
const SINCE: &str = "max(created_at, coalesce(closed_at, created_at))";
const MAY_GO: &str =
    "swept_at IS NULL AND (status <> 'pending' OR disposition = 'acknowledgement')";
/// A question keeps its content until its answer has got to who asked.
const IS_DONE: &str = "NOT EXISTS (SELECT 1 FROM answer_deliveries a
  WHERE a.question = seq AND a.status IN ('pending', 'delivering'))";

/// What is left of a message, by column: everything but its content.
const TAKE: &str =
    "INSERT INTO temp.tombstones (seq, id, sender, sent_by, recipient, kind, priority,
    disposition, mode, status, subject, body, tags, thread, reply_to, about, correlation,
    created_at, closed_at, closed_by, expires_at, swept_at)
  SELECT seq, id, sender, sent_by, recipient, kind, priority, disposition, mode,
    iif(status = 'pending', 'expired', status), '', '', '[]', thread, reply_to, about,
    iif(kind = 'notice', correlation, NULL), created_at, coalesce(closed_at, ?3),
    coalesce(closed_by, ?2), expires_at, ?3
  FROM messages WHERE seq = ?1";

fn aged(row: &Row<'_>) -> rusqlite::Result<Aged> {
    let disposition: Option<String> = row.get("disposition")?;
    Ok(Aged {
        seq: row.get("seq")?,
        facts: Facts {
            status: word(row, "status")?,
            disposition: disposition.and_then(|word| word.parse().ok()),
            since: row.get("since")?,
        },
        bytes: row.get("bytes")?,
    })
}

/// The messages that may be emptied and have been as they are since a time.
fn query() -> String {
    format!(
        "SELECT seq, {SINCE} AS since, status, disposition,
           octet_length(subject) + octet_length(body) + octet_length(tags)
             + coalesce(octet_length(note), 0) AS bytes
         FROM messages WHERE {MAY_GO} AND {SINCE} <= ?1 AND {IS_DONE}"
    )
}

impl Work<'_> {
    /// The oldest messages that may be emptied and have been as they are since a time.
    ///
    /// # Errors
    /// When the store fails.
    pub fn aged(&self, until: Millis, limit: usize) -> Result<Vec<Aged>> {
        let sql = format!("{} ORDER BY {SINCE} LIMIT ?2", query());
        let mut statement = self.transaction.prepare_cached(&sql)?;
        let rows = statement.query_map(params![until, limit], aged)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Visits every message that may be emptied, in no order.
    ///
    /// # Errors
    /// When the store fails.
    pub fn visit_aged(&self, until: Millis, visit: &mut dyn FnMut(&Aged)) -> Result<()> {
        let mut statement = self.transaction.prepare(&query())?;
        for row in statement.query_map([until], aged)? {
            visit(&row?);
        }
        Ok(())
    }

    /// Removes the content of messages, and expires those that are pending. A notice keeps
    /// the word of what it told, since its sender is told once.
    ///
    /// SQLite joins pages that are half empty when rows go, not when they shrink: so the
    /// rows go, and come back small.
    ///
    /// # Errors
    /// When the store fails.
    pub fn bury(&self, seqs: &[Key], by: &str, now: Millis) -> Result<()> {
        self.transaction.execute_batch(
            "CREATE TEMP TABLE IF NOT EXISTS tombstones AS SELECT * FROM messages WHERE 0",
        )?;
        for seq in seqs {
            self.transaction.prepare_cached(TAKE)?.execute(params![seq, by, now])?;
            self.transaction
                .prepare_cached("DELETE FROM messages WHERE seq = ?1")?
                .execute([seq])?;
            self.end_deliveries(*seq, false)?;
            self.empty_question(*seq)?;
        }
        self.transaction.execute_batch(
            "INSERT INTO messages SELECT * FROM temp.tombstones ORDER BY seq;
             DELETE FROM temp.tombstones",
        )?;
        Ok(())
    }

    /// How many pending messages that may block were sent before a time.
    ///
    /// # Errors
    /// When the store fails.
    pub fn count_open(&self, until: Millis) -> Result<u64> {
        Ok(self.transaction.query_row(
            "SELECT count(*) FROM messages
             WHERE status = 'pending' AND coalesce(disposition, 'actionable') = 'actionable'
               AND created_at <= ?1",
            [until],
            |row| row.get(0),
        )?)
    }
}

impl Store {
    /// The size of the file when everything is folded into it, in bytes.
    ///
    /// # Errors
    /// When the store fails.
    pub fn bytes(&self) -> Result<u64> {
        Ok(self.pragma("page_count")? * self.pragma("page_size")?)
    }

    /// How much of that is free, in bytes.
    ///
    /// # Errors
    /// When the store fails.
    pub fn free_bytes(&self) -> Result<u64> {
        Ok(self.pragma("freelist_count")? * self.pragma("page_size")?)
    }

    /// Whether what is free can be given back in steps; a mailbox made by the first build
    /// has to be rewritten once.
    ///
    /// # Errors
    /// When the store fails.
    pub fn gives_back(&self) -> Result<bool> {
        Ok(self.pragma("auto_vacuum")? == 2)
    }

    /// Gives some free pages back to the disk. Says whether any are left.
    ///
    /// # Errors
    /// When the store fails.
    pub fn give_back(&self, pages: usize) -> Result<bool> {
        if self.pragma("freelist_count")? == 0 || !self.gives_back()? {
            return Ok(false);
        }
        let mut statement =
            self.connection.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
        // A page a row: what is not asked for is not given back.
        let mut rows = statement.query([])?;
        while rows.next()?.is_some() {}
        drop(rows);
        Ok(self.pragma("freelist_count")? > 0)
    }

    /// Rewrites the whole file, so that what is freed from now on can be given back.
    ///
    /// # Errors
    /// When another process writes, or the disk is full.
    pub fn rewrite(&self) -> Result<()> {
        Ok(self.connection.execute_batch("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")?)
    }

    fn pragma(&self, name: &str) -> Result<u64> {
        Ok(self.connection.pragma_query_value(None, name, |row| row.get(0))?)
    }
}
