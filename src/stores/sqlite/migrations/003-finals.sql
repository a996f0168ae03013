-- Rows whose draft a reviewer called good, and that are made once more in this quality.
CREATE TABLE finals (
  item INTEGER PRIMARY KEY REFERENCES items (key),
  quality TEXT NOT NULL,
  -- The attempt that was called good. Its video stands for the row until a final is there that nobody calls bad.
  draft INTEGER NOT NULL,
  -- The first attempt of this quality.
  since INTEGER NOT NULL
) STRICT;

-- It was ordered for a text that was seen: another one is sent as the file says.
CREATE TRIGGER items_left_final AFTER UPDATE OF content ON items
WHEN NEW.content <> OLD.content
BEGIN
  DELETE FROM finals WHERE item = NEW.key;
END;
