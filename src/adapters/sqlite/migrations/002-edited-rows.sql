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
