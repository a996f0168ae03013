-- A server that took the place of another one, such as a promoted standby or a restored backup, may have forgotten
-- creations. Nothing is claimed there until the processes of the run have compared what they know with it.

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
