//! Databases of work-buddy in each of its three historical shapes.

use std::path::PathBuf;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::world::World;

/// How far the schema had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Readings do not tell a project, messages no disposition.
    Oldest,
    /// Messages tell no disposition.
    Middle,
    /// Everything is there.
    Full,
}

pub(crate) const SHAPES: [Shape; 3] = [Shape::Oldest, Shape::Middle, Shape::Full];

/// A database being filled.
pub(crate) struct Old {
    pub(crate) file: PathBuf,
    connection: Connection,
    shape: Shape,
}

/// A message as work-buddy writes it, with what a story changes.
pub(crate) fn row(changes: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
    let mut row: Vec<(&str, Value)> = vec![
        ("id", text("20261130T101112-beta-00112233")),
        ("thread_id", text("thr-1")),
        ("sender", text("beta")),
        ("recipient", text("work")),
        ("type", text("status-update")),
        ("priority", text("normal")),
        ("status", text("pending")),
        ("subject", text("a subject")),
        ("body", text("a body")),
        ("created_at", text("2026-11-30T10:11:12.123456+00:00")),
    ];
    for (column, value) in changes {
        row.retain(|(name, _)| name != column);
        row.push((column, value.clone()));
    }
    row
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

impl Old {
    /// An empty database, in the write-ahead mode that work-buddy uses.
    pub(crate) fn new(world: &World, shape: Shape) -> Old {
        Old::at(world.path("messages.db"), shape)
    }

    pub(crate) fn at(file: PathBuf, shape: Shape) -> Old {
        let connection = Connection::open(&file).unwrap();
        let disposition = if shape == Shape::Full { ", disposition TEXT" } else { "" };
        let project = if shape == Shape::Oldest { "" } else { "reader_project TEXT," };
        connection
            .execute_batch(&format!(
                "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = WAL;
                 CREATE TABLE messages (id TEXT PRIMARY KEY, thread_id TEXT, sender TEXT NOT NULL,
                   sender_session TEXT, recipient TEXT NOT NULL, recipient_session TEXT,
                   type TEXT NOT NULL, priority TEXT DEFAULT 'normal', status TEXT DEFAULT 'pending',
                   subject TEXT, body TEXT, in_reply_to TEXT, created_at TEXT,
                   updated_at TEXT, tags TEXT {disposition});
                 CREATE TABLE message_reads (message_id TEXT NOT NULL, session_id TEXT NOT NULL,
                   {project} read_at TEXT NOT NULL, PRIMARY KEY (message_id, session_id),
                   FOREIGN KEY (message_id) REFERENCES messages (id));
                 CREATE INDEX a ON messages (recipient, status);
                 CREATE INDEX b ON messages (recipient, recipient_session, status);
                 CREATE INDEX c ON messages (thread_id);"
            ))
            .unwrap();
        Old { file, connection, shape }
    }

    /// One message, under its id.
    pub(crate) fn add(&self, id: &str, changes: &[(&'static str, Value)]) -> &Old {
        let mut changes = changes.to_vec();
        changes.push(("id", text(id)));
        self.insert(&row(&changes))
    }

    /// One row, as it is.
    pub(crate) fn insert(&self, row: &[(&'static str, Value)]) -> &Old {
        let known = |name: &str| name != "disposition" || self.shape == Shape::Full;
        let row: Vec<_> = row.iter().filter(|(name, _)| known(name)).collect();
        let names: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
        let marks = vec!["?"; row.len()].join(", ");
        let sql = format!("INSERT INTO messages ({}) VALUES ({marks})", names.join(", "));
        let values = params_from_iter(row.iter().map(|(_, value)| value));
        self.connection.execute(&sql, values).unwrap();
        self
    }

    /// A reading by a session, of a project where the shape tells it.
    pub(crate) fn read(&self, id: &str, session: &str, project: Option<&str>) -> &Old {
        let at = "2026-11-30 12:00:00";
        match self.shape {
            Shape::Oldest => self
                .connection
                .execute("INSERT INTO message_reads VALUES (?1, ?2, ?3)", (id, session, at)),
            Shape::Middle | Shape::Full => self.connection.execute(
                "INSERT INTO message_reads VALUES (?1, ?2, ?3, ?4)",
                (id, session, project, at),
            ),
        }
        .unwrap();
        self
    }

    /// Any statement, such as one that begins a transaction.
    pub(crate) fn sql(&self, text: &str) {
        self.connection.execute_batch(text).unwrap();
    }

    /// Brings it over, and returns the report.
    pub(crate) fn migrate(&self, world: &World, words: &[&str]) -> serde_json::Value {
        let file = self.file.display().to_string();
        world.json(&[&["migrate", "--from", &file], words].concat())
    }
}
