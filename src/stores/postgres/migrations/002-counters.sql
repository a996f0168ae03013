-- Counters are kept by statement: whatever changes items or attempts, and by whatever path, they are exact.

CREATE FUNCTION count_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO sums AS s (status, count, shown, rows, gone, attempts)
      SELECT status, count(*), count(*) FILTER (WHERE shown), sum(row), sum(gone), sum(attempt)
      FROM new_rows GROUP BY status ORDER BY status
    ON CONFLICT (status) DO UPDATE SET count = s.count + excluded.count, shown = s.shown + excluded.shown,
      rows = s.rows + excluded.rows, gone = s.gone + excluded.gone, attempts = s.attempts + excluded.attempts;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE sums s SET count = s.count - o.count, shown = s.shown - o.shown, rows = s.rows - o.rows,
      gone = s.gone - o.gone, attempts = s.attempts - o.attempts
    FROM (
      SELECT status, count(*) AS count, count(*) FILTER (WHERE shown) AS shown, sum(row) AS rows, sum(gone) AS gone,
        sum(attempt) AS attempts
      FROM old_rows GROUP BY status
    ) o WHERE o.status = s.status;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER items_inserted AFTER INSERT ON items REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items();
CREATE TRIGGER items_updated AFTER UPDATE ON items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items();
CREATE TRIGGER items_deleted AFTER DELETE ON items REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items();

-- `isReserving` of the core: an attempt whose task may still be charged. A superseded attempt may, too.
CREATE FUNCTION is_reserving(status text, task_id text, points numeric) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT points IS NULL AND (status IN {{reserving}} OR task_id IS NOT NULL)
$$;

-- What some attempts come to. `largest_*` and `longest` are maxima, all others are sums.
CREATE TYPE attempt_totals AS (
  spent numeric, charged bigint, videos bigint, video_points numeric,
  reserving_h bigint, reserving_m bigint, reserving_l bigint, unpriced bigint,
  largest_h numeric, largest_m numeric, largest_l numeric, longest bigint
);

