-- Claims are made under the terms of the round, by a process that knows what others decided, on a store that forgot
-- nothing and whose rules it knows.
CREATE OR REPLACE FUNCTION check_room(changes item_change[], room jsonb, facts_before bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting') THEN
    RETURN;
  END IF;
  -- An earlier version would send a row by rules that the run has outgrown: the draft of a row whose final is ordered.
  IF (room ->> 'schema')::bigint IS DISTINCT FROM (SELECT schema_version FROM run) THEN
    PERFORM refuse_claims('another version');
  END IF;
  -- Somebody may have switched them off since this process looked, for the sessions that begin from then on.
  IF 'off' IN (current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit')) THEN
    PERFORM refuse_claims('not durable');
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
