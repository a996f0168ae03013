-- A commit is one call of one function: one round trip, so that a process that is paused never holds the lock.

-- One change, decided on the item as `old_*` say; the other columns are those of `items`.
CREATE TYPE item_change AS (
  -- The place in the commit; `wave` counts earlier changes of the same item in it.
  place bigint, wave bigint,
  old_status text, old_token text, old_version bigint, old_task_id text,
  -- False where nothing changed that the attempt has, too.
  has_attempt boolean,
  key bigint, status text, quality text, attempt bigint, version bigint, token text, request_hash text,
  not_before bigint, submitted_at bigint, ended_at bigint, task_id text, points numeric, failure text, title text,
  created_at text, finish_at text, detail text, misses bigint, renewals bigint, turn text
);

-- One file of an item; `state` is null where it is not known any more.
CREATE TYPE artifact_change AS (
  wave bigint, item bigint, kind text, ordinal bigint, remote_id text, state text, path text, size_bytes bigint,
  sha256 text, tries bigint
);

-- Epoch milliseconds, by the clock that all machines share.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Locks the run and counts a change, which is saved only if the transaction is.
CREATE FUNCTION next_change() RETURNS bigint LANGUAGE sql AS $$
  UPDATE run SET change = change + 1 RETURNING change
$$;

