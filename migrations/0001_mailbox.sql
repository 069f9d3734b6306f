-- The mailbox: who there is, what was said, and how far each message got with each reader.
-- Comments stand outside the statements, since SQLite keeps a statement's text and reads
-- it again whenever the file is opened. Keys named after a table refer to it.

-- One row an address that can hold mail. A reader is a mailbox: an agent's for
-- agent/ mail, a session's own for session/ and project/ mail.
CREATE TABLE mailboxes (
  id INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  paused INTEGER NOT NULL DEFAULT 0
);

-- Every name an agent mailbox has, the old ones after a rename included.
CREATE TABLE names (
  name TEXT PRIMARY KEY,
  mailbox INTEGER NOT NULL,
  given_at INTEGER NOT NULL
) WITHOUT ROWID;

-- key is the client's own session id; asked_name is MAILSTOP_NAME as its client was given
-- it; state is idle, running or ended; turn is the running or the last one.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  key TEXT NOT NULL,
  own_mailbox INTEGER NOT NULL,
  agent_mailbox INTEGER,
  asked_name TEXT,
  project TEXT NOT NULL,
  state TEXT NOT NULL,
  attended INTEGER NOT NULL,
  transcript TEXT,
  turn INTEGER,
  started_at INTEGER NOT NULL,
  last_event_at INTEGER NOT NULL,
  continued_by INTEGER,
  UNIQUE (key, client)
);
CREATE INDEX sessions_of_agent ON sessions (agent_mailbox);
CREATE INDEX sessions_of_project ON sessions (project, state);

-- The client processes that run a session now. The start time is as the system tells it,
-- and only compared.
CREATE TABLE processes (
  session INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  boot TEXT NOT NULL,
  last_event_at INTEGER NOT NULL,
  PRIMARY KEY (pid, started, boot, session)
) WITHOUT ROWID;
CREATE INDEX processes_of_session ON processes (session);

CREATE TABLE turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL,
  prompt TEXT,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  blocks INTEGER NOT NULL DEFAULT 0,
  blocks_without_tool INTEGER NOT NULL DEFAULT 0
);

-- seq is the order of arrival; sent_by is who really sent it, session/<id> or user; about
-- is the message that a notice is about.
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  sender TEXT NOT NULL,
  sent_by TEXT NOT NULL,
  recipient TEXT NOT NULL,
  kind TEXT NOT NULL,
  priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  disposition TEXT CHECK (disposition IN ('actionable', 'acknowledgement')),
  mode TEXT NOT NULL CHECK (mode IN ('auto', 'steer', 'queue', 'start')),
  status TEXT NOT NULL CHECK (status IN ('pending', 'resolved', 'withdrawn', 'expired')),
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  thread TEXT NOT NULL,
  reply_to TEXT,
  about TEXT,
  correlation TEXT,
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT,
  note TEXT
);
CREATE INDEX messages_of_thread ON messages (thread, seq);
CREATE INDEX notices ON messages (about) WHERE about IS NOT NULL;

-- One message on its way to one reader, with its receipt: 0 unread, 1 offered, 2 seen.
-- owed is 1 while something is still to be shown or handled; lane is 0 for what may steer a
-- turn, 1 for a Stop, 2 for a prompt; rank is 0 for urgent, 1 for high, 2 for the rest.
-- offered_turn is null from a start until its turn begins; offered_call is the tool call
-- whose hook offered it, and offered_offset the transcript's length then; blocked_turn is
-- the last turn whose Stop it held.
CREATE TABLE deliveries (
  message INTEGER NOT NULL,
  reader INTEGER NOT NULL,
  receipt INTEGER NOT NULL DEFAULT 0,
  owed INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  offered_at INTEGER,
  offered_event TEXT,
  offered_session INTEGER,
  offered_turn INTEGER,
  offered_call TEXT,
  offered_offset INTEGER,
  seen_at INTEGER,
  proof TEXT,
  blocked_turn INTEGER,
  stalled_at INTEGER,
  PRIMARY KEY (message, reader)
) WITHOUT ROWID;
CREATE INDEX unread ON deliveries (reader, lane, rank, message) WHERE receipt = 0 AND owed = 1;
CREATE INDEX standing ON deliveries (reader, rank, message) WHERE receipt > 0 AND owed = 1 AND lane < 2;
CREATE INDEX unproved ON deliveries (reader) WHERE receipt = 1;
CREATE INDEX mailbox_rows ON deliveries (reader, message);
