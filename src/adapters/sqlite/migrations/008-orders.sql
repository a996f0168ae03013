-- What a retry ordered and nobody sent yet, by the round of the retry: rows that wait for their first attempt are not in it.
CREATE TABLE orders (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  round INTEGER NOT NULL
) STRICT;

CREATE INDEX orders_by_round ON orders (round, item);

-- An order is carried out once its attempt has come to something: a row that is put back before that still waits for it.
CREATE TRIGGER items_sent AFTER UPDATE OF status ON items
WHEN NEW.status <> OLD.status AND NEW.status NOT IN ('pending', 'submitting', 'uncertain')
BEGIN
  DELETE FROM orders WHERE item = NEW.key;
END;

-- The round in which a row last ended badly: a retry that names a round takes only rows that ended by then.
ALTER TABLE items ADD COLUMN ended_round INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER items_ended AFTER UPDATE OF status ON items
WHEN NEW.status <> OLD.status AND NEW.status IN ('failed', 'rejected', 'lost')
BEGIN
  UPDATE items SET ended_round = coalesce((SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'rounds'), 0)
  WHERE key = NEW.key;
END;
