/**
 * The first rows of a run go into a table without indexes, which are built when all are there: for a million rows in half
 * the time. Nobody reads or writes the table until the import has ended; where somebody does now, or where another role
 * owns it, the indexes stay.
 */

/** From this many rows on it pays. */
const worthwhileRows = 10_000;

/** The caller holds the run's lock, and the run has no rows. */
export const dropIndexes = `
  CREATE TEMP TABLE dropped (definition text NOT NULL) ON COMMIT DROP;
  DO $$
  DECLARE
    found record;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_temp.staged OFFSET ${worthwhileRows - 1}) THEN RETURN; END IF;
    LOCK TABLE items IN ACCESS EXCLUSIVE MODE NOWAIT;
    FOR found IN
      SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = 'items'::regclass AND NOT indisprimary
    LOOP
      INSERT INTO pg_temp.dropped VALUES (found.definition);
      EXECUTE format('DROP INDEX %s', found.name);
    END LOOP;
  EXCEPTION WHEN lock_not_available OR insufficient_privilege THEN
    NULL;
  END $$`;

/** Builds those that `dropIndexes` dropped. */
export const buildIndexes = `
  DO $$
  DECLARE
    found record;
  BEGIN
    FOR found IN SELECT definition FROM pg_temp.dropped LOOP EXECUTE found.definition; END LOOP;
  END $$`;
