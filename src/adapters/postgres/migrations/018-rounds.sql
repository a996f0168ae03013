-- A round, its terms and the options that it brings are one record, and a claim names the round whose terms it obeys.

DROP FUNCTION begin_round(text);

-- The round and the number of the steering, at one moment.
CREATE FUNCTION terms_mark() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('round', round, 'steering',
    coalesce((SELECT (value::jsonb ->> 'number')::bigint FROM settings WHERE name = 'steering'), 0))
  FROM run
$$;

-- `given`: options to save with the run over those saved before. `terms`: the value of the setting `round`; null keeps the last.
CREATE FUNCTION begin_round(commit_id text, given jsonb, terms text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  now_change bigint := next_change();
  mark text;
BEGIN
  SELECT value INTO mark FROM settings WHERE name = 'moved';
  IF FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'BA003', MESSAGE = mark::jsonb ->> 'place';
  END IF;
  -- A second beginning would forget what was submitted since the first.
  IF is_repeated(commit_id, now_change) THEN RETURN terms_mark(); END IF;
  INSERT INTO settings AS s (name, value) VALUES ('options', given::text)
  ON CONFLICT (name) DO UPDATE SET value = (s.value::jsonb || given)::text;
  INSERT INTO settings (name, value) SELECT 'round', terms WHERE terms IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  UPDATE run SET round = round + 1, submitted_rows = 0, bad_rows = 0, round_fact = last_fact;
  RETURN terms_mark();
END
$$;

CREATE OR REPLACE FUNCTION check_room(changes item_change[], room jsonb, facts_before bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting') THEN
    RETURN;
  END IF;
  IF (room ->> 'round')::bigint <> (SELECT round FROM run) THEN PERFORM refuse_claims('another round'); END IF;
  -- A process of an earlier version knows of no such change.
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
