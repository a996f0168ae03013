/** The statements that stage a file beside the checkpoint and import it. */

import { isChanged } from './apply-statements.ts';

export const dropStagingTables = `
  DROP TABLE IF EXISTS temp.incoming;
  DROP TABLE IF EXISTS temp.unchanged;
  DROP TABLE IF EXISTS temp.seen_pictures;
  DROP TABLE IF EXISTS temp.twins;
  DROP TABLE IF EXISTS temp.corrected;`;

/**
 * `incoming` holds the rows to compare with the checkpoint, `unchanged` those that are the same there. `written` is the
 * content of a row with local pictures by their names alone; `fresh` is its new content if until the import the row is
 * compared by another one. `corrected` holds pairs of a row and an item that may be it, sent with a corrected text: what is
 * read, and the same with the item's own texts.
 */
export const stagingTables = `${dropStagingTables}
  CREATE TEMP TABLE incoming (
    row INTEGER PRIMARY KEY, line INTEGER NOT NULL, id TEXT, folder TEXT NOT NULL,
    identity BLOB NOT NULL, occurrence INTEGER NOT NULL DEFAULT 1, content BLOB NOT NULL, input_digest BLOB NOT NULL,
    quality TEXT, failure TEXT, item INTEGER, written BLOB, fresh BLOB, input TEXT NOT NULL
  );
  CREATE TEMP TABLE unchanged (item INTEGER PRIMARY KEY, line INTEGER NOT NULL, quality TEXT);
  CREATE TEMP TABLE seen_pictures (
    path TEXT PRIMARY KEY, size_bytes INTEGER NOT NULL, modified_at REAL NOT NULL, digest TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TEMP TABLE twins (identity BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TEMP TABLE corrected (
    place INTEGER PRIMARY KEY, row INTEGER NOT NULL, item INTEGER NOT NULL, read TEXT NOT NULL, own TEXT NOT NULL,
    own_digest BLOB NOT NULL
  );`;

export const stage = `
  INSERT INTO temp.incoming (row, line, id, folder, identity, content, input_digest, quality, failure, written, input)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export const noteCorrected = `
  INSERT INTO temp.corrected (row, item, read, own, own_digest) VALUES (?, ?, ?, ?, ?)`;

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

export const changedRows = (statuses: readonly string[]): string => `
  SELECT m.key, m.folder, m.attempt, i.row AS incoming, i.failure AS incomingFailure
  FROM temp.incoming i JOIN items m ON m.key = i.item WHERE ${isChanged(statuses)} ORDER BY i.row`;

/** better-sqlite3 binds numbers as reals; only `%d` prints them without a fraction. */
export const insertItems = `
  INSERT INTO items (row, id, folder, identity, occurrence, content, input_digest, source, status, quality, failure)
  SELECT row + @offset, coalesce(id, format('row-%d', row + @offset)),
    CASE WHEN id IS NULL THEN format('row-%d', row + @offset) ELSE folder END,
    CASE WHEN id IS NULL THEN coalesce(fresh, content) ELSE identity END, occurrence, coalesce(fresh, content),
    input_digest, @source, CASE WHEN failure IS NULL THEN 'pending' ELSE 'invalid' END, quality, failure
  FROM temp.incoming WHERE item IS NULL ORDER BY row`;

/** Known rows that lost their id to another row of the file and have no other id in it. */
export const bereftItems = `
  SELECT m.key, m.id FROM temp.incoming i JOIN items m ON m.identity = i.identity
  WHERE i.id IS NOT NULL AND i.item IS NOT m.key
    AND m.key NOT IN (SELECT item FROM temp.incoming WHERE item IS NOT NULL AND id IS NOT NULL)
  ORDER BY m.key`;

/** Such a row is identified by its text from now on. */
export const nameBereft = `
  UPDATE items SET id = @id, identity = content,
    occurrence = (SELECT coalesce(max(o.occurrence), 0) + 1 FROM items o WHERE o.identity = items.content)
  WHERE key = @key`;

/**
 * New rows whose generated id is another row's, or was, as that row's folder shows. Newest first, so that the oldest
 * keeps its id if possible.
 */
export const takenIds = `
  SELECT key, id, id IN (SELECT folder FROM items WHERE key <= @lastKey) AS isFolder
  FROM items fresh WHERE key > @lastKey AND identity = content AND (isFolder
    OR EXISTS (SELECT 1 FROM items other WHERE other.id = fresh.id AND other.key <> fresh.key)
  ) ORDER BY key DESC`;

export const takenFolders = `
  SELECT key, id, folder FROM (
    SELECT key, id, folder, row_number() OVER (PARTITION BY lower(folder) ORDER BY key) AS n FROM items
  ) WHERE n > 1 AND key > ?`;

/** The setting that counts how often known rows got another text or place, or left the input. */
export const inputVersionName = 'input-version';

export const raiseInputVersion = `
  INSERT INTO settings (name, value) VALUES ('${inputVersionName}', '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`;

/** A row identified by its text is identified by the new one. */
export const takeText = `
  UPDATE items SET identity = CASE WHEN items.identity = items.content THEN i.content ELSE items.identity END,
    content = i.content, input_digest = i.input_digest, quality = i.quality, source = @source
  FROM temp.incoming i WHERE i.row = @row AND items.key = @key`;

export const takeInput = `
  UPDATE questions SET input = (SELECT input FROM temp.incoming WHERE row = @row) WHERE item = @key`;

export const anyEdit = 'SELECT EXISTS (SELECT 1 FROM edits) AS n';

/** Rows whose text is again the one they were sent with. */
export const dropEdits = `
  DELETE FROM edits WHERE EXISTS (SELECT 1 FROM temp.unchanged u WHERE u.item = edits.item)
    OR item IN (SELECT m.key FROM temp.incoming i JOIN items m ON m.key = i.item WHERE m.content = i.content)`;

export const readPicture =
  'SELECT digest FROM pictures WHERE path = ? AND size_bytes = ? AND modified_at = ?';

export const seePicture = `
  INSERT OR REPLACE INTO temp.seen_pictures (path, size_bytes, modified_at, digest) VALUES (?, ?, ?, ?)`;

export const keepPictures = `
  INSERT INTO pictures SELECT * FROM temp.seen_pictures WHERE true
  ON CONFLICT (path) DO UPDATE SET size_bytes = excluded.size_bytes, modified_at = excluded.modified_at,
    digest = excluded.digest`;
