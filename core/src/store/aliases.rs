//! Ids that imported messages had before: they stay valid, and never come back as new.

use rusqlite::{OptionalExtension, params};

use super::{Key, Result, Work};

impl Work<'_> {
    /// The message that an id from elsewhere stands for, whether or not its content is
    /// still there.
    ///
    /// # Errors
    /// When the store fails.
    pub fn message_with_alias(&self, alias: &str) -> Result<Option<Key>> {
        let mut statement =
            self.transaction.prepare_cached("SELECT message FROM aliases WHERE alias = ?1")?;
        Ok(statement.query_row([alias], |row| row.get(0)).optional()?)
    }

    /// Gives a message one more id.
    ///
    /// # Errors
    /// When the store fails, or another message has it.
    pub fn add_alias(&self, alias: &str, seq: Key) -> Result<()> {
        self.transaction
            .prepare_cached("INSERT INTO aliases (alias, message) VALUES (?1, ?2)")?
            .execute(params![alias, seq])?;
        Ok(())
    }
}
