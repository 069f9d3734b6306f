//! Messages: immutable texts with a status.

use rusqlite::types::ValueRef;
use rusqlite::{OptionalExtension, Row, params};

use super::{Key, Result, What, Work, word};
use crate::message::{Disposition, Kind, Millis, Mode, Priority, Status};

/// A message as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its place in the order of arrival.
    pub seq: Key,
    /// Its id.
    pub id: String,
    /// The address it speaks for.
    pub sender: String,
    /// Who really sent it: `session/<id>`, or `user`.
    pub sent_by: String,
    /// The address it went to.
    pub recipient: String,
    /// What it is for.
    pub kind: Kind,
    /// How hard it blocks.
    pub priority: Priority,
    /// Whether it may block; none counts as actionable.
    pub disposition: Option<Disposition>,
    /// How it wants to reach a busy recipient.
    pub mode: Mode,
    /// Its own life.
    pub status: Status,
    /// Its subject, which may be empty.
    pub subject: String,
    /// Its body, byte for byte.
    pub body: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// The thread it belongs to.
    pub thread: String,
    /// The message it answers.
    pub reply_to: Option<String>,
    /// The message a notice is about.
    pub about: Option<String>,
    /// The sender's own mark.
    pub correlation: Option<String>,
    /// When it was stored.
    pub created_at: Millis,
    /// When it was closed.
    pub closed_at: Option<Millis>,
    /// Who closed it.
    pub closed_by: Option<String>,
    /// What was said at closing.
    pub note: Option<String>,
    /// When its term ends, if its sender set one.
    pub expires_at: Option<Millis>,
    /// When its content was removed; subject, body, tags and note are empty since.
    pub swept_at: Option<Millis>,
}

/// A message to be stored.
#[derive(Debug, Clone)]
pub struct NewMessage<'a> {
    /// The address it speaks for.
    pub sender: &'a str,
    /// Who really sends it.
    pub sent_by: &'a str,
    /// The address it goes to.
    pub recipient: &'a str,
    /// What it is for.
    pub kind: Kind,
    /// How hard it blocks.
    pub priority: Priority,
    /// Whether it may block.
    pub disposition: Disposition,
    /// How it wants to reach a busy recipient.
    pub mode: Mode,
    /// The status it is born with.
    pub status: Status,
    /// Its subject.
    pub subject: &'a str,
    /// Its body.
    pub body: &'a str,
    /// Its tags.
    pub tags: &'a [String],
    /// The thread; its own id begins one.
    pub thread: Option<&'a str>,
    /// The message it answers.
    pub reply_to: Option<&'a str>,
    /// The message a notice is about.
    pub about: Option<&'a str>,
    /// The sender's own mark.
    pub correlation: Option<&'a str>,
    /// When it was written.
    pub created_at: Millis,
    /// When it was closed and by whom, if it is closed already.
    pub closed: Option<(Millis, &'a str)>,
    /// When its term ends.
    pub expires_at: Option<Millis>,
}

/// What storing a message gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its place in the order of arrival.
    pub seq: Key,
    /// Its id.
    pub id: String,
    /// Its thread.
    pub thread: String,
}

pub(super) const COLUMNS: &str = "m.seq, m.id, m.sender, m.sent_by, m.recipient, m.kind, m.priority, \
    m.disposition, m.mode, m.status, m.subject, m.body, m.tags, m.thread, m.reply_to, m.about, \
    m.correlation, m.created_at, m.closed_at, m.closed_by, m.note, m.expires_at, m.swept_at";

/// A body, or the beginning of one, which may end inside a character.
fn body(row: &Row<'_>) -> rusqlite::Result<String> {
    let bytes = match row.get_ref("body")? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => &[],
    };
    let whole = match std::str::from_utf8(bytes) {
        Err(broken) if broken.error_len().is_none() => &bytes[..broken.valid_up_to()],
        Ok(_) | Err(_) => bytes,
    };
    Ok(String::from_utf8_lossy(whole).into_owned())
}

pub(super) fn message(row: &Row<'_>) -> rusqlite::Result<Message> {
    let tags: String = row.get("tags")?;
    let disposition: Option<String> = row.get("disposition")?;
    Ok(Message {
        seq: row.get("seq")?,
        id: row.get("id")?,
        sender: row.get("sender")?,
        sent_by: row.get("sent_by")?,
        recipient: row.get("recipient")?,
        kind: word(row, "kind")?,
        priority: word(row, "priority")?,
        disposition: disposition.and_then(|text| text.parse().ok()),
        mode: word(row, "mode")?,
        status: word(row, "status")?,
        subject: row.get("subject")?,
        body: body(row)?,
        tags: serde_json::from_str(&tags).unwrap_or_default(),
        thread: row.get("thread")?,
        reply_to: row.get("reply_to")?,
        about: row.get("about")?,
        correlation: row.get("correlation")?,
        created_at: row.get("created_at")?,
        closed_at: row.get("closed_at")?,
        closed_by: row.get("closed_by")?,
        note: row.get("note")?,
        expires_at: row.get("expires_at")?,
        swept_at: row.get("swept_at")?,
    })
}

