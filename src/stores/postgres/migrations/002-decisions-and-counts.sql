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

-- COUNTS

-- Videos whose price is asked about, whenever a process gets slices: without it all completed rows are read, half a million in
-- 0.8 s.
CREATE INDEX items_without_points ON items (row, key) WHERE status = 'completed' AND coalesce(points, 0) = 0;

-- How many items of those in the input name each quality: counting the rows that wait would take seconds where millions do.
ALTER TABLE sums ADD COLUMN h bigint NOT NULL DEFAULT 0, ADD COLUMN m bigint NOT NULL DEFAULT 0,
  ADD COLUMN l bigint NOT NULL DEFAULT 0;

-- Its argument is 1 for rows as they are now, -1 for rows as they were.
CREATE OR REPLACE FUNCTION count_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  times bigint := TG_ARGV[0];
BEGIN
  INSERT INTO sums AS s (status, count, shown, rows, gone, attempts, h, m, l)
    SELECT status, times * count(*), times * count(*) FILTER (WHERE shown), times * sum(row), times * sum(gone),
      times * sum(attempt), times * count(*) FILTER (WHERE gone = 0 AND quality = 'h'),
      times * count(*) FILTER (WHERE gone = 0 AND quality = 'm'), times * count(*) FILTER (WHERE gone = 0 AND quality = 'l')
    FROM some_rows GROUP BY status ORDER BY status
  ON CONFLICT (status) DO UPDATE SET count = s.count + excluded.count, shown = s.shown + excluded.shown,
    rows = s.rows + excluded.rows, gone = s.gone + excluded.gone, attempts = s.attempts + excluded.attempts,
    h = s.h + excluded.h, m = s.m + excluded.m, l = s.l + excluded.l;
  RETURN NULL;
END
$$;

-- Counts everything anew, for bulk writes with the triggers disabled. The caller holds the lock.
CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE sql AS $$
  DELETE FROM sums;
  INSERT INTO sums (status, count, shown, rows, gone, attempts, h, m, l)
    SELECT status, count(*), count(*) FILTER (WHERE shown), sum(row), sum(gone), sum(attempt),
      count(*) FILTER (WHERE gone = 0 AND quality = 'h'), count(*) FILTER (WHERE gone = 0 AND quality = 'm'),
      count(*) FILTER (WHERE gone = 0 AND quality = 'l')
    FROM items GROUP BY status;
  UPDATE run SET (spent, charged, videos, video_points, reserving_h, reserving_m, reserving_l, unpriced, largest_h,
    largest_m, largest_l, longest_task_ms) = (
    SELECT * FROM all_attempts()
  );
$$;

UPDATE sums AS s SET (h, m, l) = (
  SELECT count(*) FILTER (WHERE quality = 'h'), count(*) FILTER (WHERE quality = 'm'), count(*) FILTER (WHERE quality = 'l')
  FROM items WHERE items.status = s.status AND gone = 0
);
