-- One value per name: the options of the run, the secret behind callback paths.
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How the rows of one input file are to be read, as JSON.
CREATE TABLE sources (
  key INTEGER PRIMARY KEY,
  source TEXT NOT NULL UNIQUE
) STRICT;

-- The saved life of each question. Times are epoch milliseconds.
CREATE TABLE items (
  key INTEGER PRIMARY KEY,
  row INTEGER NOT NULL,
  id TEXT NOT NULL,
  folder TEXT NOT NULL,
  -- Which row of an edited file this is: digest of the row's own id, or of its content.
  identity BLOB NOT NULL,
  -- Tells rows of the same identity apart; 1 for rows with an id of their own.
  occurrence INTEGER NOT NULL,
  -- Digest of what was or will be sent, and of the whole row as it was read.
  content BLOB NOT NULL,
  input_digest BLOB NOT NULL,
  source INTEGER NOT NULL REFERENCES sources (key),
  -- 1 while the row is not in the input any more.
  gone INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  quality TEXT,
  attempt INTEGER NOT NULL DEFAULT 0,
  token TEXT,
  request_hash TEXT,
  not_before INTEGER NOT NULL DEFAULT 0,
  submitted_at INTEGER,
  ended_at INTEGER,
  task_id TEXT,
  points REAL,
  failure TEXT,
  title TEXT,
  created_at TEXT,
  finish_at TEXT,
  detail TEXT,
  misses INTEGER NOT NULL DEFAULT 0,
  renewals INTEGER NOT NULL DEFAULT 0,
  -- Grows with every change of the item: a change that was decided on an older version is refused.
  version INTEGER NOT NULL DEFAULT 0,
  -- The round in which it last ended badly: a retry that names a round takes only rows that ended by then.
  ended_round INTEGER NOT NULL DEFAULT 0,
  -- When a pending row is sent, and whether a rejected one is kept for a second chance: first, last, again, spent.
  turn TEXT NOT NULL DEFAULT 'first'
) STRICT;

CREATE INDEX items_by_status ON items (status, row, gone, attempt);
CREATE INDEX items_by_row ON items (gone, row);
CREATE INDEX items_by_identity ON items (identity, occurrence);
CREATE INDEX items_by_id ON items (id);
CREATE INDEX items_refused_alike ON items (row) WHERE turn = 'again';

-- The rows as they were read, as JSON: column -> value.
CREATE TABLE questions (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  input TEXT NOT NULL
) STRICT;

-- Every creation request. The points of a known task are never forgotten, whatever its item does next.
CREATE TABLE attempts (
  item INTEGER NOT NULL REFERENCES items (key),
  attempt INTEGER NOT NULL,
  token TEXT NOT NULL,
  request_hash TEXT,
  quality TEXT,
  submitted_at INTEGER,
  ended_at INTEGER,
  status TEXT NOT NULL,
  task_id TEXT,
  points REAL,
  failure TEXT,
  -- Of attempts that their item has left, because the video of one of them may stand for the row.
  title TEXT,
  created_at TEXT,
  finish_at TEXT,
  PRIMARY KEY (item, attempt)
) STRICT, WITHOUT ROWID;

-- A task is the answer to one attempt: a second one that names it is refused. Another spelling of its id makes no other task:
-- `taskKey` of the core.
CREATE UNIQUE INDEX attempts_by_task ON attempts (lower(ltrim(task_id, '0')));

-- Files that are on disk, wanted, or given up.
CREATE TABLE artifacts (
  item INTEGER NOT NULL REFERENCES items (key),
  kind TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  remote_id TEXT,
  state TEXT NOT NULL,
  path TEXT,
  size_bytes INTEGER,
  sha256 TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (item, kind, ordinal)
) STRICT, WITHOUT ROWID;

-- What a row says in the input now, where it was sent with another text: a new attempt sends this.
CREATE TABLE edits (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  content BLOB NOT NULL,
  input_digest BLOB NOT NULL,
  source INTEGER NOT NULL REFERENCES sources (key),
  quality TEXT,
  -- Why it cannot be sent; null when it can.
  failure TEXT,
  input TEXT NOT NULL
) STRICT;

-- Of a row with local pictures: its content by their names alone. `content` has their bytes, once they were read.
CREATE TABLE pictured (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  written BLOB NOT NULL
) STRICT;

CREATE INDEX pictured_by_written ON pictured (written);

