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