CREATE FUNCTION round_points(points numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(points * 1000000 + 0.5) / 1000000
$$;

-- True where this commit was saved before; else it is noted as saved. The caller holds the lock.
CREATE FUNCTION is_repeated(commit_id text, change_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM commits WHERE id = commit_id) THEN RETURN true; END IF;
  INSERT INTO commits (id, change) VALUES (commit_id, change_now);
  -- A process that was away for longer finds its changes refused instead: their items have moved on.
  IF change_now % 1000 = 0 THEN DELETE FROM commits WHERE change < change_now - 100000; END IF;
  RETURN false;
END
$$;

-- Writes all changes or none. False where this commit was saved before. SQLSTATE BA001 names stale items (places of
-- the changes, a JSON list, as detail), BA002 says that the claims find no room.
CREATE FUNCTION commit_changes(
  commit_id text, worker_name text, changes jsonb, files jsonb, new_facts jsonb, room jsonb
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known run%ROWTYPE;
  now_change bigint;
  all_changes item_change[];
  all_files artifact_change[];
  waves bigint;
BEGIN
  SELECT * INTO STRICT known FROM run FOR UPDATE;
  now_change := known.change + 1;
  IF is_repeated(commit_id, now_change) THEN RETURN false; END IF;
  SELECT array_agg(c), max(c.wave) INTO all_changes, waves FROM jsonb_populate_recordset(NULL::item_change, changes) c;
  SELECT array_agg(f) INTO all_files FROM jsonb_populate_recordset(NULL::artifact_change, files) f;
  FOR now_wave IN 0..coalesce(waves, -1) LOOP
    PERFORM apply_wave(
      (SELECT array_agg(c ORDER BY c.place) FROM unnest(all_changes) c WHERE c.wave = now_wave),
      (SELECT array_agg(f) FROM unnest(all_files) f WHERE f.wave = now_wave),
      now_change, known.round, (room ->> 'answerBy')::bigint
    );
  END LOOP;
  UPDATE run SET change = now_change, last_fact = last_fact + jsonb_array_length(new_facts),
    (submitted_rows, bad_rows) = (
      SELECT run.submitted_rows + count(*) FILTER (WHERE c.status = 'submitting' AND c.old_status <> 'submitting')
          -- A row that was claimed before this round did not count in it.
          - count(*) FILTER (WHERE c.status = 'pending' AND c.old_status = 'submitting' AND i.round = known.round),
        run.bad_rows + count(*) FILTER (WHERE is_bad(c.status) AND NOT is_bad(c.old_status))
      FROM unnest(all_changes) c JOIN items i ON i.key = c.key
    );
  INSERT INTO facts (number, worker, is_good, fact)
    SELECT known.last_fact + n, worker_name, coalesce(fact #>> '{event,type}' = 'creation-accepted', false), fact
    FROM jsonb_array_elements(new_facts) WITH ORDINALITY AS f (fact, n);
  IF known.last_fact / 1000 <> (known.last_fact + jsonb_array_length(new_facts)) / 1000 THEN
    DELETE FROM facts WHERE number < known.last_fact - 10000;
  END IF;
  IF room IS NOT NULL THEN
    PERFORM check_room(all_changes, room, known.last_fact);
  END IF;
  RETURN true;
END
$$;

CREATE FUNCTION is_bad(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status IN {{bad}}
$$;

-- Writes changes of different items. `answer` is until when claims among them can be answered.
CREATE FUNCTION apply_wave(
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
    finish_at = c.finish_at, detail = c.detail, misses = c.misses, renewals = c.renewals, turn = c.turn,
    change = now_change,
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
  ON CONFLICT (item, attempt) DO UPDATE SET request_hash = excluded.request_hash, submitted_at = excluded.submitted_at,
    ended_at = excluded.ended_at, status = excluded.status, task_id = excluded.task_id, points = excluded.points,
    failure = excluded.failure
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

-- The attempt so far was for another text: an answer that comes to it late is not this row's any more.
CREATE FUNCTION take_edit(item_key bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE items i SET token = NULL, content = e.content, input_digest = e.input_digest, source = e.source,
    quality = e.quality,
    identity = CASE WHEN i.identity = i.content THEN e.content ELSE i.identity END,
    occurrence = CASE WHEN i.identity <> i.content THEN i.occurrence
      ELSE (SELECT coalesce(max(o.occurrence), 0) + 1 FROM items o WHERE o.identity = e.content) END
  FROM edits e WHERE e.item = i.key AND i.key = item_key;
  UPDATE questions q SET input = e.input FROM edits e WHERE e.item = q.item AND q.item = item_key;
  DELETE FROM edits WHERE item = item_key;
END
$$;

-- Claims are made under the terms of the round, by a process that knows what others decided, on a store that forgot nothing.
CREATE FUNCTION check_room(changes item_change[], room jsonb, facts_before bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting') THEN
    RETURN;
  END IF;
  -- A run that was dropped and made anew under its name counts its rounds anew, too.
  IF (room ->> 'run')::uuid <> (SELECT id FROM run) THEN PERFORM refuse_claims('another run'); END IF;
  IF (room ->> 'round')::bigint <> (SELECT round FROM run) THEN PERFORM refuse_claims('another round'); END IF;
  IF coalesce((room ->> 'steering')::bigint, 0)
      < (SELECT (value::jsonb ->> 'number')::bigint FROM settings WHERE name = 'steering')
  THEN
    PERFORM refuse_claims('steered otherwise');
  END IF;
  IF (SELECT server FROM run) IS DISTINCT FROM this_server() THEN PERFORM refuse_claims('another server'); END IF;
  IF room ->> 'lastSent' IS NOT NULL AND NOT EXISTS (SELECT 1 FROM attempts WHERE token = room ->> 'lastSent') THEN
    PERFORM refuse_claims('an older copy');
  END IF;
  PERFORM check_counts(changes, room, facts_before);
END
$$;

-- The inequalities of `decideRoom` and `decideAffordable` in the core, on the counts as they are with the claims.
CREATE FUNCTION check_counts(changes item_change[], room jsonb, facts_before bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known run%ROWTYPE;
  claimed bigint;
  claimed_h bigint;
  claimed_m bigint;
  claimed_l bigint;
  submitting_rows bigint;
  open_rows bigint;
  uncertain_rows bigint := 0;
  hold_ms bigint;
  others_h bigint;
  others_m bigint;
  others_l bigint;
  total numeric;
  max_points numeric := (room ->> 'points')::numeric;
  decided_at bigint := (room ->> 'at')::bigint;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE quality = 'h'), count(*) FILTER (WHERE coalesce(quality, 'm') = 'm'),
    count(*) FILTER (WHERE quality = 'l')
  INTO claimed, claimed_h, claimed_m, claimed_l
  FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting';
  SELECT * INTO STRICT known FROM run;
  IF (SELECT coalesce(sum(attempts), 0) FROM sums) - claimed < (room ->> 'creations')::bigint THEN
    PERFORM refuse_claims('an older copy');
  END IF;
  SELECT coalesce(sum(count) FILTER (WHERE status = 'submitting'), 0), coalesce(sum(count) FILTER (WHERE status = 'open'), 0)
  INTO submitting_rows, open_rows FROM sums;
  IF EXISTS (
    SELECT 1 FROM facts WHERE number > (room ->> 'lastFact')::bigint AND number <= facts_before AND NOT is_good
  ) THEN
    PERFORM refuse_claims('a fact came later');
  END IF;
  -- An uncertain creation holds its slot no longer than a task that is known.
  hold_ms := least(
    coalesce(known.longest_task_ms, (room ->> 'uncertainHoldMs')::bigint), (room ->> 'mostHoldMs')::bigint
  );
  SELECT count(*) INTO uncertain_rows FROM items
  WHERE status = 'uncertain' AND decided_at < submitted_at + hold_ms AND submitted_at <= decided_at + hold_ms;
  IF submitting_rows + open_rows + uncertain_rows > (room ->> 'held')::numeric THEN PERFORM refuse_claims('held'); END IF;
  IF submitting_rows + open_rows > (room ->> 'open')::numeric THEN PERFORM refuse_claims('open'); END IF;
  IF submitting_rows > (room ->> 'submitting')::numeric THEN PERFORM refuse_claims('submitting'); END IF;
  IF known.submitted_rows > (room ->> 'submitted')::numeric THEN PERFORM refuse_claims('submitted'); END IF;
  IF max_points IS NULL THEN RETURN; END IF;
  SELECT known.reserving_h - claimed_h + count(*) FILTER (WHERE quality = 'h'),
    known.reserving_m - claimed_m + count(*) FILTER (WHERE coalesce(quality, 'm') = 'm'),
    known.reserving_l - claimed_l + count(*) FILTER (WHERE quality = 'l')
  INTO others_h, others_m, others_l
  FROM attempts
  WHERE points = 0 AND status IN {{priced-late}} AND ended_at >= (room ->> 'pricedLateSince')::bigint;
  -- While a price is not known, nothing goes beside the row that will tell it.
  IF (known.largest_h = 0 AND others_h > 0) OR (known.largest_m = 0 AND others_m > 0)
    OR (known.largest_l = 0 AND others_l > 0)
  THEN
    PERFORM refuse_claims('price');
  END IF;
  total := known.spent
    + round_points(others_h * known.largest_h + others_m * known.largest_m + others_l * known.largest_l);
  IF (known.largest_h = 0 AND claimed_h > 0) OR (known.largest_m = 0 AND claimed_m > 0)
    OR (known.largest_l = 0 AND claimed_l > 0)
  THEN
    IF claimed > 1 OR total >= max_points
      OR round_points(total + greatest(known.largest_h, known.largest_m, known.largest_l)) > max_points
    THEN
      PERFORM refuse_claims('points');
    END IF;
  ELSIF round_points(
    total + claimed_h * known.largest_h + claimed_m * known.largest_m + claimed_l * known.largest_l
  ) > max_points THEN
    PERFORM refuse_claims('points');
  END IF;
END
$$;

CREATE FUNCTION refuse_claims(reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'no room for these claims: %', reason USING ERRCODE = 'BA002';
END
$$;
