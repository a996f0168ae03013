-- What people decided about the rows. It changes no item.

-- The attempt whose video stands for the row; a row without an entry has its latest one.
CREATE TABLE preferences (
  item bigint PRIMARY KEY,
  attempt bigint NOT NULL
);

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

CREATE TRIGGER preferences_here BEFORE INSERT OR UPDATE ON preferences
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
CREATE TRIGGER corrections_here BEFORE INSERT OR UPDATE ON corrections
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();
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
