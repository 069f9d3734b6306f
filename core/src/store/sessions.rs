//! Sessions, and the processes that run them.

use rusqlite::{OptionalExtension, Row, params};

use super::{Key, Result, Work, word};
use crate::message::{Client, Millis};

/// What a session is doing, as far as its hooks told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Waits for a prompt.
    Idle,
    /// In a turn.
    Running,
    /// In a turn, and asks its user something.
    Awaiting,
    /// Its client said that it ended.
    Ended,
}

impl State {
    /// The word as it is stored and printed.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Idle => "idle",
            State::Running => "running",
            State::Awaiting => "awaiting",
            State::Ended => "ended",
        }
    }
}

/// A process, told apart from a later one with the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessId {
    /// Its number.
    pub pid: u32,
    /// When it started, as the system tells it; only compared.
    pub started: String,
    /// Which boot of the machine it belongs to.
    pub boot: String,
}

/// One conversation of one client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its row.
    pub id: Key,
    /// Its client.
    pub client: Client,
    /// The client's own session id.
    pub key: String,
    /// The mailbox of `session/<key>`.
    pub own_mailbox: Key,
    /// The mailbox of its name, unless it has none.
    pub agent_mailbox: Option<Key>,
    /// The name it was started with.
    pub asked_name: Option<String>,
    /// The project of its first event.
    pub project: String,
    /// What it is doing.
    pub state: State,
    /// Whether somebody sits in front of it.
    pub attended: bool,
    /// Its client's transcript file.
    pub transcript: Option<String>,
    /// Its running or last turn.
    pub turn: Option<Key>,
    /// When its first event came.
    pub started_at: Millis,
    /// When its last noted event came.
    pub last_event_at: Millis,
}

impl Session {
    /// Whether mail to its project is owed to it: an unattended session that nobody named
    /// takes only its own.
    #[must_use]
    pub fn takes_project_mail(&self) -> bool {
        self.attended || self.agent_mailbox.is_some()
    }

    /// The readers whose mail this session is owed.
    #[must_use]
    pub fn readers(&self) -> Vec<Key> {
        self.agent_mailbox.into_iter().chain([self.own_mailbox]).collect()
    }
}

/// A session that was not known before.
#[derive(Debug, Clone)]
pub struct NewSession<'a> {
    /// Its client.
    pub client: Client,
    /// The client's own session id.
    pub key: &'a str,
    /// The mailbox of `session/<key>`.
    pub own_mailbox: Key,
    /// The mailbox of its name.
    pub agent_mailbox: Option<Key>,
    /// The name it was started with.
    pub asked_name: Option<&'a str>,
    /// Its project.
    pub project: &'a str,
    /// Whether somebody sits in front of it.
    pub attended: bool,
    /// Its client's transcript file.
    pub transcript: Option<&'a str>,
}

const COLUMNS: &str = "id, client, key, own_mailbox, agent_mailbox, asked_name, project, state, \
                       attended, transcript, turn, started_at, last_event_at";

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let state: String = row.get("state")?;
    Ok(Session {
        id: row.get("id")?,
        client: word(row, "client")?,
        key: row.get("key")?,
        own_mailbox: row.get("own_mailbox")?,
        agent_mailbox: row.get("agent_mailbox")?,
        asked_name: row.get("asked_name")?,
        project: row.get("project")?,
        state: match state.as_str() {
            "running" => State::Running,
            "awaiting" => State::Awaiting,
            "ended" => State::Ended,
            _ => State::Idle,
        },
        attended: row.get("attended")?,
        transcript: row.get("transcript")?,
        turn: row.get("turn")?,
        started_at: row.get("started_at")?,
        last_event_at: row.get("last_event_at")?,
    })
}

