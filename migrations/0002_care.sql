-- Years of mail: ids from elsewhere, terms, what a sweep leaves, and which clock is believed.

-- An id that a message had in the system it was imported from. Rows outlive the content
-- of their message, so that an import cannot bring it back.
CREATE TABLE aliases (
  alias TEXT PRIMARY KEY,
  message INTEGER NOT NULL
) WITHOUT ROWID;

-- expires_at is the end of a term that the sender set; swept_at is when the content was
-- removed and the rest became a tombstone.
ALTER TABLE messages ADD COLUMN expires_at INTEGER;
ALTER TABLE messages ADD COLUMN swept_at INTEGER;
CREATE INDEX expiring ON messages (expires_at) WHERE status = 'pending' AND expires_at IS NOT NULL;

-- What a sweep may look at, by the later of creation and closing.
CREATE INDEX aging ON messages (max(created_at, coalesce(closed_at, created_at)))
  WHERE swept_at IS NULL AND (status <> 'pending' OR disposition = 'acknowledgement');

-- One row: the wall clock when this boot of the machine was first noticed, and how long the
-- machine had been up then, both in milliseconds. A clock that runs ahead of it was set.
CREATE TABLE clock (
  boot TEXT NOT NULL,
  uptime INTEGER NOT NULL,
  wall INTEGER NOT NULL
);

-- When a chore that comes round was done last.
CREATE TABLE chores (
  name TEXT PRIMARY KEY,
  done_at INTEGER NOT NULL
) WITHOUT ROWID;
