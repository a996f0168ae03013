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
