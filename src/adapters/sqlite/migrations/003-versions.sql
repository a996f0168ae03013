-- Grows with every change of the item: a change that was decided on an older version is refused.
ALTER TABLE items ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- A task is the answer to one attempt. Triggers, not an index: a checkpoint that named one task twice in an earlier version still opens.
CREATE TRIGGER attempts_task_inserted BEFORE INSERT ON attempts
WHEN NEW.task_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM attempts WHERE task_id = NEW.task_id AND (item, attempt) <> (NEW.item, NEW.attempt))
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE item = NEW.item AND attempt = NEW.attempt AND task_id = NEW.task_id)
BEGIN
  SELECT RAISE(ABORT, 'the task belongs to another attempt');
END;

CREATE TRIGGER attempts_task_updated BEFORE UPDATE OF task_id ON attempts
WHEN NEW.task_id IS NOT OLD.task_id
  AND EXISTS (SELECT 1 FROM attempts WHERE task_id = NEW.task_id AND (item, attempt) <> (NEW.item, NEW.attempt))
BEGIN
  SELECT RAISE(ABORT, 'the task belongs to another attempt');
END;
