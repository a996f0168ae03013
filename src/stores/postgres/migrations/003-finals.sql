-- FINALS

-- Rows whose draft a reviewer called good, and that are made once more in this quality.
CREATE TABLE finals (
  item bigint PRIMARY KEY,
  quality text COLLATE "C" NOT NULL,
  -- The attempt that was called good. Its video stands for the row until a final is there that nobody calls bad.
  draft bigint NOT NULL,
  -- The first attempt of this quality.
  since bigint NOT NULL
);

CREATE TRIGGER finals_here BEFORE INSERT OR UPDATE ON finals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

CREATE FUNCTION leave_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM finals WHERE item = NEW.key;
  RETURN NULL;
END
$$;

-- It was ordered for a text that was seen: another one is sent as the file says.
CREATE TRIGGER items_left_final AFTER UPDATE OF content ON items
  FOR EACH ROW WHEN (NEW.content IS DISTINCT FROM OLD.content) EXECUTE FUNCTION leave_final();

-- Called beside `order_rows`, in its transaction. A row that waits no more was sent: the call is repeated.
CREATE FUNCTION order_finals(entries jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO finals (item, quality, draft, since)
    SELECT i.key, e.quality, e.draft, i.attempt + 1
    FROM jsonb_populate_recordset(NULL::finals, entries) e JOIN items i ON i.key = e.item WHERE i.status = 'pending'
  ON CONFLICT (item) DO UPDATE SET quality = excluded.quality, draft = excluded.draft, since = excluded.since;
  RETURN true;
END
$$;
