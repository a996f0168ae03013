-- An order that falls away before anything was sent for it leaves no quality to later attempts.
CREATE TRIGGER items_left_order AFTER UPDATE OF status ON items
  FOR EACH ROW WHEN (OLD.status = 'pending' AND NEW.status IN ('completed', 'failed', 'rejected', 'undelivered', 'lost'))
  EXECUTE FUNCTION leave_final();
