INSERT INTO mailboxes (id, address)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :sessions)
SELECT 1000000 + i, printf('session/%08d', i) FROM n WHERE :messages + :pending + :reader;

INSERT INTO sessions (client, key, own_mailbox, project, state, attended, started_at, last_event_at)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :sessions)
SELECT 'claude', printf('%08d', i), 1000000 + i, 'project/somewhere/' || (i % 50), 'ended', 1,
  unixepoch() * 1000, unixepoch() * 1000
FROM n WHERE :messages + :pending + :reader;

INSERT INTO messages (seq, id, sender, sent_by, recipient, kind, priority, disposition, mode, status,
  subject, body, thread, created_at)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :messages)
SELECT i, printf('m%07d', i), 'agent/alice', 'session/alice', 'agent/bob', 'message', 'normal',
  'actionable', 'auto', iif(i <= :pending, 'pending', 'resolved'), 'An old message',
  printf('%.160c', 'x'), printf('m%07d', i), unixepoch() * 1000
FROM n WHERE :sessions + :reader;

INSERT INTO deliveries (message, reader, receipt, owed, lane, rank)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :messages)
SELECT i, iif(i <= :pending, :reader, 1000001 + i % :sessions), 2, i <= :pending, 0, 2 FROM n