CREATE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  came attempt_totals;
  left_ attempt_totals;
  known run%ROWTYPE;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    SELECT coalesce(sum(points), 0), count(*) FILTER (WHERE points > 0),
      count(points) FILTER (WHERE status = 'completed'), coalesce(sum(points) FILTER (WHERE status = 'completed'), 0),
      count(*) FILTER (WHERE quality = 'h' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE coalesce(quality, 'm') = 'm' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE quality = 'l' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE points IS NULL AND task_id IS NOT NULL
        AND status NOT IN {{reserving}}),
      max(points) FILTER (WHERE quality = 'h'), max(points) FILTER (WHERE coalesce(quality, 'm') = 'm'),
      max(points) FILTER (WHERE quality = 'l'), max(ended_at - submitted_at) FILTER (WHERE task_id IS NOT NULL)
    INTO came FROM new_rows;
    UPDATE items SET has_task = true
    WHERE NOT has_task AND key IN (SELECT item FROM new_rows WHERE task_id IS NOT NULL);
  ELSE
    came := (0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    SELECT coalesce(sum(points), 0), count(*) FILTER (WHERE points > 0),
      count(points) FILTER (WHERE status = 'completed'), coalesce(sum(points) FILTER (WHERE status = 'completed'), 0),
      count(*) FILTER (WHERE quality = 'h' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE coalesce(quality, 'm') = 'm' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE quality = 'l' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE points IS NULL AND task_id IS NOT NULL
        AND status NOT IN {{reserving}}),
      max(points) FILTER (WHERE quality = 'h'), max(points) FILTER (WHERE coalesce(quality, 'm') = 'm'),
      max(points) FILTER (WHERE quality = 'l'), max(ended_at - submitted_at) FILTER (WHERE task_id IS NOT NULL)
    INTO left_ FROM old_rows;
  ELSE
    left_ := (0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL);
  END IF;
  UPDATE run SET spent = spent + came.spent - left_.spent, charged = charged + came.charged - left_.charged,
    videos = videos + came.videos - left_.videos, video_points = video_points + came.video_points - left_.video_points,
    reserving_h = reserving_h + came.reserving_h - left_.reserving_h,
    reserving_m = reserving_m + came.reserving_m - left_.reserving_m,
    reserving_l = reserving_l + came.reserving_l - left_.reserving_l,
    unpriced = unpriced + came.unpriced - left_.unpriced,
    largest_h = greatest(largest_h, came.largest_h), largest_m = greatest(largest_m, came.largest_m),
    largest_l = greatest(largest_l, came.largest_l),
    longest_task_ms = greatest(longest_task_ms, CASE WHEN came.longest < 0 THEN 0 ELSE came.longest END)
  RETURNING * INTO known;
  -- The largest may be gone: only then are all attempts looked through.
  IF (left_.largest_h > 0 AND left_.largest_h >= known.largest_h AND left_.largest_h IS DISTINCT FROM came.largest_h)
    OR (left_.largest_m > 0 AND left_.largest_m >= known.largest_m AND left_.largest_m IS DISTINCT FROM came.largest_m)
    OR (left_.largest_l > 0 AND left_.largest_l >= known.largest_l AND left_.largest_l IS DISTINCT FROM came.largest_l)
    OR (greatest(left_.longest, 0) >= known.longest_task_ms AND left_.longest IS DISTINCT FROM came.longest)
  THEN
    PERFORM recount_largest();
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION recount_largest() RETURNS void LANGUAGE sql AS $$
  UPDATE run SET (largest_h, largest_m, largest_l, longest_task_ms) = (
    SELECT coalesce(max(points) FILTER (WHERE quality = 'h'), 0),
      coalesce(max(points) FILTER (WHERE coalesce(quality, 'm') = 'm'), 0),
      coalesce(max(points) FILTER (WHERE quality = 'l'), 0),
      greatest(max(ended_at - submitted_at) FILTER (WHERE task_id IS NOT NULL),
        CASE WHEN count(ended_at - submitted_at) FILTER (WHERE task_id IS NOT NULL) > 0 THEN 0 END)
    FROM attempts
  )
$$;

CREATE TRIGGER attempts_inserted AFTER INSERT ON attempts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();
CREATE TRIGGER attempts_updated AFTER UPDATE ON attempts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();
CREATE TRIGGER attempts_deleted AFTER DELETE ON attempts REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();

-- Counts everything anew, for bulk writes with the triggers disabled. The caller holds the lock.
CREATE FUNCTION recount() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sums;
  INSERT INTO sums (status, count, shown, rows, gone, attempts)
    SELECT status, count(*), count(*) FILTER (WHERE shown), sum(row), sum(gone), sum(attempt) FROM items GROUP BY status;
  UPDATE run SET (spent, charged, videos, video_points, reserving_h, reserving_m, reserving_l, unpriced) = (
    SELECT coalesce(sum(points), 0), count(*) FILTER (WHERE points > 0),
      count(points) FILTER (WHERE status = 'completed'), coalesce(sum(points) FILTER (WHERE status = 'completed'), 0),
      count(*) FILTER (WHERE quality = 'h' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE coalesce(quality, 'm') = 'm' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE quality = 'l' AND is_reserving(status, task_id, points)),
      count(*) FILTER (WHERE points IS NULL AND task_id IS NOT NULL
        AND status NOT IN {{reserving}})
    FROM attempts
  );
  PERFORM recount_largest();
END
$$;

-- A task that was written off is none any more: a row that had only this one, and left the file, has no line.
CREATE FUNCTION forget_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE items SET has_task = false
  WHERE has_task AND key IN (
      SELECT o.item FROM old_rows o JOIN new_rows n ON n.item = o.item AND n.attempt = o.attempt
      WHERE o.task_id IS NOT NULL AND n.task_id IS NULL
    )
    AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.item = items.key AND a.task_id IS NOT NULL);
  RETURN NULL;
END
$$;

CREATE TRIGGER attempts_written_off AFTER UPDATE ON attempts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_tasks();