-- Local pictures as they were when they were last read: one of the same size and time is not read again.
CREATE TABLE pictures (
  path TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  modified_at REAL NOT NULL,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What people decided about the rows. It is also written beside the process that works on the run, and changes no item.

-- The attempt whose video stands for the row; a row without an entry has its latest one.
CREATE TABLE preferences (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  attempt INTEGER NOT NULL
) STRICT;

-- Texts that are sent instead of those of the file (null: unchanged), while the file has the texts that were corrected.
CREATE TABLE corrections (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  question TEXT,
  answer TEXT,
  of_question TEXT NOT NULL,
  of_answer TEXT NOT NULL,
  -- The first attempt that sends it.
  since INTEGER NOT NULL
) STRICT;

-- The latest mark of each reviewer.
CREATE TABLE marks (
  item INTEGER NOT NULL REFERENCES items (key),
  reviewer TEXT NOT NULL,
  mark TEXT NOT NULL,
  note TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  question TEXT,
  answer TEXT,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  PRIMARY KEY (item, reviewer)
) STRICT, WITHOUT ROWID;

-- What was seen of each video, by the digest of its bytes, as JSON; and what that gave a reason to look at.
CREATE TABLE inspections (
  sha256 TEXT PRIMARY KEY,
  facts TEXT NOT NULL,
  findings TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

-- Calls of the command of `--on-row`: owed, failed or done. Those of attempts that were superseded are never made.
CREATE TABLE hook_calls (
  item INTEGER NOT NULL REFERENCES items (key),
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  ended_at INTEGER,
  failure TEXT,
  PRIMARY KEY (item, attempt)
) STRICT, WITHOUT ROWID;

CREATE INDEX hook_calls_left ON hook_calls (state, item) WHERE state <> 'done';

-- A row is owed its call by the transaction that completes it: no crash comes between the two.
CREATE TRIGGER items_completed AFTER UPDATE OF status ON items
WHEN NEW.status = 'completed' AND OLD.status <> 'completed' AND EXISTS (SELECT 1 FROM settings WHERE name = 'hooks')
BEGIN
  INSERT OR IGNORE INTO hook_calls (item, attempt, state) VALUES (NEW.key, NEW.attempt, 'owed');
END;

-- What a retry ordered and nobody sent yet, by the round of the retry: rows that wait for their first attempt are not in it.
CREATE TABLE orders (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  round INTEGER NOT NULL
) STRICT;

CREATE INDEX orders_by_round ON orders (round, item);

-- An order is carried out once its attempt has come to something: a row that is put back before that still waits for it.
CREATE TRIGGER items_sent AFTER UPDATE OF status ON items
WHEN NEW.status <> OLD.status AND NEW.status NOT IN {{unsettled}}
BEGIN
  DELETE FROM orders WHERE item = NEW.key;
END;

-- A retry that names a round takes only rows that ended badly by then.
CREATE TRIGGER items_ended AFTER UPDATE OF status ON items
WHEN NEW.status <> OLD.status AND NEW.status IN {{retried}}
BEGIN
  UPDATE items SET ended_round = coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'rounds'), 0)
  WHERE key = NEW.key;
END;

-- The facts of attempts that their item has left, because the video of one of them may stand for the row. Triggers keep
-- them: whatever changes an item, and by whatever path, none is lost, and a row with one attempt costs nothing.
CREATE TRIGGER items_left_attempt AFTER UPDATE OF token ON items
WHEN OLD.token IS NOT NULL AND NEW.token IS NOT OLD.token
  AND (OLD.title IS NOT NULL OR OLD.created_at IS NOT NULL OR OLD.finish_at IS NOT NULL)
BEGIN
  UPDATE attempts SET title = OLD.title, created_at = OLD.created_at, finish_at = OLD.finish_at
  WHERE item = OLD.key AND attempt = OLD.attempt AND token = OLD.token;
END;

-- Rows as they were sent, where they have another text since. The statements that give a row its text change `items` first.
CREATE TABLE earlier_inputs (
  item INTEGER NOT NULL REFERENCES items (key),
  -- The last attempt that sent it.
  attempt INTEGER NOT NULL,
  source INTEGER NOT NULL REFERENCES sources (key),
  input TEXT NOT NULL,
  PRIMARY KEY (item, attempt)
) STRICT;

CREATE TRIGGER items_took_text AFTER UPDATE OF content ON items
WHEN NEW.content <> OLD.content AND OLD.attempt > 0
BEGIN
  INSERT OR IGNORE INTO earlier_inputs (item, attempt, source, input)
  SELECT OLD.key, OLD.attempt, OLD.source, input FROM questions WHERE item = OLD.key;
END;

-- Corrections that were sent, where the row has another one since, or none.
CREATE TABLE earlier_corrections (
  item INTEGER NOT NULL REFERENCES items (key),
  -- The last attempt that sent it.
  attempt INTEGER NOT NULL,
  question TEXT,
  answer TEXT,
  of_question TEXT NOT NULL,
  of_answer TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (item, attempt)
) STRICT;

CREATE TRIGGER corrections_replaced BEFORE UPDATE ON corrections
BEGIN
  INSERT OR IGNORE INTO earlier_corrections (item, attempt, question, answer, of_question, of_answer, since)
  SELECT OLD.item, attempt, OLD.question, OLD.answer, OLD.of_question, OLD.of_answer, OLD.since
  FROM items WHERE key = OLD.item AND attempt >= OLD.since;
END;

CREATE TRIGGER corrections_removed BEFORE DELETE ON corrections
BEGIN
  INSERT OR IGNORE INTO earlier_corrections (item, attempt, question, answer, of_question, of_answer, since)
  SELECT OLD.item, attempt, OLD.question, OLD.answer, OLD.of_question, OLD.of_answer, OLD.since
  FROM items WHERE key = OLD.item AND attempt >= OLD.since;
END;
