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
