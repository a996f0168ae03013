-- The facts of attempts that their item has left, because the video of one of them may stand for the row. Triggers keep
-- them: whatever changes an item, and by whatever path, none is lost, and a row with one attempt costs nothing.

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
