/**
 * The temporary tables of an import, in the session of one connection. `staged` is the file as it was read, beside
 * `staged_inputs` with the long texts: what is compared stays narrow. It can be matched again; the other tables are made
 * anew by each match.
 */

/**
 * `written` is the content of a row with local pictures by their names alone; `fresh` is the new content of a row that
 * until the import is compared by another one. `corrected` holds pairs of a row and an item that may be it, sent with a
 * corrected text: what is read, and the same with the item's own texts.
 */
const comparedColumns = `
  row int8 NOT NULL, line int8 NOT NULL, id text, folder text NOT NULL, identity bytea NOT NULL,
  occurrence int8 NOT NULL DEFAULT 1, content bytea NOT NULL, input_digest bytea NOT NULL, quality text, failure text,
  written bytea, fresh bytea, item int8`;

export const stagingTables = `
  CREATE TEMP TABLE staged (${comparedColumns});
  CREATE TEMP TABLE staged_inputs (row int8 NOT NULL, input text NOT NULL);
  CREATE TEMP TABLE corrected (
    place int8 GENERATED ALWAYS AS IDENTITY, row int8 NOT NULL, item int8 NOT NULL, read text NOT NULL,
    own text NOT NULL, own_digest bytea NOT NULL
  );
  CREATE TEMP TABLE seen_pictures (
    number int8 NOT NULL, path text NOT NULL, size_bytes int8 NOT NULL, modified_at float8 NOT NULL, digest text NOT NULL
  )`;

export const copyStaged = `
  COPY pg_temp.staged (row, line, id, folder, identity, content, input_digest, quality, failure, written) FROM STDIN`;

export const copyInputs = 'COPY pg_temp.staged_inputs (row, input) FROM STDIN';

export const copyCorrected = 'COPY pg_temp.corrected (row, item, read, own, own_digest) FROM STDIN';

export const copySeenPictures = `
  COPY pg_temp.seen_pictures (number, path, size_bytes, modified_at, digest) FROM STDIN`;

/**
 * `incoming` holds the rows to compare with those of the run, `unchanged` those that are the same there; `changed` will
 * hold the rows that take a new text. In a run without rows all are incoming: a copy of a million would take seconds.
 */
export const matchTables = (isAnyKnown: boolean): string => `
  DROP VIEW IF EXISTS pg_temp.incoming;
  DROP TABLE IF EXISTS pg_temp.compared, pg_temp.unchanged, pg_temp.twins, pg_temp.changed;
  CREATE TEMP TABLE compared (${comparedColumns});
  CREATE TEMP VIEW incoming AS SELECT * FROM pg_temp.${isAnyKnown ? 'compared' : 'staged'};
  CREATE TEMP TABLE unchanged (item int8 NOT NULL, row int8 NOT NULL, line int8 NOT NULL, quality text);
  CREATE TEMP TABLE twins (identity bytea NOT NULL);
  CREATE TEMP TABLE changed (key int8 PRIMARY KEY, row int8 NOT NULL, failure text)`;

export const unsendableRows = `
  SELECT line, failure FROM pg_temp.staged WHERE failure IS NOT NULL ORDER BY row`;
