-- What a round begins with, and how it is tuned and paused while any number of processes work on it.

-- Saves all these settings if the expected ones are still the same (null: not saved). False where they are not. What was
-- saved by this call before is saved: the answer was lost.
CREATE FUNCTION replace_settings(expected jsonb, next jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  mark text;
BEGIN
  PERFORM next_change();
  SELECT value INTO mark FROM settings WHERE name = 'moved';
  IF FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'BA003', MESSAGE = mark::jsonb ->> 'place';
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM jsonb_each_text(next) n LEFT JOIN settings s ON s.name = n.key WHERE s.value IS DISTINCT FROM n.value
  ) THEN
    RETURN true;
  END IF;
  IF EXISTS (
    SELECT 1 FROM jsonb_each_text(expected) e LEFT JOIN settings s ON s.name = e.key
    WHERE s.value IS DISTINCT FROM e.value
  ) THEN
    RETURN false;
  END IF;
  INSERT INTO settings (name, value) SELECT key, value FROM jsonb_each_text(next)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  RETURN true;
END
$$;

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
