-- Questions with their answers, and how each answer got to who asked.

-- message carries the question. question_set and answer are canonical JSON, and empty once
-- they were swept; asker is the address that is told; answered_by is the address that
-- answered, sent_by who that really was; waited_until is how long somebody certainly waits
-- in a shell for the answer.
CREATE TABLE questions (
  message INTEGER PRIMARY KEY,
  asker TEXT NOT NULL,
  question_set TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'answered', 'cancelled')),
  answer TEXT,
  answered_at INTEGER,
  answered_by TEXT,
  sent_by TEXT,
  waited_until INTEGER
);
CREATE INDEX open_questions ON questions (message) WHERE status = 'open';

-- An answer on its way to who asked, without a word of it. digest is that of question set
-- and answer; went is how it went; generation counts the claims, and a write of an older one
-- changes nothing; a claim ends at leased_until.
CREATE TABLE answer_deliveries (
  question INTEGER PRIMARY KEY,
  correlation TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivering', 'delivered', 'failed')),
  went TEXT CHECK (went IN ('steered', 'joined', 'woken', 'waiting')),
  generation INTEGER NOT NULL DEFAULT 0,
  errors INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  leased_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE INDEX answers_due ON answer_deliveries (created_at, question)
  WHERE status IN ('pending', 'delivering');
