-- A task that was written off is none any more: a row that had only this one, and left the file, has no line.
CREATE FUNCTION forget_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE items SET has_task = false
  WHERE has_task AND key IN (
      SELECT o.item FROM old_rows o JOIN new_rows n ON n.item = o.item AND n.attempt = o.attempt
      WHERE o.task_id IS NOT NULL AND n.task_id IS NULL
    )
    AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.item = items.key AND a.task_id IS NOT NULL);
  RETURN NULL;
END
$$;

CREATE TRIGGER attempts_written_off AFTER UPDATE ON attempts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_tasks();
