-- Another spelling of a task's id makes no other task: `taskKey` of the core.
CREATE FUNCTION task_key(task text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(ltrim(task, '0') COLLATE "C")
$$;

DROP INDEX attempts_by_task;
CREATE INDEX attempts_by_task ON attempts (task_key(task_id));

-- Writes changes of different items. `answer` is until when claims among them can be answered.
CREATE OR REPLACE FUNCTION apply_wave(
  changes item_change[], files artifact_change[], now_change bigint, now_round bigint, answer bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  stale bigint[];
  edited bigint;
BEGIN
  -- A task that also answered a later attempt belongs to that attempt: its points count once.
  UPDATE attempts a SET task_id = NULL, points = 0 FROM unnest(changes) c
  WHERE c.attempt > 1 AND c.task_id IS DISTINCT FROM c.old_task_id AND a.item = c.key AND a.attempt < c.attempt
    AND task_key(a.task_id) = task_key(c.task_id);
  SELECT array_agg(c.place ORDER BY c.place) INTO stale FROM unnest(changes) c
  WHERE NOT EXISTS (
      SELECT 1 FROM items i WHERE i.key = c.key AND i.status = c.old_status AND i.version = c.old_version
        AND i.token IS NOT DISTINCT FROM c.old_token
        -- A row that left the file after it was chosen is not claimed any more.
        AND (i.gone = 0 OR c.old_status <> 'pending' OR c.status <> 'submitting')
    ) OR (c.has_attempt AND c.task_id IS NOT NULL
      AND NOT EXISTS (
        SELECT 1 FROM attempts own WHERE own.item = c.key AND own.attempt = c.attempt
          AND task_key(own.task_id) = task_key(c.task_id)
      ) AND (
        EXISTS (SELECT 1 FROM attempts other WHERE task_key(other.task_id) = task_key(c.task_id))
        OR EXISTS (
          SELECT 1 FROM unnest(changes) first
          WHERE task_key(first.task_id) = task_key(c.task_id) AND first.has_attempt AND first.place < c.place
        )
      ));
  IF stale IS NOT NULL THEN
    RAISE EXCEPTION 'items have changed since the decision' USING ERRCODE = 'BA001', DETAIL = to_json(stale)::text;
  END IF;
  UPDATE items i SET status = c.status, version = c.version, quality = c.quality, attempt = c.attempt, token = c.token,
    request_hash = c.request_hash, not_before = c.not_before, submitted_at = c.submitted_at, ended_at = c.ended_at,
    task_id = c.task_id, points = c.points, failure = c.failure, title = c.title, created_at = c.created_at,
    finish_at = c.finish_at, detail = c.detail, misses = c.misses, renewals = c.renewals, change = now_change,
    answer_by = CASE WHEN c.status <> 'submitting' THEN NULL WHEN c.old_status = 'submitting' THEN i.answer_by
      ELSE answer END,
    round = CASE WHEN c.status = 'submitting' AND c.old_status <> 'submitting' THEN now_round ELSE i.round END,
    has_task = i.has_task OR (c.has_attempt AND c.task_id IS NOT NULL)
  FROM unnest(changes) c WHERE i.key = c.key;
  INSERT INTO attempts AS a (
    item, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure
  )
    SELECT key, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure
    FROM unnest(changes) WHERE has_attempt
  ON CONFLICT (item, attempt) DO UPDATE SET submitted_at = excluded.submitted_at, ended_at = excluded.ended_at,
    status = excluded.status, task_id = excluded.task_id, points = excluded.points, failure = excluded.failure
  WHERE a.token = excluded.token;
  IF files IS NOT NULL THEN
    INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries)
      SELECT item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries
      FROM unnest(files) WHERE state IS NOT NULL
    ON CONFLICT (item, kind, ordinal) DO UPDATE SET remote_id = excluded.remote_id, state = excluded.state,
      path = excluded.path, size_bytes = excluded.size_bytes, sha256 = excluded.sha256, tries = excluded.tries;
    DELETE FROM artifacts a USING unnest(files) f
    WHERE f.state IS NULL AND a.item = f.item AND a.kind = f.kind AND a.ordinal = f.ordinal;
  END IF;
  -- A pending row has the text of the file, whatever was sent before. One by one: two may come to have the same text.
  FOR edited IN
    SELECT c.key FROM unnest(changes) c JOIN edits e ON e.item = c.key
    WHERE c.status = 'pending' AND c.old_status <> 'pending' ORDER BY c.place
  LOOP
    PERFORM take_edit(edited);
  END LOOP;
END
$$;

-- A task that answers a superseded attempt. False where it belongs to another attempt, or this one has another task.
CREATE OR REPLACE FUNCTION save_late_task(attempt_token text, task text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM run FOR UPDATE;
  IF EXISTS (SELECT 1 FROM attempts WHERE task_key(task_id) = task_key(task)) THEN
    RETURN EXISTS (SELECT 1 FROM attempts WHERE task_key(task_id) = task_key(task) AND token = attempt_token);
  END IF;
  UPDATE attempts SET task_id = task, status = 'open', points = NULL, failure = NULL, ended_at = NULL
  WHERE token = attempt_token AND task_id IS NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM next_change();
  RETURN true;
END
$$;

-- How the task of a superseded attempt ended.
CREATE OR REPLACE FUNCTION save_points(attempt_token text, task text, end_status text, end_points numeric, end_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM run FOR UPDATE;
  UPDATE attempts a SET status = end_status, points = coalesce(end_points, a.points), ended_at = coalesce(a.ended_at, end_at)
  WHERE task_key(a.task_id) = task_key(task) AND a.token = attempt_token
    AND (SELECT i.token FROM items i WHERE i.key = a.item) IS DISTINCT FROM a.token;
  IF FOUND THEN PERFORM next_change(); END IF;
END
$$;
