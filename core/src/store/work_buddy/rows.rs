//! The rows of work-buddy, in which any column may hold anything.

use std::collections::HashSet;

use rusqlite::types::ValueRef;
use rusqlite::{Row, params};

use super::OldMailbox;
use crate::store::Result;

/// A row as it stands there: any column may hold anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OldMessage {
    /// Its place in the order of arrival.
    pub row: i64,
    /// Its id there.
    pub id: Option<String>,
    /// Its thread.
    pub thread: Option<String>,
    /// The project or program it speaks for.
    pub sender: Option<String>,
    /// The session that sent it.
    pub sender_session: Option<String>,
    /// The project it went to.
    pub recipient: Option<String>,
    /// The session it was meant for.
    pub recipient_session: Option<String>,
    /// What it is for.
    pub kind: Option<String>,
    /// How hard it blocks.
    pub priority: Option<String>,
    /// Its status.
    pub status: Option<String>,
    /// Its subject.
    pub subject: Option<String>,
    /// Its body.
    pub body: Option<String>,
    /// The message it answers.
    pub in_reply_to: Option<String>,
    /// When it was written.
    pub created_at: Option<String>,
    /// When its status changed last.
    pub updated_at: Option<String>,
    /// Its tags, as JSON.
    pub tags: Option<String>,
    /// Whether it may block.
    pub disposition: Option<String>,
    /// Whether a column held something that is not text.
    pub held_no_text: bool,
}

/// Somebody's reading of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldRead {
    /// The session that read it.
    pub session: Option<String>,
    /// The project that the session was in, where that was noted.
    pub project: Option<String>,
    /// When.
    pub at: Option<String>,
}

/// A text column, and whether it was one.
fn text(row: &Row<'_>, column: &str, held_no_text: &mut bool) -> rusqlite::Result<Option<String>> {
    let (text, is_text) = match row.get_ref(column)? {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(number) => (number.to_string(), false),
        ValueRef::Real(number) => (number.to_string(), false),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            (text.clone().into_owned(), text.as_bytes() == bytes)
        }
        ValueRef::Blob(bytes) => (String::from_utf8_lossy(bytes).into_owned(), false),
    };
    *held_no_text |= !is_text;
    Ok(Some(text))
}

fn old_message(row: &Row<'_>) -> rusqlite::Result<OldMessage> {
    let mut odd = false;
    let mut column = |name: &str| text(row, name, &mut odd);
    let message = OldMessage {
        row: row.get("row")?,
        id: column("id")?,
        thread: column("thread_id")?,
        sender: column("sender")?,
        sender_session: column("sender_session")?,
        recipient: column("recipient")?,
        recipient_session: column("recipient_session")?,
        kind: column("type")?,
        priority: column("priority")?,
        status: column("status")?,
        subject: column("subject")?,
        body: column("body")?,
        in_reply_to: column("in_reply_to")?,
        created_at: column("created_at")?,
        updated_at: column("updated_at")?,
        tags: column("tags")?,
        disposition: column("disposition")?,
        held_no_text: false,
    };
    Ok(OldMessage { held_no_text: odd, ..message })
}

impl OldMailbox {
    /// How many messages it has.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn count(&self) -> Result<u64> {
        self.ask(|old| old.query_row("SELECT count(*) FROM messages", [], |row| row.get(0)))
    }

    /// The messages after a row, in the order of arrival.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn messages_after(&self, row: i64, limit: usize) -> Result<Vec<OldMessage>> {
        let disposition = if self.has_disposition { "disposition" } else { "NULL AS disposition" };
        self.ask(|old| {
            let mut statement = old.prepare_cached(&format!(
                "SELECT rowid AS row, id, thread_id, sender, sender_session, recipient,
                   recipient_session, type, priority, status, subject, body, in_reply_to,
                   created_at, updated_at, tags, {disposition}
                 FROM messages WHERE rowid > ?1 ORDER BY rowid LIMIT ?2"
            ))?;
            statement.query_map(params![row, limit], old_message)?.collect()
        })
    }

    /// Whether it has a message.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn has(&self, id: &str) -> Result<bool> {
        self.ask(|old| old.prepare_cached("SELECT 1 FROM messages WHERE id = ?1")?.exists([id]))
    }

    /// Who read a message.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn reads_of(&self, id: &str) -> Result<Vec<OldRead>> {
        let project = if self.has_reader_project { "reader_project" } else { "NULL" };
        self.ask(|old| {
            let mut statement = old.prepare_cached(&format!(
                "SELECT session_id, {project} AS reader_project, read_at FROM message_reads
                 WHERE message_id = ?1"
            ))?;
            let rows = statement.query_map([id], |row| {
                Ok(OldRead {
                    session: text(row, "session_id", &mut false)?,
                    project: text(row, "reader_project", &mut false)?,
                    at: text(row, "read_at", &mut false)?,
                })
            })?;
            rows.collect()
        })
    }

    /// The sessions of which a reading tells the project, with it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn projects_of_sessions(&self) -> Result<HashSet<(String, String)>> {
        if !self.has_reader_project {
            return Ok(HashSet::new());
        }
        self.ask(|old| {
            let mut statement = old.prepare(
                "SELECT DISTINCT session_id, reader_project FROM message_reads
                 WHERE reader_project IS NOT NULL AND session_id IS NOT NULL",
            )?;
            let rows = statement.query_map([], |row| {
                let column = |name| text(row, name, &mut false).map(Option::unwrap_or_default);
                Ok((column("session_id")?, column("reader_project")?))
            })?;
            rows.collect()
        })
    }

    /// How many readings there are of messages that are not there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn count_stray_reads(&self) -> Result<u64> {
        self.ask(|old| {
            old.query_row(
                "SELECT count(*) FROM message_reads r
                 WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = r.message_id)",
                [],
                |row| row.get(0),
            )
        })
    }

    /// The messages after a row that answer another one: row, id, and what they answer.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn replies_after(&self, row: i64, limit: usize) -> Result<Vec<(i64, String, String)>> {
        self.ask(|old| {
            let mut statement = old.prepare_cached(
                "SELECT rowid, id, in_reply_to FROM messages
                 WHERE rowid > ?1 AND typeof(id) = 'text' AND typeof(in_reply_to) = 'text'
                 ORDER BY rowid LIMIT ?2",
            )?;
            let rows = statement.query_map(params![row, limit], |row| {
                let column = |name| text(row, name, &mut false).map(Option::unwrap_or_default);
                Ok((row.get(0)?, column("id")?, column("in_reply_to")?))
            })?;
            rows.collect()
        })
    }
}
