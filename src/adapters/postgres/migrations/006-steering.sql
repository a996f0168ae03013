-- A run is tuned and paused while any number of processes work on it.

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

-- The room for claims is checked as before, once it is known that nobody tuned or paused the run since they were decided.
ALTER FUNCTION check_room(item_change[], jsonb, bigint) RENAME TO check_counts;

CREATE FUNCTION check_room(changes item_change[], room jsonb, facts_before bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- A process of an earlier version knows of no such change.
  IF coalesce((room ->> 'steering')::bigint, 0)
      < (SELECT (value::jsonb ->> 'number')::bigint FROM settings WHERE name = 'steering')
    AND EXISTS (SELECT 1 FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting')
  THEN
    PERFORM refuse_claims('steered otherwise');
  END IF;
  PERFORM check_counts(changes, room, facts_before);
END
$$;
