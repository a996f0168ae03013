-- Another spelling of a task's id makes no other task: `isSameTask` of the core.
DROP INDEX attempts_by_task;
CREATE INDEX attempts_by_task ON attempts (lower(ltrim(task_id, '0')));

DROP TRIGGER attempts_task_inserted;
CREATE TRIGGER attempts_task_inserted BEFORE INSERT ON attempts
WHEN NEW.task_id IS NOT NULL
  AND EXISTS (SELECT 1 FROM attempts WHERE lower(ltrim(task_id, '0')) = lower(ltrim(NEW.task_id, '0'))
    AND (item, attempt) <> (NEW.item, NEW.attempt))
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE item = NEW.item AND attempt = NEW.attempt
    AND lower(ltrim(task_id, '0')) = lower(ltrim(NEW.task_id, '0')))
BEGIN
  SELECT RAISE(ABORT, 'the task belongs to another attempt');
END;

DROP TRIGGER attempts_task_updated;
CREATE TRIGGER attempts_task_updated BEFORE UPDATE OF task_id ON attempts
WHEN NEW.task_id IS NOT OLD.task_id
  AND EXISTS (SELECT 1 FROM attempts WHERE lower(ltrim(task_id, '0')) = lower(ltrim(NEW.task_id, '0'))
    AND (item, attempt) <> (NEW.item, NEW.attempt))
BEGIN
  SELECT RAISE(ABORT, 'the task belongs to another attempt');
END;
