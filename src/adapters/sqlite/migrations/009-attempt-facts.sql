-- The facts of attempts that their item has left, because the video of one of them may stand for the row. Triggers keep
-- them: whatever changes an item, and by whatever path, none is lost, and a row with one attempt costs nothing.

ALTER TABLE attempts ADD COLUMN title TEXT;
ALTER TABLE attempts ADD COLUMN created_at TEXT;
ALTER TABLE attempts ADD COLUMN finish_at TEXT;

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
