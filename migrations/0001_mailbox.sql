-- The mailbox: who there is, what was said, and how far each message got with each reader.

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
  mailbox INTEGER NOT NULL REFERENCES mailboxes (id),
  given_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  client TEXT NOT NULL,
  key TEXT NOT NULL,                     -- the client's own session id
  own_mailbox INTEGER NOT NULL REFERENCES mailboxes (id),
  agent_mailbox INTEGER REFERENCES mailboxes (id),
  asked_name TEXT,                       -- MAILSTOP_NAME as its client was given it
  project TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('idle', 'running', 'ended')),
  attended INTEGER NOT NULL,
  transcript TEXT,
  turn INTEGER,                          -- the running or last turn
  started_at INTEGER NOT NULL,
  last_event_at INTEGER NOT NULL,
  continued_by INTEGER REFERENCES sessions (id),
  UNIQUE (key, client)
);
CREATE INDEX sessions_of_agent ON sessions (agent_mailbox);
CREATE INDEX sessions_of_project ON sessions (project, state);

-- The client processes that run a session now.
CREATE TABLE processes (
  session INTEGER NOT NULL REFERENCES sessions (id),
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,                 -- as the system tells it; only compared
  boot TEXT NOT NULL,
  last_event_at INTEGER NOT NULL,
  PRIMARY KEY (pid, started, boot, session)
) WITHOUT ROWID;
CREATE INDEX processes_of_session ON processes (session);

CREATE TABLE turns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL REFERENCES sessions (id),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  blocks INTEGER NOT NULL DEFAULT 0,
  blocks_without_tool INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, -- the order of arrival
  id TEXT NOT NULL UNIQUE,
  sender TEXT NOT NULL,
  sent_by TEXT NOT NULL,                 -- session/<id>, or user: who really sent it
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
  about TEXT,                            -- the message that a notice is about
  correlation TEXT,
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  closed_by TEXT,
  note TEXT
);
CREATE INDEX messages_of_thread ON messages (thread, seq);
CREATE INDEX notices ON messages (about) WHERE about IS NOT NULL;

-- One message on its way to one reader, with its receipt.
CREATE TABLE deliveries (
  message INTEGER NOT NULL REFERENCES messages (seq),
  reader INTEGER NOT NULL REFERENCES mailboxes (id),
  receipt INTEGER NOT NULL DEFAULT 0,    -- 0 unread, 1 offered, 2 seen
  owed INTEGER NOT NULL,                 -- 1 while something is still to be shown or handled
  lane INTEGER NOT NULL,                 -- 0 may steer a turn, 1 at Stop, 2 at a prompt
  rank INTEGER NOT NULL,                 -- 0 urgent, 1 high, 2 the rest
  offered_at INTEGER,
  offered_event TEXT,
  offered_session INTEGER REFERENCES sessions (id),
  offered_turn INTEGER,                  -- null from a start until its turn begins
  offered_call TEXT,                     -- the tool call whose hook offered it
  offered_offset INTEGER,                -- the transcript's length then
  seen_at INTEGER,
  proof TEXT,
  blocked_turn INTEGER,                  -- the last turn whose Stop it held
  stalled_at INTEGER,
  PRIMARY KEY (message, reader)
) WITHOUT ROWID;
CREATE INDEX unread ON deliveries (reader, lane, rank, message) WHERE receipt = 0 AND owed = 1;
CREATE INDEX standing ON deliveries (reader, rank, message) WHERE receipt > 0 AND owed = 1 AND lane < 2;
CREATE INDEX unproved ON deliveries (reader) WHERE receipt = 1;
CREATE INDEX mailbox_rows ON deliveries (reader, message);