impl Work<'_> {
    fn sessions_where(
        &self,
        condition: &str,
        values: impl rusqlite::Params,
    ) -> Result<Vec<Session>> {
        let sql = format!("SELECT {COLUMNS} FROM sessions WHERE {condition}");
        let mut statement = self.transaction.prepare_cached(&sql)?;
        Ok(statement.query_map(values, session)?.collect::<rusqlite::Result<_>>()?)
    }

    /// The session with a client's id.
    ///
    /// # Errors
    /// When the store fails.
    pub fn session(&self, client: Client, key: &str) -> Result<Option<Session>> {
        Ok(self.sessions_where("key = ?1 AND client = ?2", params![key, client.as_str()])?.pop())
    }

    /// The session with an id, whatever its client.
    ///
    /// # Errors
    /// When the store fails.
    pub fn session_with_key(&self, key: &str) -> Result<Option<Session>> {
        Ok(self.sessions_where("key = ?1", [key])?.pop())
    }

    /// The session with a row.
    ///
    /// # Errors
    /// When the store fails.
    pub fn session_row(&self, id: Key) -> Result<Option<Session>> {
        Ok(self.sessions_where("id = ?1", [id])?.pop())
    }

    /// The sessions that hold, or held, an agent's mailbox, the latest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn holders(&self, mailbox: Key) -> Result<Vec<Session>> {
        self.sessions_where("agent_mailbox = ?1 ORDER BY last_event_at DESC, id DESC", [mailbox])
    }

    /// The sessions of a project that have not ended.
    ///
    /// # Errors
    /// When the store fails.
    pub fn open_sessions_of(&self, project: &str) -> Result<Vec<Session>> {
        self.sessions_where("project = ?1 AND state IN ('idle', 'running') ORDER BY id", [project])
    }

    /// Every session, the latest first.
    ///
    /// # Errors
    /// When the store fails.
    pub fn all_sessions(&self) -> Result<Vec<Session>> {
        self.sessions_where("1 ORDER BY last_event_at DESC, id DESC", [])
    }

    /// The keys of all projects.
    ///
    /// # Errors
    /// When the store fails.
    pub fn projects(&self) -> Result<Vec<String>> {
        let mut statement = self.transaction.prepare(
            "SELECT DISTINCT project FROM sessions
             UNION SELECT substr(address, 9) FROM mailboxes WHERE address LIKE 'project/%' ORDER BY 1",
        )?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
    }

    /// The session that a process ran last.
    ///
    /// # Errors
    /// When the store fails.
    pub fn session_of_process(&self, process: &ProcessId) -> Result<Option<Session>> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT session FROM processes WHERE pid = ?1 AND started = ?2 AND boot = ?3
             ORDER BY last_event_at DESC, session DESC LIMIT 1",
        )?;
        let found = statement
            .query_row(params![process.pid, process.started, process.boot], |row| row.get(0))
            .optional()?;
        found.map_or(Ok(None), |id| self.session_row(id))
    }

    /// The processes that run a session.
    ///
    /// # Errors
    /// When the store fails.
    pub fn processes_of(&self, session: Key) -> Result<Vec<ProcessId>> {
        let mut statement = self
            .transaction
            .prepare_cached("SELECT pid, started, boot FROM processes WHERE session = ?1")?;
        let processes = statement.query_map([session], |row| {
            Ok(ProcessId { pid: row.get(0)?, started: row.get(1)?, boot: row.get(2)? })
        })?;
        Ok(processes.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a tool call's hook has nothing to do: its session is known and running,
    /// owed nothing that may steer it, and neither a proof nor a count is open.
    ///
    /// # Errors
    /// When the store fails.
    pub fn tool_call_is_idle(&self, client: Client, key: &str, in_subagent: bool) -> Result<bool> {
        let mut statement = self.transaction.prepare_cached(
            "SELECT s.state = 'running' AND (?3 OR (s.turn IS NOT NULL
               AND NOT coalesce((SELECT blocks_without_tool FROM turns WHERE id = s.turn), 0)
               AND NOT EXISTS (SELECT 1 FROM deliveries d
                 WHERE d.reader IN (s.own_mailbox, s.agent_mailbox) AND d.receipt = 0 AND d.owed = 1
                   AND d.lane = 0)
               AND NOT EXISTS (SELECT 1 FROM deliveries d
                 WHERE d.reader IN (s.own_mailbox, s.agent_mailbox) AND d.receipt = 1)))
             FROM sessions s WHERE s.key = ?1 AND s.client = ?2",
        )?;
        let idle = statement
            .query_row(params![key, client.as_str(), in_subagent], |row| row.get(0))
            .optional()?;
        Ok(idle.unwrap_or(false))
    }

    /// Registers a session, idle.
    ///
    /// # Errors
    /// When the store fails.
    pub fn add_session(&self, new: &NewSession<'_>, now: Millis) -> Result<Key> {
        self.transaction.execute(
            "INSERT INTO sessions (client, key, own_mailbox, agent_mailbox, asked_name, project,
               state, attended, transcript, started_at, last_event_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'idle', ?7, ?8, ?9, ?9)",
            params![
                new.client.as_str(),
                new.key,
                new.own_mailbox,
                new.agent_mailbox,
                new.asked_name,
                new.project,
                new.attended,
                new.transcript,
                now
            ],
        )?;
        Ok(self.transaction.last_insert_rowid())
    }

    /// Notes that a process runs a session, which has an event now.
    ///
    /// # Errors
    /// When the store fails.
    pub fn note_process(&self, session: Key, process: &ProcessId, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached(
                "INSERT INTO processes (session, pid, started, boot, last_event_at)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET last_event_at = ?5",
            )?
            .execute(params![session, process.pid, process.started, process.boot, now])?;
        Ok(())
    }

    /// Forgets that a process runs a session.
    ///
    /// # Errors
    /// When the store fails.
    pub fn drop_process(&self, session: Key, process: &ProcessId) -> Result<()> {
        self.transaction.execute(
            "DELETE FROM processes WHERE session = ?1 AND pid = ?2 AND started = ?3 AND boot = ?4",
            params![session, process.pid, process.started, process.boot],
        )?;
        Ok(())
    }

    /// Sets what a session is doing.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_state(&self, session: Key, state: State, now: Millis) -> Result<()> {
        self.transaction
            .prepare_cached("UPDATE sessions SET state = ?2, last_event_at = ?3 WHERE id = ?1")?
            .execute(params![session, state.as_str(), now])?;
        Ok(())
    }

    /// Sets a session's transcript file.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_transcript(&self, session: Key, transcript: &str) -> Result<()> {
        self.transaction
            .prepare_cached(
                "UPDATE sessions SET transcript = ?2 WHERE id = ?1 AND transcript IS NOT ?2",
            )?
            .execute(params![session, transcript])?;
        Ok(())
    }

    /// Sets the address that is told when a turn of a session ends.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_parent(&self, session: Key, parent: &str) -> Result<()> {
        let sql = "UPDATE sessions SET parent = ?2 WHERE id = ?1";
        self.transaction.execute(sql, params![session, parent])?;
        Ok(())
    }

    /// The address that is told when a turn of a session ends.
    ///
    /// # Errors
    /// When the store fails.
    pub fn parent_of(&self, session: Key) -> Result<Option<String>> {
        let mut statement =
            self.transaction.prepare_cached("SELECT parent FROM sessions WHERE id = ?1")?;
        Ok(statement.query_row([session], |row| row.get(0)).optional()?.flatten())
    }

    /// Sets which agent mailbox a session holds.
    ///
    /// # Errors
    /// When the store fails.
    pub fn set_agent_mailbox(&self, session: Key, mailbox: Option<Key>) -> Result<()> {
        self.transaction.execute(
            "UPDATE sessions SET agent_mailbox = ?2 WHERE id = ?1",
            params![session, mailbox],
        )?;
        Ok(())
    }

    /// Ends a session that another one carries on after a clear.
    ///
    /// # Errors
    /// When the store fails.
    pub fn continue_session(&self, old: Key, new: Key, now: Millis) -> Result<()> {
        self.transaction.execute("DELETE FROM processes WHERE session = ?1", [old])?;
        self.transaction.execute(
            "UPDATE sessions SET continued_by = ?2, state = 'ended', agent_mailbox = NULL,
               last_event_at = ?3 WHERE id = ?1",
            params![old, new, now],
        )?;
        Ok(())
    }

    /// The session that carries an old one on, if one does.
    ///
    /// # Errors
    /// When the store fails.
    pub fn continuation(&self, session: Key) -> Result<Key> {
        let mut statement = self.transaction.prepare_cached(
            "WITH RECURSIVE chain (id, step) AS (
               VALUES (?1, 0)
               UNION ALL SELECT continued_by, step + 1 FROM sessions JOIN chain USING (id)
               WHERE continued_by IS NOT NULL AND step < 1000)
             SELECT id FROM chain ORDER BY step DESC LIMIT 1",
        )?;
        Ok(statement.query_row([session], |row| row.get(0))?)
    }

    /// Removes a session that ended, with its processes and turns. Its mail stays, and
    /// what its project sent and it never saw waits for the next session there.
    ///
    /// # Errors
    /// When the store fails.
    pub fn forget_session(&self, session: Key, waiting: Key) -> Result<()> {
        self.transaction.execute(
            "UPDATE OR IGNORE deliveries SET reader = ?2
             WHERE reader = (SELECT own_mailbox FROM sessions WHERE id = ?1) AND receipt = 0
               AND owed = 1 AND message IN (SELECT seq FROM messages WHERE recipient LIKE 'project/%')",
            params![session, waiting],
        )?;
        for sql in [
            "UPDATE sessions SET continued_by = NULL WHERE continued_by = ?1",
            "DELETE FROM processes WHERE session = ?1",
            "DELETE FROM turns WHERE session = ?1",
            "DELETE FROM awaited WHERE session = ?1",
            "UPDATE deliveries SET offered_session = NULL WHERE offered_session = ?1",
            "DELETE FROM sessions WHERE id = ?1",
        ] {
            self.transaction.execute(sql, [session])?;
        }
        Ok(())
    }
}
