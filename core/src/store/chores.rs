//! What comes round: when a chore was done last, and by which clock.

use rusqlite::{OptionalExtension, params};

use super::{Result, Work};
use crate::clock::Reading;
use crate::message::Millis;

impl Work<'_> {
    /// When a chore was done last.
    ///
    /// # Errors
    /// When the store fails.
    pub fn chore_done_at(&self, name: &str) -> Result<Option<Millis>> {
        let mut statement =
            self.transaction.prepare_cached("SELECT done_at FROM chores WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Notes that a chore was done.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_chore(&self, name: &str, now: Millis) -> Result<()> {
        self.transaction.execute(
            "INSERT INTO chores (name, done_at) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET done_at = ?2",
            params![name, now],
        )?;
        Ok(())
    }

    /// The first reading of the clock in the latest boot that was noticed.
    ///
    /// # Errors
    /// When the store fails.
    pub fn first_reading(&self) -> Result<Option<Reading>> {
        let mut statement =
            self.transaction.prepare_cached("SELECT boot, uptime, wall FROM clock")?;
        let row = statement.query_row([], |row| {
            Ok(Reading { boot: row.get(0)?, uptime: row.get(1)?, wall: row.get(2)? })
        });
        Ok(row.optional()?)
    }

    /// Notes the first reading of a boot.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_reading(&self, reading: &Reading) -> Result<()> {
        self.transaction.execute("DELETE FROM clock", [])?;
        self.transaction.execute(
            "INSERT INTO clock (boot, uptime, wall) VALUES (?1, ?2, ?3)",
            params![reading.boot, reading.uptime, reading.wall],
        )?;
        Ok(())
    }
}
