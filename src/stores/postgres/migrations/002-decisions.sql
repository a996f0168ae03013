-- DECISIONS

-- What people decided about money.
CREATE TABLE decisions (
  -- They are counted under the lock, in the order in which they were saved.
  number bigint PRIMARY KEY,
  -- Epoch milliseconds.
  at bigint NOT NULL,
  user_name text NOT NULL,
  machine text NOT NULL,
  -- As it was typed, without secrets.
  command text NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Null where it is about the run.
  item bigint,
  -- JSON.
  detail text NOT NULL
);

CREATE INDEX decisions_by_item ON decisions (item);

CREATE TRIGGER decisions_here BEFORE INSERT OR UPDATE ON decisions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Called beside what changes by them, in its transaction. False where this call was made before: its answer was lost.
CREATE FUNCTION save_decisions(call_id text, entries jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  now_change bigint := next_change();
BEGIN
  IF is_repeated(call_id, now_change) THEN RETURN false; END IF;
  INSERT INTO decisions (number, at, user_name, machine, command, kind, item, detail)
    SELECT coalesce((SELECT max(number) FROM decisions), 0) + n,
      (e ->> 'at')::bigint, e ->> 'user_name', e ->> 'machine', e ->> 'command', e ->> 'kind', (e ->> 'item')::bigint,
      e ->> 'detail'
    FROM jsonb_array_elements(entries) WITH ORDINALITY AS list (e, n);
  RETURN true;
END
$$;
