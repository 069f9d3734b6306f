//! What sessions await their users for: one row a dialog that is open.

use rusqlite::params;

use super::{Key, Result, Work, word};
use crate::message::Millis;
use crate::protocol::Dialog;

/// A dialog that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Its row.
    pub id: Key,
    /// What it is about.
    pub dialog: Dialog,
    /// The subagent that asks; none is the main thread.
    pub agent: Option<String>,
    /// When it opened.
    pub since: Millis,
}

impl Work<'_> {
    /// Notes that a session's user is asked something, by a subagent or the main thread.
    ///
    /// # Errors
    /// When the store fails.
    pub fn open_dialog(
        &self,
        session: Key,
        dialog: &Dialog,
        agent: Option<&str>,
        now: Millis,
    ) -> Result<()> {
        self.transaction.execute(
            "INSERT INTO awaited (session, what, tool, call, input, question, agent, since)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                session,
                dialog.what.as_str(),
                dialog.tool,
                dialog.call,
                dialog.input,
                dialog.question,
                agent,
                now
            ],
        )?;
        Ok(())
    }

    /// The dialogs that a session has open, the oldest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn open_dialogs(&self, session: Key) -> Result<Vec<Open>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT id, what, tool, call, input, question, agent, since FROM awaited
             WHERE session = ?1 ORDER BY id",
        )?;
        let rows = statement.query_map([session], |row| {
            let dialog = Dialog {
                what: word(row, "what")?,
                tool: row.get("tool")?,
                call: row.get("call")?,
                input: row.get("input")?,
                question: row.get("question")?,
            };
            let (id, agent, since) = (row.get("id")?, row.get("agent")?, row.get("since")?);
            Ok(Open { id, dialog, agent, since })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Notes that one dialog is settled.
    ///
    /// # Errors
    /// When the store fails.
    pub fn close_dialog(&self, dialog: Key) -> Result<()> {
        self.transaction.execute("DELETE FROM awaited WHERE id = ?1", [dialog])?;
        Ok(())
    }

    /// Notes that nothing is asked of a session's user any more.
    ///
    /// # Errors
    /// When the store fails.
    pub fn close_dialogs(&self, session: Key) -> Result<()> {
        self.transaction.execute("DELETE FROM awaited WHERE session = ?1", [session])?;
        Ok(())
    }
}
