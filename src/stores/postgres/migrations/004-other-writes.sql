-- What is saved besides commits. Each of these is one call, too.

CREATE FUNCTION save_setting(setting text, content text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  INSERT INTO settings (name, value) VALUES (setting, content) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END
$$;

-- A superseded attempt gets this task. False where it has another one than `before` by now, or the task belongs to another.
CREATE FUNCTION give_task(attempt_token text, task text, before text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM run FOR UPDATE;
  IF EXISTS (SELECT 1 FROM attempts WHERE task_key(task_id) = task_key(task)) THEN RETURN false; END IF;
  UPDATE attempts SET task_id = task, status = 'open', points = NULL, failure = NULL, ended_at = NULL,
    title = NULL, created_at = NULL, finish_at = NULL
  WHERE token = attempt_token AND task_id IS NOT DISTINCT FROM before
    AND NOT EXISTS (SELECT 1 FROM items WHERE items.key = attempts.item AND items.token = attempt_token);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM next_change();
  RETURN true;
END
$$;

-- How the task of a superseded attempt ended.
CREATE FUNCTION save_points(attempt_token text, task text, end_status text, end_points numeric, end_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM run FOR UPDATE;
  UPDATE attempts a SET status = end_status, points = coalesce(end_points, a.points), ended_at = coalesce(a.ended_at, end_at)
  WHERE task_key(a.task_id) = task_key(task) AND a.token = attempt_token
    AND (SELECT i.token FROM items i WHERE i.key = a.item) IS DISTINCT FROM a.token;
  IF FOUND THEN PERFORM next_change(); END IF;
END
$$;

CREATE FUNCTION take_back(keys bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_change bigint;
BEGIN
  SELECT change + 1 INTO STRICT now_change FROM run FOR UPDATE;
  UPDATE items SET gone = 0, change = now_change WHERE gone = 1 AND key = ANY (keys);
  IF FOUND THEN UPDATE run SET change = now_change, input_version = input_version + 1; END IF;
END
$$;
