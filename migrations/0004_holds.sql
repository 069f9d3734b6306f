-- Whom a session awaits, what is held meanwhile, and who hears of a session's ends.

-- One row a dialog that a session's user has open. what is permission, question, plan, form
-- or dialog; call is the client's id of the tool call or form, where it names one; input is a
-- digest of the tool's input, where it does not; question is what the user is asked, where
-- the client tells.
CREATE TABLE awaited (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  what TEXT NOT NULL,
  tool TEXT NOT NULL,
  call TEXT,
  input INTEGER,
  question TEXT,
  since INTEGER NOT NULL
);
CREATE INDEX awaited_by ON awaited (session);

-- parent is the address that is told when a turn of this session ends; a session's state may
-- be awaiting as well, as long as it has rows above.
ALTER TABLE sessions ADD COLUMN parent TEXT;

-- held is 1 from a send to a session that awaited its user until the message is shown.
ALTER TABLE deliveries ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX held ON deliveries (reader, message) WHERE held = 1 AND receipt = 0 AND owed = 1;
