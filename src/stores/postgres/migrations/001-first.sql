-- The tables of a run, by theme, each with its indexes, triggers and functions.
--
-- Every transaction that changes items or attempts locks the row of `run` first: counters are exact, no two
-- transactions wait for each other, and numbers of changes are in the order of commits.

-- SETTINGS AND SOURCES

-- One value per name: the options of the run, the secret behind callback paths.
CREATE TABLE settings (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

-- A run that moves to another store, or has moved, is not changed: a process that slept meanwhile would pay for rows
-- that go on elsewhere.
CREATE FUNCTION check_here() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  mark text;
BEGIN
  SELECT value INTO mark FROM settings WHERE name = 'moved';
  IF FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'BA003', MESSAGE = mark::jsonb ->> 'place';
  END IF;
END
$$;

CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_here();
  RETURN NULL;
END
$$;

-- Stands for a text that may be longer than a B-tree takes. Servers in FIPS mode have no md5.
CREATE FUNCTION text_key(content text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to(content, 'UTF8'))
$$;

-- How the rows of one input file are to be read, as JSON.
CREATE TABLE sources (
  -- Given by whoever inserts, under the lock.
  key bigint PRIMARY KEY,
  source text COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX sources_by_text ON sources (text_key(source));

-- ITEMS

-- The saved life of each question. Times are epoch milliseconds.
CREATE TABLE items (
  -- Given by whoever inserts, under the lock: the largest so far + 1, and so on.
  key bigint PRIMARY KEY,
  row bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  folder text COLLATE "C" NOT NULL,
  -- Which row of an edited file this is: digest of the row's own id, or of its content.
  identity bytea NOT NULL,
  -- Tells rows of the same identity apart; 1 for rows with an id of their own.
  occurrence bigint NOT NULL,
  -- Digest of what was or will be sent, and of the whole row as it was read.
  content bytea NOT NULL,
  input_digest bytea NOT NULL,
  source bigint NOT NULL,
  -- 1 while the row is not in the input any more.
  gone smallint NOT NULL DEFAULT 0,
  status text COLLATE "C" NOT NULL,
  quality text COLLATE "C",
  attempt bigint NOT NULL DEFAULT 0,
  -- Grows with every change of the item: a change that was decided on an older version is refused.
  version bigint NOT NULL DEFAULT 0,
  token text COLLATE "C",
  request_hash text COLLATE "C",
  not_before bigint NOT NULL DEFAULT 0,
  submitted_at bigint,
  ended_at bigint,
  task_id text COLLATE "C",
  points numeric,
  failure text COLLATE "C",
  title text COLLATE "C",
  created_at text COLLATE "C",
  finish_at text COLLATE "C",
  detail text COLLATE "C",
  misses bigint NOT NULL DEFAULT 0,
  renewals bigint NOT NULL DEFAULT 0,
  -- When a pending row is sent, and whether a rejected one is kept for a second chance: first, last, again, spent.
  turn text NOT NULL DEFAULT 'first',
  -- The round in which it last ended badly: a retry that names a round takes only rows that ended by then.
  ended_round bigint NOT NULL DEFAULT 0,
  -- `run.change` as of the last change of the item.
  change bigint NOT NULL DEFAULT 0,
  -- Of a submitting item: until when its creation can be answered, and the round it was claimed in.
  answer_by bigint,
  round bigint,
  -- True once any attempt had a task; kept by the triggers on attempts.
  has_task boolean NOT NULL DEFAULT false,
  -- Rows that count: those in the input, and gone ones that may have had a task, so that no charged point is left out.
  shown boolean NOT NULL GENERATED ALWAYS AS (
    gone = 0 OR (attempt > 0 AND (status NOT IN {{taskless}} OR has_task))
  ) STORED
);

CREATE INDEX items_by_status ON items (status, row, key);
CREATE INDEX items_by_row ON items (gone, row, key);
CREATE INDEX items_by_identity ON items (identity, occurrence);
-- A B-tree takes no text of more than a third of a page, and ids of rows and tasks may be longer: a hash index holds
-- digests.
CREATE INDEX items_by_id ON items USING hash (id);
CREATE INDEX items_by_folder ON items (lower(folder));
-- What each process takes next: the first pending rows of its slices.
CREATE INDEX items_pending ON items ((key % {{slice-count}}), row) WHERE status = 'pending' AND gone = 0;
-- What a process follows: rows on their way that changed since it last looked.
CREATE INDEX items_unfinished ON items (change, key) WHERE status IN {{followed}};
CREATE INDEX items_refused_alike ON items (row) WHERE turn = 'again';

CREATE TRIGGER items_here BEFORE INSERT OR UPDATE ON items FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- QUESTIONS, ATTEMPTS, ARTIFACTS

-- The rows as they were read, as JSON: column -> value.
CREATE TABLE questions (
  item bigint PRIMARY KEY,
  input text NOT NULL
);

-- Every creation request. The points of a known task are never forgotten, whatever its item does next.
CREATE TABLE attempts (
  item bigint NOT NULL,
  attempt bigint NOT NULL,
  token text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C",
  quality text COLLATE "C",
  submitted_at bigint,
  ended_at bigint,
  status text COLLATE "C" NOT NULL,
  task_id text COLLATE "C",
  points numeric,
  failure text COLLATE "C",
  -- Of attempts that their item has left, because the video of one of them may stand for the row.
  title text COLLATE "C",
  created_at text COLLATE "C",
  finish_at text COLLATE "C",
  PRIMARY KEY (item, attempt)
);

-- Another spelling of a task's id makes no other task: `taskKey` of the core.
CREATE FUNCTION task_key(task text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT lower(ltrim(task, '0') COLLATE "C")
$$;

CREATE INDEX attempts_by_task ON attempts USING hash (task_key(task_id));
CREATE INDEX attempts_by_token ON attempts USING hash (token);
-- Videos at 0 points: their price may come late.
CREATE INDEX attempts_for_nothing ON attempts (ended_at) WHERE points = 0 AND status IN {{priced-late}};
-- Tasks that ended and whose points are unknown.
CREATE INDEX attempts_unpriced ON attempts (item) WHERE task_id IS NOT NULL AND points IS NULL;

CREATE TRIGGER attempts_here BEFORE INSERT OR UPDATE ON attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Keeps `has_task` of items.
CREATE FUNCTION note_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE items SET has_task = true
  WHERE NOT has_task AND key IN (SELECT item FROM new_rows WHERE task_id IS NOT NULL);
  -- A task that was written off is none any more: a row that had only this one, and left the file, has no line.
  IF TG_OP = 'UPDATE' THEN
    UPDATE items SET has_task = false
    WHERE has_task AND key IN (
        SELECT o.item FROM old_rows o JOIN new_rows n ON n.item = o.item AND n.attempt = o.attempt
        WHERE o.task_id IS NOT NULL AND n.task_id IS NULL
      )
      AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.item = items.key AND a.task_id IS NOT NULL);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER attempts_task_inserted AFTER INSERT ON attempts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_tasks();
CREATE TRIGGER attempts_task_updated AFTER UPDATE ON attempts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION note_tasks();

-- The facts of an attempt that its item leaves. A trigger keeps them: whatever changes an item, and by whatever path,
-- none is lost, and a row with one attempt costs nothing.
CREATE FUNCTION keep_attempt_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE attempts SET title = OLD.title, created_at = OLD.created_at, finish_at = OLD.finish_at
  WHERE item = OLD.key AND attempt = OLD.attempt AND token = OLD.token;
  RETURN NULL;
END
$$;

CREATE TRIGGER items_left_attempt AFTER UPDATE OF token ON items
  FOR EACH ROW WHEN (OLD.token IS NOT NULL AND NEW.token IS DISTINCT FROM OLD.token
    AND (OLD.title IS NOT NULL OR OLD.created_at IS NOT NULL OR OLD.finish_at IS NOT NULL))
  EXECUTE FUNCTION keep_attempt_facts();

-- Files that are in the outputs, wanted, or given up.
CREATE TABLE artifacts (
  item bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  ordinal bigint NOT NULL,
  remote_id text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  path text COLLATE "C",
  size_bytes bigint,
  sha256 text COLLATE "C",
  tries bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (item, kind, ordinal)
);

-- EDITS AND PICTURES

-- What a row says in the input now, where it was sent with another text: a new attempt sends this.
CREATE TABLE edits (
  item bigint PRIMARY KEY,
  content bytea NOT NULL,
  input_digest bytea NOT NULL,
  source bigint NOT NULL,
  quality text COLLATE "C",
  -- Why it cannot be sent; null when it can.
  failure text COLLATE "C",
  input text NOT NULL
);

-- Rows as they were sent, where they have another text since.
CREATE TABLE earlier_inputs (
  item bigint NOT NULL,
  -- The last attempt that sent it.
  attempt bigint NOT NULL,
  source bigint NOT NULL,
  input text NOT NULL,
  PRIMARY KEY (item, attempt)
);

CREATE FUNCTION keep_sent_input() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO earlier_inputs (item, attempt, source, input)
  SELECT OLD.key, OLD.attempt, OLD.source, q.input FROM questions q WHERE q.item = OLD.key
  ON CONFLICT DO NOTHING;
  RETURN NEW;
END
$$;

-- The statements that give a row its text change `items` first. Before: an AFTER trigger runs when the statement ends,
-- and a statement may change the text beside the item.
CREATE TRIGGER items_took_text BEFORE UPDATE OF content ON items
  FOR EACH ROW WHEN (NEW.content IS DISTINCT FROM OLD.content AND OLD.attempt > 0) EXECUTE FUNCTION keep_sent_input();

-- Of a row with local pictures: its content by their names alone. `content` has their bytes, once they were read.
CREATE TABLE pictured (
  item bigint PRIMARY KEY,
  written bytea NOT NULL
);

CREATE INDEX pictured_by_written ON pictured (written);

-- Local pictures as they were when they were last read: one of the same size and time is not read again.
CREATE TABLE pictures (
  path text COLLATE "C" NOT NULL,
  size_bytes bigint NOT NULL,
  modified_at double precision NOT NULL,
  digest text COLLATE "C" NOT NULL
);

-- Digests of paths: one may be longer than a B-tree takes.
CREATE UNIQUE INDEX pictures_by_path ON pictures (text_key(path));

-- THE RUN AND ITS COUNTERS

-- The run as a whole, in one row. Room on its page lets it change in place.
CREATE TABLE run (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Tells this run from another one of the same name.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- How many of the migrations were applied.
  schema_version bigint NOT NULL DEFAULT 0,
  -- Grows with everything that is saved.
  change bigint NOT NULL DEFAULT 0,
  -- Grows when known rows get another text or place, or leave the input.
  input_version bigint NOT NULL DEFAULT 0,
  -- Over all attempts, kept by the triggers on them.
  spent numeric NOT NULL DEFAULT 0,
  charged bigint NOT NULL DEFAULT 0,
  videos bigint NOT NULL DEFAULT 0,
  video_points numeric NOT NULL DEFAULT 0,
  reserving_h bigint NOT NULL DEFAULT 0,
  reserving_m bigint NOT NULL DEFAULT 0,
  reserving_l bigint NOT NULL DEFAULT 0,
  unpriced bigint NOT NULL DEFAULT 0,
  largest_h numeric NOT NULL DEFAULT 0,
  largest_m numeric NOT NULL DEFAULT 0,
  largest_l numeric NOT NULL DEFAULT 0,
  longest_task_ms bigint,
  -- Counts from the beginning of a round.
  round bigint NOT NULL DEFAULT 0,
  submitted_rows bigint NOT NULL DEFAULT 0,
  bad_rows bigint NOT NULL DEFAULT 0,
  last_fact bigint NOT NULL DEFAULT 0,
  round_fact bigint NOT NULL DEFAULT 0,
  -- The server whose state the processes have confirmed; the one that is being compared, and since when (epoch ms).
  server text,
  seen_server text,
  seen_at bigint NOT NULL DEFAULT 0,
  -- When it got its first rows (epoch ms). A command that was begun before does not take them for rows that its user knew.
  filled_at bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

-- Epoch milliseconds, by the clock that all machines share.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Locks the run and counts a change, which is saved only if the transaction is.
CREATE FUNCTION next_change() RETURNS bigint LANGUAGE sql AS $$
  UPDATE run SET change = change + 1 RETURNING change
$$;

-- Counters are kept by statement: whatever changes items or attempts, and by whatever path, they are exact.

-- Items by status: how many, how many of them are shown, and sums of their columns.
CREATE TABLE sums (
  status text COLLATE "C" PRIMARY KEY,
  count bigint NOT NULL DEFAULT 0,
  shown bigint NOT NULL DEFAULT 0,
  rows numeric NOT NULL DEFAULT 0,
  gone bigint NOT NULL DEFAULT 0,
  attempts bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

-- Its argument is 1 for rows as they are now, -1 for rows as they were.
CREATE FUNCTION count_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  times bigint := TG_ARGV[0];
BEGIN
  INSERT INTO sums AS s (status, count, shown, rows, gone, attempts)
    SELECT status, times * count(*), times * count(*) FILTER (WHERE shown), times * sum(row), times * sum(gone),
      times * sum(attempt)
    FROM some_rows GROUP BY status ORDER BY status
  ON CONFLICT (status) DO UPDATE SET count = s.count + excluded.count, shown = s.shown + excluded.shown,
    rows = s.rows + excluded.rows, gone = s.gone + excluded.gone, attempts = s.attempts + excluded.attempts;
  RETURN NULL;
END
$$;

CREATE TRIGGER items_inserted AFTER INSERT ON items REFERENCING NEW TABLE AS some_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items('1');
CREATE TRIGGER items_updated AFTER UPDATE ON items REFERENCING NEW TABLE AS some_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items('1');
CREATE TRIGGER items_updated_from AFTER UPDATE ON items REFERENCING OLD TABLE AS some_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items('-1');
CREATE TRIGGER items_deleted AFTER DELETE ON items REFERENCING OLD TABLE AS some_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_items('-1');

-- What some attempts come to. `largest_*` and `longest` are maxima, all others are sums.
CREATE TYPE attempt_totals AS (
  spent numeric, charged bigint, videos bigint, video_points numeric,
  reserving_h bigint, reserving_m bigint, reserving_l bigint, unpriced bigint,
  largest_h numeric, largest_m numeric, largest_l numeric, longest bigint
);

-- With some more attempts that are alike. `is_charged` is null where no points are known.
CREATE FUNCTION add_attempts(
  so_far attempt_totals, status text, quality text, has_task boolean, is_charged boolean, count bigint, points numeric,
  largest numeric, took_ms bigint
) RETURNS attempt_totals LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF is_charged IS NOT NULL THEN
    so_far.spent := so_far.spent + points;
    IF is_charged THEN so_far.charged := so_far.charged + count; END IF;
    IF status = 'completed' THEN
      so_far.videos := so_far.videos + count;
      so_far.video_points := so_far.video_points + points;
    END IF;
    CASE coalesce(quality, {{default-quality}})
      WHEN 'h' THEN so_far.largest_h := greatest(so_far.largest_h, largest);
      WHEN 'm' THEN so_far.largest_m := greatest(so_far.largest_m, largest);
      ELSE so_far.largest_l := greatest(so_far.largest_l, largest);
    END CASE;
  -- `isReserving` of the core: an attempt whose task may still be charged. A superseded attempt may, too.
  ELSIF has_task OR status IN {{reserving}} THEN
    CASE coalesce(quality, {{default-quality}})
      WHEN 'h' THEN so_far.reserving_h := so_far.reserving_h + count;
      WHEN 'm' THEN so_far.reserving_m := so_far.reserving_m + count;
      ELSE so_far.reserving_l := so_far.reserving_l + count;
    END CASE;
    IF status NOT IN {{reserving}} THEN so_far.unpriced := so_far.unpriced + count; END IF;
  END IF;
  IF has_task AND took_ms IS NOT NULL THEN so_far.longest := greatest(so_far.longest, took_ms, 0); END IF;
  RETURN so_far;
END
$$;

-- Its rows are groups of attempts: called for each attempt it makes a statement that changes 100 of them slower by a fifth.
CREATE AGGREGATE totals_of(
  status text, quality text, has_task boolean, is_charged boolean, count bigint, points numeric, largest numeric,
  took_ms bigint
) (SFUNC = add_attempts, STYPE = attempt_totals, INITCOND = '(0,0,0,0,0,0,0,0,0,0,0,)');

-- What all attempts come to.
CREATE FUNCTION all_attempts() RETURNS attempt_totals LANGUAGE sql STABLE AS $$
  SELECT totals_of(status, quality, has_task, is_charged, count, points, largest, took_ms) FROM (
    SELECT status, quality, task_id IS NOT NULL AS has_task, points > 0 AS is_charged, count(*), sum(points) AS points,
      max(points) AS largest, max(ended_at - submitted_at) AS took_ms
    FROM attempts GROUP BY 1, 2, 3, 4
  ) alike
$$;

CREATE FUNCTION count_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  came attempt_totals := '(0,0,0,0,0,0,0,0,0,0,0,)'::attempt_totals;
  went attempt_totals := came;
  known run%ROWTYPE;
BEGIN
  IF TG_OP <> 'DELETE' THEN
    came := (SELECT totals_of(status, quality, has_task, is_charged, count, points, largest, took_ms) FROM (
      SELECT status, quality, task_id IS NOT NULL AS has_task, points > 0 AS is_charged, count(*), sum(points) AS points,
        max(points) AS largest, max(ended_at - submitted_at) AS took_ms
      FROM new_rows GROUP BY 1, 2, 3, 4
    ) alike);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    went := (SELECT totals_of(status, quality, has_task, is_charged, count, points, largest, took_ms) FROM (
      SELECT status, quality, task_id IS NOT NULL AS has_task, points > 0 AS is_charged, count(*), sum(points) AS points,
        max(points) AS largest, max(ended_at - submitted_at) AS took_ms
      FROM old_rows GROUP BY 1, 2, 3, 4
    ) alike);
  END IF;
  UPDATE run SET spent = spent + came.spent - went.spent, charged = charged + came.charged - went.charged,
    videos = videos + came.videos - went.videos, video_points = video_points + came.video_points - went.video_points,
    reserving_h = reserving_h + came.reserving_h - went.reserving_h,
    reserving_m = reserving_m + came.reserving_m - went.reserving_m,
    reserving_l = reserving_l + came.reserving_l - went.reserving_l,
    unpriced = unpriced + came.unpriced - went.unpriced,
    largest_h = greatest(largest_h, came.largest_h), largest_m = greatest(largest_m, came.largest_m),
    largest_l = greatest(largest_l, came.largest_l), longest_task_ms = greatest(longest_task_ms, came.longest)
  RETURNING * INTO known;
  -- The largest may be gone: only then are all attempts looked through. The sums stay: a statement that inserts and
  -- updates comes here twice, and this one would count the rows of the other.
  IF (went.largest_h > 0 AND went.largest_h >= known.largest_h AND went.largest_h <> came.largest_h)
    OR (went.largest_m > 0 AND went.largest_m >= known.largest_m AND went.largest_m <> came.largest_m)
    OR (went.largest_l > 0 AND went.largest_l >= known.largest_l AND went.largest_l <> came.largest_l)
    OR (went.longest >= known.longest_task_ms AND went.longest IS DISTINCT FROM came.longest)
  THEN
    UPDATE run SET (largest_h, largest_m, largest_l, longest_task_ms) = (
      SELECT largest_h, largest_m, largest_l, longest FROM all_attempts()
    );
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER attempts_inserted AFTER INSERT ON attempts REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();
CREATE TRIGGER attempts_updated AFTER UPDATE ON attempts REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();
CREATE TRIGGER attempts_deleted AFTER DELETE ON attempts REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_attempts();

-- Counts everything anew, for bulk writes with the triggers disabled. The caller holds the lock.
CREATE FUNCTION recount() RETURNS void LANGUAGE sql AS $$
  DELETE FROM sums;
  INSERT INTO sums (status, count, shown, rows, gone, attempts)
    SELECT status, count(*), count(*) FILTER (WHERE shown), sum(row), sum(gone), sum(attempt) FROM items GROUP BY status;
  UPDATE run SET (spent, charged, videos, video_points, reserving_h, reserving_m, reserving_l, unpriced, largest_h,
    largest_m, largest_l, longest_task_ms) = (
    SELECT * FROM all_attempts()
  );
$$;

-- COMMITS
-- Each is one call of one function: one round trip, so that a process that is paused never holds the lock.

-- Commits by the names their processes gave them: one whose answer was lost is found again.
CREATE TABLE commits (
  id text COLLATE "C" PRIMARY KEY,
  change bigint NOT NULL
);

CREATE INDEX commits_by_change ON commits (change);

-- True where this commit was saved before; else it is noted as saved. The caller holds the lock.
CREATE FUNCTION is_repeated(commit_id text, change_now bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM commits WHERE id = commit_id) THEN RETURN true; END IF;
  INSERT INTO commits (id, change) VALUES (commit_id, change_now);
  -- A process that was away for longer finds its changes refused instead: their items have moved on.
  IF change_now % 1000 = 0 THEN DELETE FROM commits WHERE change < change_now - 100000; END IF;
  RETURN false;
END
$$;

-- What circuit breakers of all processes learn from.
CREATE TABLE facts (
  number bigint PRIMARY KEY,
  worker text COLLATE "C" NOT NULL,
  is_good boolean NOT NULL,
  fact jsonb NOT NULL
);

-- One change, decided on the item as `old_*` say; the other columns are those of `items`.
CREATE TYPE item_change AS (
  -- The place in the commit; `wave` counts earlier changes of the same item in it.
  place bigint, wave bigint,
  old_status text, old_token text, old_version bigint, old_task_id text,
  -- False where nothing changed that the attempt has, too.
  has_attempt boolean,
  key bigint, status text, quality text, attempt bigint, version bigint, token text, request_hash text,
  not_before bigint, submitted_at bigint, ended_at bigint, task_id text, points numeric, failure text, title text,
  created_at text, finish_at text, detail text, misses bigint, renewals bigint, turn text
);

-- One file of an item; `state` is null where it is not known any more.
CREATE TYPE artifact_change AS (
  wave bigint, item bigint, kind text, ordinal bigint, remote_id text, state text, path text, size_bytes bigint,
  sha256 text, tries bigint
);

CREATE FUNCTION is_bad(status text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT status IN {{bad}}
$$;

-- Writes all changes or none. False where this commit was saved before. SQLSTATE BA001 names stale items (places of
-- the changes, a JSON list, as detail), BA002 says that the claims find no room.
CREATE FUNCTION commit_changes(
  commit_id text, worker_name text, changes jsonb, files jsonb, new_facts jsonb, room jsonb
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known run%ROWTYPE;
  now_change bigint;
  all_changes item_change[];
  all_files artifact_change[];
  waves bigint;
BEGIN
  SELECT * INTO STRICT known FROM run FOR UPDATE;
  now_change := known.change + 1;
  IF is_repeated(commit_id, now_change) THEN RETURN false; END IF;
  SELECT array_agg(c), max(c.wave) INTO all_changes, waves FROM jsonb_populate_recordset(NULL::item_change, changes) c;
  SELECT array_agg(f) INTO all_files FROM jsonb_populate_recordset(NULL::artifact_change, files) f;
  FOR now_wave IN 0..coalesce(waves, -1) LOOP
    PERFORM apply_wave(
      (SELECT array_agg(c ORDER BY c.place) FROM unnest(all_changes) c WHERE c.wave = now_wave),
      (SELECT array_agg(f) FROM unnest(all_files) f WHERE f.wave = now_wave),
      now_change, known.round, (room ->> 'answerBy')::bigint
    );
  END LOOP;
  UPDATE run SET change = now_change, last_fact = last_fact + jsonb_array_length(new_facts),
    (submitted_rows, bad_rows) = (
      SELECT run.submitted_rows + count(*) FILTER (WHERE c.status = 'submitting' AND c.old_status <> 'submitting')
          -- A row that was claimed before this round did not count in it.
          - count(*) FILTER (WHERE c.status = 'pending' AND c.old_status = 'submitting' AND i.round = known.round),
        run.bad_rows + count(*) FILTER (WHERE is_bad(c.status) AND NOT is_bad(c.old_status))
      FROM unnest(all_changes) c JOIN items i ON i.key = c.key
    );
  INSERT INTO facts (number, worker, is_good, fact)
    SELECT known.last_fact + n, worker_name, coalesce(fact #>> '{event,type}' = 'creation-accepted', false), fact
    FROM jsonb_array_elements(new_facts) WITH ORDINALITY AS f (fact, n);
  IF known.last_fact / 1000 <> (known.last_fact + jsonb_array_length(new_facts)) / 1000 THEN
    DELETE FROM facts WHERE number < known.last_fact - 10000;
  END IF;
  IF room IS NOT NULL THEN
    PERFORM check_room(all_changes, room, known.last_fact);
  END IF;
  RETURN true;
END
$$;

-- Writes changes of different items. `answer` is until when claims among them can be answered.
CREATE FUNCTION apply_wave(
  changes item_change[], files artifact_change[], now_change bigint, now_round bigint, answer bigint
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  stale bigint[];
  edited bigint;
BEGIN
  -- As if the changes came one by one: a task stays with the attempt that has it, whatever comes later, but for a later attempt of
  -- the same item; of changes that could all have it, the first does.
  WITH judged AS (
    SELECT c.place, c.has_attempt AND c.task_id IS NOT NULL AS has_task, task_key(c.task_id) AS task, NOT EXISTS (
        SELECT 1 FROM items i WHERE i.key = c.key AND i.status = c.old_status AND i.version = c.old_version
          AND i.token IS NOT DISTINCT FROM c.old_token
          -- A row that left the file after it was chosen is not claimed any more.
          AND (i.gone = 0 OR c.old_status <> 'pending' OR c.status <> 'submitting')
      ) OR (c.has_attempt AND EXISTS (
        SELECT 1 FROM attempts other WHERE task_key(other.task_id) = task_key(c.task_id)
          AND (other.item <> c.key OR other.attempt > c.attempt
            OR (other.attempt < c.attempt AND c.task_id IS NOT DISTINCT FROM c.old_task_id))
      )) AS is_stale
    FROM unnest(changes) c
  ), ordered AS (
    SELECT place, is_stale, has_task, row_number() OVER (PARTITION BY is_stale, has_task, task ORDER BY place) AS turn FROM judged
  )
  SELECT array_agg(place ORDER BY place) INTO stale FROM ordered WHERE is_stale OR (has_task AND turn > 1);
  IF stale IS NOT NULL THEN
    RAISE EXCEPTION 'items have changed since the decision' USING ERRCODE = 'BA001', DETAIL = to_json(stale)::text;
  END IF;
  -- A task that also answered a later attempt belongs to that attempt: its points count once.
  UPDATE attempts a SET task_id = NULL, points = 0 FROM unnest(changes) c
  WHERE c.attempt > 1 AND c.task_id IS DISTINCT FROM c.old_task_id AND a.item = c.key AND a.attempt < c.attempt
    AND task_key(a.task_id) = task_key(c.task_id);
  UPDATE items i SET status = c.status, version = c.version, quality = c.quality, attempt = c.attempt, token = c.token,
    request_hash = c.request_hash, not_before = c.not_before, submitted_at = c.submitted_at, ended_at = c.ended_at,
    task_id = c.task_id, points = c.points, failure = c.failure, title = c.title, created_at = c.created_at,
    finish_at = c.finish_at, detail = c.detail, misses = c.misses, renewals = c.renewals, turn = c.turn,
    change = now_change,
    answer_by = CASE WHEN c.status <> 'submitting' THEN NULL WHEN c.old_status = 'submitting' THEN i.answer_by
      ELSE answer END,
    round = CASE WHEN c.status = 'submitting' AND c.old_status <> 'submitting' THEN now_round ELSE i.round END,
    has_task = i.has_task OR (c.has_attempt AND c.task_id IS NOT NULL)
  FROM unnest(changes) c WHERE i.key = c.key;
  INSERT INTO attempts AS a (
    item, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure
  )
    SELECT key, attempt, token, request_hash, quality, submitted_at, ended_at, status, task_id, points, failure
    FROM unnest(changes) WHERE has_attempt
  ON CONFLICT (item, attempt) DO UPDATE SET request_hash = excluded.request_hash, submitted_at = excluded.submitted_at,
    ended_at = excluded.ended_at, status = excluded.status, task_id = excluded.task_id, points = excluded.points,
    failure = excluded.failure
  WHERE a.token = excluded.token;
  IF files IS NOT NULL THEN
    INSERT INTO artifacts (item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries)
      SELECT item, kind, ordinal, remote_id, state, path, size_bytes, sha256, tries
      FROM unnest(files) WHERE state IS NOT NULL
    ON CONFLICT (item, kind, ordinal) DO UPDATE SET remote_id = excluded.remote_id, state = excluded.state,
      path = excluded.path, size_bytes = excluded.size_bytes, sha256 = excluded.sha256, tries = excluded.tries;
    DELETE FROM artifacts a USING unnest(files) f
    WHERE f.state IS NULL AND a.item = f.item AND a.kind = f.kind AND a.ordinal = f.ordinal;
  END IF;
  -- A pending row has the text of the file, whatever was sent before. One by one: two may come to have the same text.
  FOR edited IN
    SELECT c.key FROM unnest(changes) c JOIN edits e ON e.item = c.key
    WHERE c.status = 'pending' AND c.old_status <> 'pending' ORDER BY c.place
  LOOP
    PERFORM take_edit(edited);
  END LOOP;
END
$$;

-- The attempt so far was for another text: an answer that comes to it late is not this row's any more.
CREATE FUNCTION take_edit(item_key bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE items i SET token = NULL, content = e.content, input_digest = e.input_digest, source = e.source,
    quality = e.quality,
    identity = CASE WHEN i.identity = i.content THEN e.content ELSE i.identity END,
    occurrence = CASE WHEN i.identity <> i.content THEN i.occurrence
      ELSE (SELECT coalesce(max(o.occurrence), 0) + 1 FROM items o WHERE o.identity = e.content) END
  FROM edits e WHERE e.item = i.key AND i.key = item_key;
  UPDATE questions q SET input = e.input FROM edits e WHERE e.item = q.item AND q.item = item_key;
  DELETE FROM edits WHERE item = item_key;
END
$$;

-- Claims are made under the terms of the round, by a process that knows what others decided, on a store that forgot nothing.
CREATE FUNCTION check_room(changes item_change[], room jsonb, facts_before bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM unnest(changes) WHERE status = 'submitting' AND old_status <> 'submitting') THEN
    RETURN;
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

CREATE FUNCTION round_points(points numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT floor(points * 1000000 + 0.5) / 1000000
$$;

-- The inequalities of `decideRoom` and `decideAffordable` in the core, on the counts as they are with the claims.
CREATE FUNCTION check_counts(changes item_change[], room jsonb, facts_before bigint) RETURNS void LANGUAGE plpgsql AS $$
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
  IF submitting_rows + open_rows + uncertain_rows > (room ->> 'held')::numeric THEN PERFORM refuse_claims('held'); END IF;
  IF submitting_rows + open_rows > (room ->> 'open')::numeric THEN PERFORM refuse_claims('open'); END IF;
  IF submitting_rows > (room ->> 'submitting')::numeric THEN PERFORM refuse_claims('submitting'); END IF;
  IF known.submitted_rows > (room ->> 'submitted')::numeric THEN PERFORM refuse_claims('submitted'); END IF;
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

CREATE FUNCTION refuse_claims(reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'no room for these claims: %', reason USING ERRCODE = 'BA002';
END
$$;

-- OTHER WRITES
-- What is saved besides commits. Each of these is one call, too.

CREATE FUNCTION save_setting(setting text, content text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  INSERT INTO settings (name, value) VALUES (setting, content) ON CONFLICT (name) DO UPDATE SET value = excluded.value;
END
$$;

-- A superseded attempt gets this task. False where it has another one than `before` by now, or the task belongs to another.
CREATE FUNCTION give_task(attempt_token text, task text, before text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM run FOR UPDATE;
  IF EXISTS (SELECT 1 FROM attempts WHERE task_key(task_id) = task_key(task)) THEN RETURN false; END IF;
  UPDATE attempts SET task_id = task, status = 'open', points = NULL, failure = NULL, ended_at = NULL,
    title = NULL, created_at = NULL, finish_at = NULL
  WHERE token = attempt_token AND task_id IS NOT DISTINCT FROM before
    AND NOT EXISTS (SELECT 1 FROM items WHERE items.key = attempts.item AND items.token = attempt_token);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM next_change();
  RETURN true;
END
$$;

-- How the task of a superseded attempt ended.
CREATE FUNCTION save_points(attempt_token text, task text, end_status text, end_points numeric, end_at bigint)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM run FOR UPDATE;
  UPDATE attempts a SET status = end_status, points = coalesce(end_points, a.points), ended_at = coalesce(a.ended_at, end_at)
  WHERE task_key(a.task_id) = task_key(task) AND a.token = attempt_token
    AND (SELECT i.token FROM items i WHERE i.key = a.item) IS DISTINCT FROM a.token;
  IF FOUND THEN PERFORM next_change(); END IF;
END
$$;

-- Rows that left the input are in it again.
CREATE FUNCTION take_back(keys bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_change bigint;
BEGIN
  SELECT change + 1 INTO STRICT now_change FROM run FOR UPDATE;
  UPDATE items SET gone = 0, change = now_change WHERE gone = 1 AND key = ANY (keys);
  IF FOUND THEN UPDATE run SET change = now_change, input_version = input_version + 1; END IF;
END
$$;

-- WORKERS

-- The processes of the run. Times are epoch milliseconds by the clock of the database.
CREATE TABLE workers (
  name text COLLATE "C" PRIMARY KEY,
  host text NOT NULL,
  pid bigint NOT NULL,
  started_at bigint NOT NULL,
  heard_at bigint NOT NULL,
  slices jsonb NOT NULL,
  rows jsonb NOT NULL,
  version text NOT NULL,
  scratch text,
  -- The server that this process has compared.
  server text
);

-- True where a process that was heard of then (epoch ms) is not silent.
CREATE FUNCTION is_heard(heard_at bigint, silence_ms bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT heard_at >= now_ms() - silence_ms
$$;

-- TERMS
-- What a round begins with, and how it is tuned and paused while any number of processes work on it.

-- Saves all these settings if the expected ones are still the same (null: not saved). False where they are not. What was
-- saved by this call before is saved: the answer was lost.
CREATE FUNCTION replace_settings(expected jsonb, next jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  PERFORM check_here();
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

-- The round and the number of the steering, at one moment.
CREATE FUNCTION terms_mark() RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('round', round, 'steering',
    coalesce((SELECT (value::jsonb ->> 'number')::bigint FROM settings WHERE name = 'steering'), 0))
  FROM run
$$;

-- `given`: options to save with the run over those saved before. `terms`: the value of the setting `round`; null keeps the last.
CREATE FUNCTION begin_round(commit_id text, given jsonb, terms text) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  now_change bigint := next_change();
BEGIN
  PERFORM check_here();
  -- A second beginning would forget what was submitted since the first.
  IF is_repeated(commit_id, now_change) THEN RETURN terms_mark(); END IF;
  INSERT INTO settings AS s (name, value) VALUES ('options', given::text)
  ON CONFLICT (name) DO UPDATE SET value = (s.value::jsonb || given)::text;
  INSERT INTO settings (name, value) SELECT 'round', terms WHERE terms IS NOT NULL
  ON CONFLICT (name) DO UPDATE SET value = excluded.value;
  UPDATE run SET round = round + 1, submitted_rows = 0, bad_rows = 0, round_fact = last_fact;
  RETURN terms_mark();
END
$$;

-- REVIEWS
-- What people decided about the rows. It changes no item.

-- The attempt whose video stands for the row; a row without an entry has its latest one.
CREATE TABLE preferences (
  item bigint PRIMARY KEY,
  attempt bigint NOT NULL
);

CREATE TRIGGER preferences_here BEFORE INSERT OR UPDATE ON preferences
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Texts that are sent instead of those of the file (null: unchanged), while the file has the texts that were corrected.
CREATE TABLE corrections (
  item bigint PRIMARY KEY,
  question text,
  answer text,
  of_question text NOT NULL,
  of_answer text NOT NULL,
  -- The first attempt that sends it.
  since bigint NOT NULL
);

CREATE TRIGGER corrections_here BEFORE INSERT OR UPDATE ON corrections
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Corrections that were sent, where the row has another one since, or none.
CREATE TABLE earlier_corrections (
  item bigint NOT NULL,
  -- The last attempt that sent it.
  attempt bigint NOT NULL,
  question text,
  answer text,
  of_question text NOT NULL,
  of_answer text NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (item, attempt)
);

CREATE FUNCTION keep_sent_correction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO earlier_corrections (item, attempt, question, answer, of_question, of_answer, since)
  SELECT OLD.item, i.attempt, OLD.question, OLD.answer, OLD.of_question, OLD.of_answer, OLD.since
  FROM items i WHERE i.key = OLD.item AND i.attempt >= OLD.since
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER corrections_left AFTER UPDATE OR DELETE ON corrections
  FOR EACH ROW EXECUTE FUNCTION keep_sent_correction();

-- The latest mark of each reviewer.
CREATE TABLE marks (
  item bigint NOT NULL,
  reviewer text COLLATE "C" NOT NULL,
  mark text COLLATE "C" NOT NULL,
  note text NOT NULL,
  attempt bigint NOT NULL,
  question text,
  answer text,
  -- Epoch milliseconds.
  at bigint NOT NULL
);

-- Digests of names: one may be longer than a B-tree takes.
CREATE UNIQUE INDEX marks_by_reviewer ON marks (item, text_key(reviewer));

CREATE TRIGGER marks_here BEFORE INSERT OR UPDATE ON marks FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Locks the run, as all that is saved does, and tells those who follow it.
CREATE FUNCTION note_review() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  INSERT INTO settings (name, value) VALUES ('review-version', '1')
  ON CONFLICT (name) DO UPDATE SET value = (settings.value::bigint + 1)::text;
END
$$;

-- Each of these replaces what is known of the rows it names; an entry that says nothing removes it.
CREATE FUNCTION save_preferences(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_review();
  INSERT INTO preferences SELECT item, attempt FROM jsonb_populate_recordset(NULL::preferences, entries)
    WHERE attempt IS NOT NULL
  ON CONFLICT (item) DO UPDATE SET attempt = excluded.attempt;
  DELETE FROM preferences p USING jsonb_populate_recordset(NULL::preferences, entries) e
  WHERE e.item = p.item AND e.attempt IS NULL;
END
$$;

CREATE FUNCTION save_corrections(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_review();
  INSERT INTO corrections SELECT * FROM jsonb_populate_recordset(NULL::corrections, entries) WHERE since IS NOT NULL
  ON CONFLICT (item) DO UPDATE SET question = excluded.question, answer = excluded.answer,
    of_question = excluded.of_question, of_answer = excluded.of_answer, since = excluded.since;
  DELETE FROM corrections c USING jsonb_populate_recordset(NULL::corrections, entries) e
  WHERE e.item = c.item AND e.since IS NULL;
END
$$;

CREATE FUNCTION save_marks(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_review();
  INSERT INTO marks SELECT * FROM jsonb_populate_recordset(NULL::marks, entries) WHERE mark IS NOT NULL
  ON CONFLICT (item, text_key(reviewer)) DO UPDATE SET mark = excluded.mark, note = excluded.note, attempt = excluded.attempt,
    question = excluded.question, answer = excluded.answer, at = excluded.at;
  DELETE FROM marks m USING jsonb_populate_recordset(NULL::marks, entries) e
  WHERE e.item = m.item AND e.reviewer = m.reviewer AND e.mark IS NULL;
END
$$;

-- INSPECTIONS

-- What was seen of each video, by the digest of its bytes, as JSON; and what that gave a reason to look at.
CREATE TABLE inspections (
  sha256 text PRIMARY KEY,
  facts text NOT NULL,
  findings text NOT NULL DEFAULT '[]'
);

CREATE TRIGGER inspections_here BEFORE INSERT OR UPDATE ON inspections
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Saves what was seen of some videos: [{sha256, facts}]. What others found about them stays until they are compared again.
CREATE FUNCTION save_inspections(list jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  INSERT INTO inspections (sha256, facts) SELECT s ->> 'sha256', s ->> 'facts' FROM jsonb_array_elements(list) s
  ON CONFLICT (sha256) DO UPDATE SET facts = excluded.facts;
END
$$;

-- Saves what is found about some videos: [{sha256, findings}]. Pages that show the rows read them anew.
CREATE FUNCTION save_findings(list jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  UPDATE inspections i SET findings = f ->> 'findings' FROM jsonb_array_elements(list) f
  WHERE i.sha256 = f ->> 'sha256' AND i.findings <> f ->> 'findings';
  IF FOUND THEN UPDATE run SET input_version = input_version + 1; END IF;
END
$$;

-- HOOKS

-- Calls of the command of `--on-row`: owed, failed or done. Those of attempts that were superseded are never made.
CREATE TABLE hook_calls (
  item bigint NOT NULL,
  attempt bigint NOT NULL,
  state text COLLATE "C" NOT NULL,
  tries bigint NOT NULL DEFAULT 0,
  ended_at bigint,
  failure text COLLATE "C",
  PRIMARY KEY (item, attempt)
);

CREATE INDEX hook_calls_left ON hook_calls (state, item) WHERE state <> 'done';

CREATE FUNCTION owe_hook_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM settings WHERE name = 'hooks') THEN
    INSERT INTO hook_calls (item, attempt, state) VALUES (NEW.key, NEW.attempt, 'owed') ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;

-- A row is owed its call by the transaction that completes it: no crash comes between the two.
CREATE TRIGGER items_completed AFTER UPDATE OF status ON items
  FOR EACH ROW WHEN (NEW.status = 'completed' AND OLD.status <> 'completed') EXECUTE FUNCTION owe_hook_call();

-- ORDERS

-- What a retry ordered and nobody sent yet, by the round of the retry: rows that wait for their first attempt are not in it.
CREATE TABLE orders (
  item bigint PRIMARY KEY,
  round bigint NOT NULL
);

CREATE INDEX orders_by_round ON orders (round, item);

CREATE FUNCTION carry_out_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM orders WHERE item = NEW.key;
  RETURN NULL;
END
$$;

-- An order is carried out once its attempt has come to something: a row that is put back before that still waits for it.
CREATE TRIGGER items_sent AFTER UPDATE OF status ON items
  FOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status NOT IN {{unsettled}})
  EXECUTE FUNCTION carry_out_order();

CREATE FUNCTION note_ended_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ended_round := coalesce((SELECT value::bigint FROM settings WHERE name = 'rounds'), 0);
  RETURN NEW;
END
$$;

-- A retry that names a round takes only rows that ended badly by then.
CREATE TRIGGER items_ended BEFORE UPDATE OF status ON items
  FOR EACH ROW WHEN (NEW.status <> OLD.status AND NEW.status IN {{retried}})
  EXECUTE FUNCTION note_ended_round();

-- Called beside the commit that makes these rows wait, in its transaction. One that waits no more was sent: the call is repeated.
CREATE FUNCTION order_rows(round_now bigint, keys bigint[]) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  INSERT INTO orders (item, round) SELECT key, round_now FROM items WHERE key = ANY (keys) AND status = 'pending'
  ON CONFLICT (item) DO UPDATE SET round = excluded.round;
  RETURN true;
END
$$;

-- SERVERS
-- A server that took the place of another one, such as a promoted standby or a restored backup, may have forgotten
-- creations. Nothing is claimed there until the processes of the run have compared what they know with it.

-- Names the server, the database and its tables: others after each start, promotion, copy or restore.
CREATE FUNCTION this_server() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT extract(epoch FROM pg_postmaster_start_time()) || '/' || d.oid || '/' || 'run'::regclass::oid
  FROM pg_database d WHERE d.datname = current_database()
$$;

-- The server on which the run is made has forgotten nothing.
INSERT INTO run (server) VALUES (this_server());

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

-- MOVES

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
