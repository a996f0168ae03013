/**
 * The first rows of a run go into tables without indexes, which are built when all are there: otherwise the import of
 * 300,000 rows takes a sixth longer. Nobody reads or writes the tables until the import has ended. The indexes stay where
 * somebody uses them now, where another role owns the tables, and where something else in the database needs an index, such as
 * a foreign key.
 */

/** From this many rows on it is worth it. */
export const worthwhileRows = 10_000;

/** The caller has locked the run, and the run has no rows. */
export const dropIndexes = `
  CREATE TEMP TABLE dropped (restore text NOT NULL) ON COMMIT DROP;
  DO $$
  DECLARE
    found record;
  BEGIN
    LOCK TABLE items, questions IN ACCESS EXCLUSIVE MODE NOWAIT;
    FOR found IN
      SELECT i.indrelid::regclass AS table, i.indexrelid::regclass AS index, c.conname,
        coalesce(pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid)) AS definition
      FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
      WHERE i.indrelid IN ('items'::regclass, 'questions'::regclass)
    LOOP
      IF found.conname IS NULL THEN
        INSERT INTO pg_temp.dropped VALUES (found.definition);
        EXECUTE format('DROP INDEX %s', found.index);
      ELSE
        INSERT INTO pg_temp.dropped VALUES
          (format('ALTER TABLE %s ADD CONSTRAINT %I %s', found.table, found.conname, found.definition));
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.table, found.conname);
      END IF;
    END LOOP;
  EXCEPTION WHEN lock_not_available OR insufficient_privilege OR dependent_objects_still_exist THEN
    NULL;
  END $$`;

/** Builds those that `dropIndexes` dropped. */
export const buildIndexes = `
  DO $$
  DECLARE
    found record;
  BEGIN
    FOR found IN SELECT restore FROM pg_temp.dropped LOOP EXECUTE found.restore; END LOOP;
  END $$`;
