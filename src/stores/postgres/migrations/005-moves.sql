-- A run that moves to another store, or has moved, is not changed: a process that slept meanwhile would pay for rows
-- that go on elsewhere.
CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  mark text;
BEGIN
  SELECT value INTO mark FROM settings WHERE name = 'moved';
  IF FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'BA003', MESSAGE = mark::jsonb ->> 'place';
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER items_here BEFORE INSERT OR UPDATE ON items FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER attempts_here BEFORE INSERT OR UPDATE ON attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Replaces the mark by which a run is elsewhere. Null, or why not: `changed`, `workers`, `submitting`.
CREATE FUNCTION set_mark(worker_name text, expected text, next text, silence_ms bigint) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  mark text;
BEGIN
  PERFORM next_change();
  SELECT value INTO mark FROM settings WHERE name = 'moved';
  IF mark IS NOT DISTINCT FROM next THEN RETURN NULL; END IF;
  IF mark IS DISTINCT FROM expected THEN RETURN 'changed'; END IF;
  IF next::jsonb ->> 'state' = 'leaving' AND expected IS NULL THEN
    IF EXISTS (SELECT 1 FROM workers WHERE name <> worker_name AND heard_at > now_ms() - silence_ms) THEN
      RETURN 'workers';
    END IF;
    IF EXISTS (SELECT 1 FROM items WHERE status = 'submitting') THEN RETURN 'submitting'; END IF;
  END IF;
  DELETE FROM settings WHERE name = 'moved';
  IF next IS NOT NULL THEN INSERT INTO settings (name, value) VALUES ('moved', next); END IF;
  RETURN NULL;
END
$$;
