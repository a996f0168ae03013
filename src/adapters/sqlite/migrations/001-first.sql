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
  tries INTEGER NOT NULL DEFAULT 0,
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
  renewals INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX items_by_status ON items (status, row, gone, attempt);
CREATE INDEX items_by_row ON items (gone, row);
CREATE INDEX items_by_identity ON items (identity, occurrence);
CREATE INDEX items_by_id ON items (id);

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
  PRIMARY KEY (item, attempt)
) STRICT, WITHOUT ROWID;

CREATE INDEX attempts_by_task ON attempts (task_id) WHERE task_id IS NOT NULL;

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
