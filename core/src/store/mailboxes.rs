//! Mailboxes, and the names of agents.

use rusqlite::{OptionalExtension, params};

use super::{Key, Result, Work};
use crate::message::{Address, Millis, Name};

impl Work<'_> {
    /// The mailbox of an address, made if there is none.
    ///
    /// # Errors
    /// When the store fails.
    pub fn mailbox(&self, address: &Address) -> Result<Key> {
        let text = address.to_string();
        if let Some(found) = self.find_mailbox(&text)? {
            return Ok(found);
        }
        self.transaction.execute("INSERT INTO mailboxes (address) VALUES (?1)", [text])?;
        Ok(self.transaction.last_insert_rowid())
    }

    /// The mailbox of an address, if it has ever had one.
    ///
    /// # Errors
    /// When the store fails.
    pub fn find_mailbox(&self, address: &str) -> Result<Option<Key>> {
        let mut statement =
            self.transaction.prepare_cached("SELECT id FROM mailboxes WHERE address = ?1")?;
        Ok(statement.query_row([address], |row| row.get(0)).optional()?)
    }

    /// The address that a mailbox goes by now.
    ///
    /// # Errors
    /// When the store fails, or has no such mailbox.
    pub fn address_of(&self, mailbox: Key) -> Result<String> {
        let mut statement =
            self.transaction.prepare_cached("SELECT address FROM mailboxes WHERE id = ?1")?;
        Ok(statement.query_row([mailbox], |row| row.get(0))?)
    }

    /// The agent mailbox that a name, also an old one, stands for.
    ///
    /// # Errors
    /// When the store fails.
    pub fn mailbox_named(&self, name: &Name) -> Result<Option<Key>> {
        let mut statement =
            self.transaction.prepare_cached("SELECT mailbox FROM names WHERE name = ?1")?;
        Ok(statement.query_row([name.as_str()], |row| row.get(0)).optional()?)
    }

    /// Makes a name the one its mailbox goes by, and the mailbox if there is none.
    ///
    /// # Errors
    /// When the store fails.
    pub fn give_name(&self, name: &Name, now: Millis) -> Result<Key> {
        let address = Address::Agent(name.clone()).to_string();
        let mailbox = match self.mailbox_named(name)? {
            Some(mailbox) => mailbox,
            None => self.mailbox(&Address::Agent(name.clone()))?,
        };
        self.transaction.execute(
            "INSERT INTO names (name, mailbox, given_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET given_at = ?3",
            params![name.as_str(), mailbox, now],
        )?;
        self.transaction.execute(
            "UPDATE mailboxes SET address = ?1 WHERE id = ?2",
            params![address, mailbox],
        )?;
        Ok(mailbox)
    }

    /// Makes a new name lead to a mailbox that keeps its old ones.
    ///
    /// # Errors
    /// When the store fails.
    pub fn rename_mailbox(&self, mailbox: Key, name: &Name, now: Millis) -> Result<()> {
        self.transaction.execute(
            "INSERT INTO names (name, mailbox, given_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET mailbox = ?2, given_at = ?3",
            params![name.as_str(), mailbox, now],
        )?;
        let address = Address::Agent(name.clone()).to_string();
        self.transaction.execute(
            "UPDATE mailboxes SET address = ?1 WHERE id = ?2",
            params![address, mailbox],
        )?;
        Ok(())
    }

    /// Moves every name and every delivery of one mailbox to another, so that what
    /// was sent to the first is owed to the second.
    ///
    /// # Errors
    /// When the store fails.
    pub fn merge_mailbox(&self, from: Key, into: Key) -> Result<()> {
        self.transaction
            .execute("UPDATE names SET mailbox = ?2 WHERE mailbox = ?1", params![from, into])?;
        self.transaction.execute(
            "UPDATE sessions SET agent_mailbox = ?2 WHERE agent_mailbox = ?1",
            params![from, into],
        )?;
        self.transaction.execute(
            "UPDATE deliveries SET heir = ?2
             WHERE heir = ?1 AND dead_at IS NOT NULL AND dropped_at IS NULL",
            params![from, into],
        )?;
        self.move_deliveries(from, into)
    }

    /// Moves every delivery of one mailbox to another, but those it has already.
    ///
    /// # Errors
    /// When the store fails.
    pub fn move_deliveries(&self, from: Key, into: Key) -> Result<()> {
        self.transaction.execute(
            "UPDATE OR IGNORE deliveries SET reader = ?2 WHERE reader = ?1",
            params![from, into],
        )?;
        Ok(())
    }

    /// Every agent name there is, for close matches.
    ///
    /// # Errors
    /// When the store fails.
    pub fn all_names(&self) -> Result<Vec<String>> {
        let mut statement = self.transaction.prepare("SELECT name FROM names ORDER BY name")?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// The names of one mailbox, the newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn names_of(&self, mailbox: Key) -> Result<Vec<String>> {
        let mut statement = self
            .transaction
            .prepare("SELECT name FROM names WHERE mailbox = ?1 ORDER BY given_at DESC, name")?;
        Ok(statement.query_map([mailbox], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether nothing may wake a mailbox's holder.
    ///
    /// # Errors
    /// When the store fails, or has no such mailbox.
    pub fn is_paused(&self, mailbox: Key) -> Result<bool> {
        let mut statement =
            self.transaction.prepare_cached("SELECT paused FROM mailboxes WHERE id = ?1")?;
        Ok(statement.query_row([mailbox], |row| row.get(0))?)
    }

    /// Turns waking of a mailbox's holder off or on.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_paused(&self, mailbox: Key, paused: bool) -> Result<()> {
        self.transaction
            .execute("UPDATE mailboxes SET paused = ?2 WHERE id = ?1", params![mailbox, paused])?;
        Ok(())
    }
}