impl Work<'_> {
    /// Stores a message that is sent now. Its deliveries are stored one by one.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_message(&self, new: &NewMessage<'_>) -> Result<Stored> {
        let stored = self.add_old_message(new)?;
        let to = Some(new.recipient);
        self.record(What::Stored, Some(&stored.id), new.sender, to, new.created_at)?;
        Ok(stored)
    }

    /// Stores a message that was sent elsewhere, which is nothing that happened here.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_old_message(&self, new: &NewMessage<'_>) -> Result<Stored> {
        let id = self.fresh_id()?;
        let thread = new.thread.unwrap_or(&id).to_owned();
        let tags = serde_json::Value::from(new.tags.to_vec()).to_string();
        self.transaction
            .prepare_cached(
                "INSERT INTO messages (id, sender, sent_by, recipient, kind, priority, disposition,
                   mode, status, subject, body, tags, thread, reply_to, about, correlation,
                   created_at, closed_at, closed_by, expires_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
                   ?17, ?18, ?19, ?20)",
            )?
            .execute(params![
                id,
                new.sender,
                new.sent_by,
                new.recipient,
                new.kind.as_str(),
                new.priority.as_str(),
                new.disposition.as_str(),
                new.mode.as_str(),
                new.status.as_str(),
                new.subject,
                new.body,
                tags,
                thread,
                new.reply_to,
                new.about,
                new.correlation,
                new.created_at,
                new.closed.map(|(at, _)| at),
                new.closed.map(|(_, by)| by),
                new.expires_at,
            ])?;
        Ok(Stored { seq: self.transaction.last_insert_rowid(), id, thread })
    }

    /// The message with an id.
    ///
    /// # Errors
    /// When the store fails.
    pub fn message(&self, id: &str) -> Result<Option<Message>> {
        let sql = format!("SELECT {COLUMNS} FROM messages m WHERE m.id = ?1");
        let mut statement = self.transaction.prepare_cached(&sql)?;
        Ok(statement.query_row([id], message).optional()?)
    }

    /// The messages of a thread, in order of arrival.
    ///
    /// # Errors
    /// When the store fails.
    pub fn thread(&self, thread: &str) -> Result<Vec<Message>> {
        let sql = format!("SELECT {COLUMNS} FROM messages m WHERE m.thread = ?1 ORDER BY m.seq");
        let mut statement = self.transaction.prepare_cached(&sql)?;
        Ok(statement.query_map([thread], message)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether the term of any pending message has ended.
    ///
    /// # Errors
    /// When the store fails.
    pub fn is_any_due(&self, now: Millis) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM messages
             WHERE status = 'pending' AND expires_at IS NOT NULL AND expires_at <= ?1 LIMIT 1",
        )?;
        Ok(statement.exists([now])?)
    }

    /// Pending messages whose term has ended, as many as one hook has the time for.
    ///
    /// # Errors
    /// When the store fails.
    pub fn due(&self, now: Millis) -> Result<Vec<Message>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM messages m
             WHERE m.status = 'pending' AND m.expires_at IS NOT NULL AND m.expires_at <= ?1
             ORDER BY m.expires_at LIMIT 100"
        );
        let mut statement = self.transaction.prepare_cached(&sql)?;
        Ok(statement.query_map([now], message)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Closes a pending message. Says whether it was pending.
    ///
    /// # Errors
    /// When the store fails.
    pub fn close_message(
        &self,
        seq: Key,
        status: Status,
        by: &str,
        note: Option<&str>,
        now: Millis,
    ) -> Result<bool> {
        let changed = self.transaction.execute(
            "UPDATE messages SET status = ?2, closed_at = ?3, closed_by = ?4, note = ?5
             WHERE seq = ?1 AND status = 'pending'",
            params![seq, status.as_str(), now, by, note],
        )?;
        if changed == 0 {
            return Ok(false);
        }
        let id: String = self
            .transaction
            .prepare_cached("SELECT id FROM messages WHERE seq = ?1")?
            .query_row([seq], |row| row.get(0))?;
        self.record(What::of(status), Some(&id), by, None, now)?;
        self.cancel_question(seq, by, now)?;
        Ok(true)
    }

    /// Whether a message's sender has had the notice of an event.
    ///
    /// # Errors
    /// When the store fails.
    pub fn has_notice(&self, id: &str, event: &str) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT 1 FROM messages WHERE about = ?1 AND kind = 'notice' AND correlation = ?2",
        )?;
        Ok(statement.exists([id, event])?)
    }
}
