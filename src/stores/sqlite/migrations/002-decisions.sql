-- What people decided about money.
CREATE TABLE decisions (
  -- They are counted, in the order in which they were saved.
  number INTEGER PRIMARY KEY,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  user_name TEXT NOT NULL,
  machine TEXT NOT NULL,
  -- As it was typed, without secrets.
  command TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Null where it is about the run.
  item INTEGER,
  -- JSON.
  detail TEXT NOT NULL
) STRICT;

CREATE INDEX decisions_by_item ON decisions (item);
