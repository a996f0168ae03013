-- A path of a picture, or the name of a reviewer, may be longer than a B-tree takes: digests of them are unique.
ALTER TABLE pictures DROP CONSTRAINT pictures_pkey;
CREATE UNIQUE INDEX pictures_by_path ON pictures (md5(path));
ALTER TABLE marks DROP CONSTRAINT marks_pkey;
CREATE UNIQUE INDEX marks_by_reviewer ON marks (item, md5(reviewer));

CREATE OR REPLACE FUNCTION save_marks(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_review();
  INSERT INTO marks SELECT * FROM jsonb_populate_recordset(NULL::marks, entries) WHERE mark IS NOT NULL
  ON CONFLICT (item, md5(reviewer)) DO UPDATE SET mark = excluded.mark, note = excluded.note, attempt = excluded.attempt,
    question = excluded.question, answer = excluded.answer, at = excluded.at;
  DELETE FROM marks m USING jsonb_populate_recordset(NULL::marks, entries) e
  WHERE e.item = m.item AND e.reviewer = m.reviewer AND e.mark IS NULL;
END
$$;
