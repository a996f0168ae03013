/** The statements that stage a file next to the checkpoint. */

export const dropStagingTables = `
  DROP TABLE IF EXISTS temp.incoming;
  DROP TABLE IF EXISTS temp.unchanged;
  DROP TABLE IF EXISTS temp.seen_pictures;
  DROP TABLE IF EXISTS temp.headings;
  DROP TABLE IF EXISTS temp.twins;
  DROP TABLE IF EXISTS temp.corrected;`;

/** Long rows are written to larger pages and read from them in three quarters of the time. The cache is that of a database. */
const pages = 'PRAGMA temp.page_size = 32768; PRAGMA temp.cache_size = -16000';

/**
 * `incoming` has the rows to compare with the checkpoint, `unchanged` those that are the same there. `written` is the
 * content of a row with local pictures by their names alone; `otherwise` that with its cells read the other way; `keyed` is the item of its key; `fresh` is its new content if until the import the row is
 * compared by another one. `corrected` has pairs of a row and an item that may be it, sent with a corrected text: the row
 * with the item's own texts. `headings` has the rows of the file that are titles of sections.
 */
export const stagingTables = `
  ${pages};
  ${dropStagingTables}
  CREATE TEMP TABLE incoming (
    row INTEGER PRIMARY KEY, line INTEGER NOT NULL, id TEXT, folder TEXT NOT NULL,
    identity BLOB NOT NULL, occurrence INTEGER NOT NULL DEFAULT 1, content BLOB NOT NULL, input_digest BLOB NOT NULL,
    quality TEXT, failure TEXT, item INTEGER, written BLOB, otherwise BLOB, fresh BLOB, input TEXT NOT NULL, keyed INTEGER
  );
  CREATE TEMP TABLE unchanged (item INTEGER PRIMARY KEY, line INTEGER NOT NULL, quality TEXT);
  CREATE TEMP TABLE headings (row INTEGER PRIMARY KEY, content BLOB);
  CREATE TEMP TABLE seen_pictures (
    path TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, modified_at REAL NOT NULL, digest TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TEMP TABLE twins (identity BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TEMP TABLE corrected (
    place INTEGER PRIMARY KEY, row INTEGER NOT NULL, item INTEGER NOT NULL, own TEXT NOT NULL, own_digest BLOB NOT NULL
  );`;

const columns = 'row, line, id, folder, identity, content, input_digest, quality, input';

/** A row that has nothing else, as nearly all: a sixth less time than the other statement takes. */
export const stagePlain = `INSERT INTO temp.incoming (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const stage = `
  INSERT INTO temp.incoming (${columns}, failure, written, otherwise, keyed)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const noteCorrected = `
  INSERT INTO temp.corrected (row, item, own, own_digest) VALUES (?, ?, ?, ?)`;

export const noteHeading = 'INSERT INTO temp.headings (row) VALUES (?)';

/** An invalid row is compared again: the file it points at may exist now. */
export const tickOff = `
  INSERT INTO temp.unchanged (item, line, quality) SELECT key, ?, ? FROM items
  WHERE gone = 0 AND row = ? AND identity = ? AND content = ? AND input_digest = ? AND status <> 'invalid'`;

/** Unchanged rows that share their identity with another row of this file or an earlier one. */
const unchangedTwins = `
  FROM items m JOIN temp.unchanged u ON u.item = m.key WHERE m.identity IN
    (SELECT identity FROM temp.incoming UNION ALL SELECT identity FROM items WHERE occurrence > 1)`;

/** Unchanged rows of the file, as they are in the checkpoint. */
const stageAgain = (unchanged: string): string => `
  INSERT OR IGNORE INTO temp.incoming (row, line, id, folder, identity, content, input_digest, quality, input)
  SELECT m.row, u.line, CASE WHEN m.identity = m.content THEN NULL ELSE m.id END, m.folder, m.identity, m.content,
    m.input_digest, u.quality, (SELECT input FROM questions WHERE item = m.key) ${unchanged}`;

/**
 * Rows of one identity differ only by their order in the file, so they are numbered together or not at all. An unchanged
 * row with a twin is therefore staged with its text like the others: it may match its twin, or be a new row. A row that
 * `--add` brought back may have the same row number as its twin: both match one row of the file, which is staged once.
 */
export const stageUnchangedTwins = `
  ${stageAgain(unchangedTwins)};
  DELETE FROM temp.unchanged WHERE item IN (SELECT m.key ${unchangedTwins})`;

export const stageUnchanged = stageAgain(
  'FROM items m JOIN temp.unchanged u ON u.item = m.key WHERE m.key = ?',
);

export const forgetUnchanged = 'DELETE FROM temp.unchanged WHERE item = ?';

export const readPicture =
  'SELECT digest FROM pictures WHERE path = ? AND size_bytes = ? AND modified_at = ?';

export const seePicture = `
  INSERT OR REPLACE INTO temp.seen_pictures (path, size_bytes, modified_at, digest) VALUES (?, ?, ?, ?)`;
