-- What happened, in order and without content, so that a log is read and not put together.

-- what is a word such as stored, offered or started; message is a message's id; who is the
-- address it happened to or by; detail is an event, a proof, a reason or another address.
CREATE TABLE activities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  message TEXT,
  who TEXT NOT NULL,
  detail TEXT
);

-- What the tables remember of the time before, as far as anybody will scroll.
INSERT INTO activities (at, what, message, who, detail)
SELECT * FROM (
  SELECT * FROM (
    SELECT created_at AS at, 'stored', id, sender, recipient FROM messages ORDER BY seq DESC LIMIT 2000)
  UNION ALL SELECT * FROM (
    SELECT closed_at, status, id, coalesce(closed_by, sender), NULL FROM messages
    WHERE closed_at IS NOT NULL ORDER BY seq DESC LIMIT 2000)
  UNION ALL SELECT * FROM (
    SELECT d.offered_at, 'offered', m.id, b.address, d.offered_event
    FROM deliveries d JOIN messages m ON m.seq = d.message JOIN mailboxes b ON b.id = d.reader
    WHERE d.offered_at IS NOT NULL ORDER BY d.message DESC LIMIT 2000)
  UNION ALL SELECT * FROM (
    SELECT d.seen_at, 'seen', m.id, b.address, d.proof
    FROM deliveries d JOIN messages m ON m.seq = d.message JOIN mailboxes b ON b.id = d.reader
    WHERE d.seen_at IS NOT NULL ORDER BY d.message DESC LIMIT 2000)
  UNION ALL SELECT * FROM (
    SELECT d.stalled_at, 'stalled', m.id, b.address, NULL
    FROM deliveries d JOIN messages m ON m.seq = d.message JOIN mailboxes b ON b.id = d.reader
    WHERE d.stalled_at IS NOT NULL ORDER BY d.message DESC LIMIT 2000)
) ORDER BY at;
