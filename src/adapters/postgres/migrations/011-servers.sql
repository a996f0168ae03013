-- A server that took the place of another one, such as a promoted standby or a restored backup, may have forgotten
-- creations. Nothing is claimed there until the processes of the run have compared what they know with it.

-- The server whose state they have confirmed; the one that is being compared, and since when (epoch ms).
ALTER TABLE run ADD COLUMN server text, ADD COLUMN seen_server text, ADD COLUMN seen_at bigint NOT NULL DEFAULT 0;
-- The server that this process has compared.
ALTER TABLE workers ADD COLUMN server text;

-- Names the server, the database and its tables: others after each start, promotion, copy or restore.
CREATE FUNCTION this_server() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT extract(epoch FROM pg_postmaster_start_time()) || '/' || d.oid || '/' || 'run'::regclass::oid
  FROM pg_database d WHERE d.datname = current_database()
$$;

UPDATE run SET server = this_server();

-- This process knows of creations that the store does not: everybody compares again.
CREATE FUNCTION doubt_server() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE run SET server = NULL, seen_server = NULL;
  UPDATE workers SET server = NULL;
END
$$;

-- This process has compared: all it knows is here. True once all have: those heard of lately, those that this one has
-- seen before (`crew`), unless they stay away for `patience_ms`, and those that may come back within `settle_ms`.
CREATE FUNCTION confirm_server(
  worker_name text, compared text, crew text[], silence_ms bigint, settle_ms bigint, patience_ms bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known run%ROWTYPE;
BEGIN
  SELECT * INTO STRICT known FROM run FOR UPDATE;
  IF compared <> this_server() THEN RETURN false; END IF;
  IF known.server = compared THEN RETURN true; END IF;
  UPDATE workers SET server = compared, heard_at = now_ms() WHERE name = worker_name;
  IF known.seen_server IS DISTINCT FROM compared THEN
    UPDATE run SET seen_server = compared, seen_at = now_ms();
    RETURN false;
  END IF;
  IF now_ms() < known.seen_at + settle_ms THEN RETURN false; END IF;
  IF EXISTS (
    SELECT 1 FROM workers WHERE scratch IS NOT NULL AND server IS DISTINCT FROM compared AND is_heard(heard_at, silence_ms)
  ) THEN
    RETURN false;
  END IF;
  IF now_ms() < known.seen_at + patience_ms AND EXISTS (
    SELECT 1 FROM unnest(crew) AS c (name)
    WHERE NOT EXISTS (SELECT 1 FROM workers w WHERE w.name = c.name AND w.server = compared)
  ) THEN
    RETURN false;
  END IF;
  UPDATE run SET server = compared;
  RETURN true;
END
$$;

-- True where a process that was heard of then (epoch ms) is not silent.
CREATE FUNCTION is_heard(heard_at bigint, silence_ms bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT heard_at >= now_ms() - silence_ms
$$;

CREATE OR REPLACE FUNCTION check_room(changes item_change[], room jsonb, facts_before bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting') THEN
    RETURN;
  END IF;
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
