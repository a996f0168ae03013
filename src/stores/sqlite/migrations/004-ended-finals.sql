-- An order that falls away before anything was sent for it leaves no quality to later attempts.
CREATE TRIGGER items_left_order AFTER UPDATE OF status ON items
WHEN OLD.status = 'pending' AND NEW.status IN ('completed', 'failed', 'rejected', 'undelivered', 'lost')
BEGIN
  DELETE FROM finals WHERE item = NEW.key;
END;
