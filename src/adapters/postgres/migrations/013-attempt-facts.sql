-- The facts of attempts that their item has left, because the video of one of them may stand for the row. Triggers keep
-- them: whatever changes an item, and by whatever path, none is lost, and a row with one attempt costs nothing.

ALTER TABLE attempts
  ADD COLUMN title text COLLATE "C",
  ADD COLUMN created_at text COLLATE "C",
  ADD COLUMN finish_at text COLLATE "C";

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

-- Rows as they were sent, where they have another text since. The statements that give a row its text change `items` first.
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

-- Before: an AFTER trigger runs when the statement ends, and a statement may change the text beside the item.
CREATE TRIGGER items_took_text BEFORE UPDATE OF content ON items
  FOR EACH ROW WHEN (NEW.content IS DISTINCT FROM OLD.content AND OLD.attempt > 0) EXECUTE FUNCTION keep_sent_input();

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
