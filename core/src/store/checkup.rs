//! Whether the store is sound: its pages, rows that lead nowhere, and times to come.

use super::{Result, Work};
use crate::message::Millis;

/// A table with rows that nothing can lead to any more, and their condition.
struct Dangling {
    table: &'static str,
    condition: &'static str,
}

/// In the order in which they are removed.
const DANGLING: [Dangling; 7] = [
    Dangling {
        table: "deliveries",
        condition: "message NOT IN (SELECT seq FROM messages)
           OR reader NOT IN (SELECT id FROM mailboxes)",
    },
    Dangling { table: "names", condition: "mailbox NOT IN (SELECT id FROM mailboxes)" },
    Dangling { table: "processes", condition: "session NOT IN (SELECT id FROM sessions)" },
    Dangling { table: "turns", condition: "session NOT IN (SELECT id FROM sessions)" },
    Dangling { table: "questions", condition: "message NOT IN (SELECT seq FROM messages)" },
    Dangling {
        table: "answer_deliveries",
        condition: "question NOT IN (SELECT message FROM questions)",
    },
    Dangling { table: "aliases", condition: "message NOT IN (SELECT seq FROM messages)" },
];

/// What is orphaned, and how many of it there are.
pub type Orphans = Vec<(&'static str, u64)>;

impl Work<'_> {
    /// What SQLite finds wrong with the file's pages and indexes, at most so much.
    ///
    /// # Errors
    /// When the store fails, as it may where it is damaged.
    pub fn integrity(&self, limit: usize) -> Result<Vec<String>> {
        let mut statement =
            self.transaction.prepare(&format!("PRAGMA integrity_check({limit})"))?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
        let found: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
        Ok(if found == ["ok"] { Vec::new() } else { found })
    }

    /// Counts the rows whose message, mailbox or session is gone.
    ///
    /// # Errors
    /// When the store fails.
    pub fn orphans(&self) -> Result<Orphans> {
        let mut orphans = Orphans::new();
        for Dangling { table, condition } in DANGLING {
            let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
            let count = self.transaction.query_row(&sql, [], |row| row.get(0))?;
            if count > 0 {
                orphans.push((table, count));
            }
        }
        Ok(orphans)
    }

    /// Removes the rows that [`Work::orphans`] counts.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remove_orphans(&self) -> Result<()> {
        for Dangling { table, condition } in DANGLING {
            self.transaction.execute(&format!("DELETE FROM {table} WHERE {condition}"), [])?;
        }
        Ok(())
    }

    /// How many messages were sent after a time, and the last of them with its time.
    ///
    /// # Errors
    /// When the store fails.
    pub fn sent_after(&self, time: Millis) -> Result<Option<(i64, String, Millis)>> {
        let row = self.transaction.query_row(
            "SELECT count(*), id, max(created_at) FROM messages WHERE created_at > ?1",
            [time],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        Ok(match row {
            (count, Some(id), Some(last)) => Some((count, id, last)),
            _ => None,
        })
    }
}
