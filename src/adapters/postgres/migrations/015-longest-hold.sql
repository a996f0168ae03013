-- An uncertain creation holds its slot no longer than a task that is known.
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
  max_points numeric := (room ->> 'points')::numeric;
  decided_at bigint := (room ->> 'at')::bigint;
BEGIN
  SELECT count(*), count(*) FILTER (WHERE quality = 'h'), count(*) FILTER (WHERE coalesce(quality, 'm') = 'm'),
    count(*) FILTER (WHERE quality = 'l')
  INTO claimed, claimed_h, claimed_m, claimed_l
  FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting';
  IF claimed = 0 THEN RETURN; END IF;
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
  -- A process of an earlier version names no most.
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
  WHERE points = 0 AND status IN ('downloading', 'completed') AND ended_at >= (room ->> 'pricedLateSince')::bigint;
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
