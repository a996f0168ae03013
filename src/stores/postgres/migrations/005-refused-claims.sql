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

-- The inequalities of `decideRoom` and `decideAffordable` in the core, on the counts as they are with the claims. Where only places
-- are missing, the detail says how many claims there are places for, and whether they are taken for a moment only.
CREATE OR REPLACE FUNCTION check_counts(changes item_change[], room jsonb, facts_before bigint) RETURNS void LANGUAGE plpgsql AS $$
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
  -- Claims that could still be added: to the creations on their way, which are soon answered, and to the rest.
  flying numeric;
  places numeric;
  max_points numeric := (room ->> 'points')::numeric;
  decided_at bigint := (room ->> 'at')::bigint;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE quality = 'h'), count(*) FILTER (WHERE coalesce(quality, {{default-quality}}) = 'm'),
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
  flying := (room ->> 'submitting')::numeric - submitting_rows;
  places := least(
    (room ->> 'held')::numeric - submitting_rows - open_rows - uncertain_rows,
    (room ->> 'open')::numeric - submitting_rows - open_rows,
    (room ->> 'submitted')::numeric - known.submitted_rows
  );
  IF least(flying, places) < 0 THEN
    RAISE EXCEPTION 'no room for these claims: places' USING ERRCODE = 'BA002', DETAIL = jsonb_build_object(
      'places', greatest(0, claimed + floor(least(flying, places))), 'isBrief', flying <= coalesce(places, flying)
    )::text;
  END IF;
  IF max_points IS NULL THEN RETURN; END IF;
  SELECT known.reserving_h - claimed_h + count(*) FILTER (WHERE quality = 'h'),
    known.reserving_m - claimed_m + count(*) FILTER (WHERE coalesce(quality, {{default-quality}}) = 'm'),
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
