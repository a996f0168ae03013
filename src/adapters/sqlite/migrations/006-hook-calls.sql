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
