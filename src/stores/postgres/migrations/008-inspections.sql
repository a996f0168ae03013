-- What was seen of each video, by the digest of its bytes, as JSON; and what that gave a reason to look at.
CREATE TABLE inspections (
  sha256 text PRIMARY KEY,
  facts text NOT NULL,
  findings text NOT NULL DEFAULT '[]'
);

CREATE TRIGGER inspections_here BEFORE INSERT OR UPDATE ON inspections
FOR EACH STATEMENT EXECUTE FUNCTION refuse_moved();

-- Saves what was seen of some videos: [{sha256, facts}]. What others found about them stays until they are compared again.
CREATE FUNCTION save_inspections(list jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  INSERT INTO inspections (sha256, facts) SELECT s ->> 'sha256', s ->> 'facts' FROM jsonb_array_elements(list) s
  ON CONFLICT (sha256) DO UPDATE SET facts = excluded.facts;
END
$$;

-- Saves what is found about some videos: [{sha256, findings}]. Pages that show the rows read them anew.
CREATE FUNCTION save_findings(list jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM next_change();
  UPDATE inspections i SET findings = f ->> 'findings' FROM jsonb_array_elements(list) f
  WHERE i.sha256 = f ->> 'sha256' AND i.findings <> f ->> 'findings';
  IF FOUND THEN UPDATE run SET input_version = input_version + 1; END IF;
END
$$;
