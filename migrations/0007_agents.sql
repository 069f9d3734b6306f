-- agent is the client's id of the subagent that has a dialog open; null is the session's
-- main thread.
ALTER TABLE awaited ADD COLUMN agent TEXT;
