//! Turns: from a prompt to its Stop, with the blocks in between.

use rusqlite::params;

use super::{Key, Result, Work};
use crate::message::Millis;
use crate::policy::Budget;

/// The turn a session is in, or was in last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Its key.
    pub id: Key,
    /// How far it has used up its blocks.
    pub budget: Budget,
    /// The client's name of the prompt that began it.
    pub prompt: Option<String>,
    /// When it began.
    pub started_at: Millis,
    /// Whether it has ended.
    pub finished: bool,
}

impl Work<'_> {
    /// Starts a turn of a session, which is running from now on.
    ///
    /// # Errors
    /// When the store fails.
    pub fn start_turn(&self, session: Key, prompt: Option<&str>, now: Millis) -> Result<Turn> {
        self.transaction
            .prepare_cached("INSERT INTO turns (session, started_at, prompt) VALUES (?1, ?2, ?3)")?
            .execute(params![session, now, prompt])?;
        let id = self.transaction.last_insert_rowid();
        self.transaction
            .prepare_cached("UPDATE sessions SET turn = ?2, state = 'running' WHERE id = ?1")?
            .execute(params![session, id])?;
        Ok(Turn {
            id,
            budget: Budget::default(),
            prompt: prompt.map(str::to_owned),
            started_at: now,
            finished: false,
        })
    }

    /// The turn with a key.
    ///
    /// # Errors
    /// When the store fails, or has no such turn.
    pub fn turn(&self, id: Key) -> Result<Turn> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT blocks, blocks_without_tool, started_at, finished_at IS NOT NULL, prompt FROM turns WHERE id = ?1",
        )?;
        Ok(statement.query_row([id], |row| {
            Ok(Turn {
                id,
                budget: Budget { in_turn: row.get(0)?, without_tool: row.get(1)? },
                started_at: row.get(2)?,
                finished: row.get(3)?,
                prompt: row.get(4)?,
            })
        })?)
    }

    /// Counts one more block of a turn.
    ///
    /// # Errors
    /// When the store fails.
    pub fn count_block(&self, turn: Key) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE turns SET blocks = blocks + 1, blocks_without_tool = blocks_without_tool + 1
                 WHERE id = ?1",
            )?
            .execute([turn])?;
        Ok(())
    }

    /// Notes that the agent ran a tool since its last block.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_tool(&self, turn: Key) -> Result<()> {
        self.transaction
            .prepare_cached("UPDATE turns SET blocks_without_tool = 0 WHERE id = ?1")?
            .execute([turn])?;
        Ok(())
    }

    /// Ends a turn; its session is idle from now on.
    ///
    /// # Errors
    /// When the store fails.
    pub fn finish_turn(&self, session: Key, turn: Key, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached("UPDATE turns SET finished_at = ?2 WHERE id = ?1")?
            .execute(params![turn, now])?;
        self.transaction
            .prepare_cached("UPDATE sessions SET state = 'idle', last_event_at = ?2 WHERE id = ?1")?
            .execute(params![session, now])?;
        Ok(())
    }
}
