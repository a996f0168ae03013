/** The statements that import a matched file. They run in one transaction. */

import { sqlList } from '../../../money/statuses.ts';
import { sqlWords } from '../../../text/sql-words.ts';
import { dialect } from '../dialect.ts';
import { isLeaving, isMendedAway, statusNow, withFinals } from './plan-statements.ts';

/** A pending or invalid row also changes with the file it points at, such as an image that exists now. */
const isChanged = (statuses: readonly string[]): string => `
  ${statusNow} IN (${sqlWords(statuses)}) AND (m.content <> i.content
    OR (m.status IN ${sqlList('waiting')} AND (m.status = 'invalid') <> (i.failure IS NOT NULL))
    OR (m.status = 'invalid' AND m.failure IS DISTINCT FROM i.failure))`;

/** Which rows name local pictures, and by what. */
const keepNames = (rows: string): string => `
  INSERT INTO pictured (item, written) SELECT m.key, i.written FROM ${rows}
    AND i.written IS NOT NULL AND m.content = coalesce(i.fresh, i.content)
  ON CONFLICT (item) DO UPDATE SET written = excluded.written WHERE pictured.written <> excluded.written`;

/** Added rows come after the row number `@offset`; new ones have keys after `@lastKey`. */
const offset = 'CAST(@offset AS int8)';

/** Changes known rows by those of the file. */
const known = (set: string, where: string): string =>
  `UPDATE items AS m SET ${set} FROM incoming i WHERE i.item = m.key AND ${where}`;

export const greatestKey = 'SELECT coalesce(max(key), 0) AS n FROM items';

export const saveSource = 'INSERT INTO sources (source) VALUES (@text) ON CONFLICT DO NOTHING';

const leaveIf = (condition: string): string => `UPDATE items AS m SET gone = 1 WHERE ${condition}`;

export const leave = leaveIf(isLeaving);

export const leaveMended = leaveIf(isMendedAway);

export const leaveNamed = leaveIf(dialect.isIn('m.key', 'leaving', 'int8'));

export const moveRows = known('row = i.row', 'm.row <> i.row');

export const comeBack = known('gone = 0', 'm.gone = 1');

/** A row takes its id from the file, whatever it was before. Its folder stays. */
export const renumber = known(
  'id = i.id, identity = i.identity, occurrence = 1',
  'i.id IS NOT NULL AND m.identity <> i.identity',
);

export const renumberTwins = known(
  'occurrence = i.occurrence',
  'i.id IS NULL AND m.identity = m.content AND m.occurrence <> i.occurrence',
);

/** A row that sends the same request but is written differently, such as another note in a column of the user's. */
export const updateQuestions = `
  UPDATE questions AS q SET input = i.input
  FROM incoming i JOIN items m ON m.key = i.item
  WHERE q.item = m.key AND m.content = i.content AND m.input_digest <> i.input_digest`;

export const updateInputDigests = known(
  'input_digest = i.input_digest, source = @source',
  'm.content = i.content AND (m.input_digest <> i.input_digest OR m.source <> @source)',
);

/** Unchanged rows of a file with another name or other columns. */
export const updateSources = `
  UPDATE items AS m SET source = @source
  WHERE m.source <> @source AND m.key IN (SELECT item FROM unchanged)`;

export const insertQuestions = `
  INSERT INTO questions (item, input)
  SELECT m.key, i.input FROM items m JOIN incoming i ON i.row = m.row - ${offset} WHERE m.key > @lastKey
  ORDER BY m.key`;

/** A row that was known by another reading of it (`readAsNamed`) is identified by this one from now on. */
export const identifyAnew = known(
  'content = i.fresh, identity = CASE WHEN m.identity = m.content THEN i.fresh ELSE m.identity END',
  'i.fresh IS NOT NULL AND m.content = i.content',
);

export const keepNewNames = keepNames(
  `items m JOIN incoming i ON i.row = m.row - ${offset} AND i.item IS NULL WHERE m.key > @lastKey`,
);

export const keepKnownNames = keepNames('incoming i JOIN items m ON m.key = i.item WHERE true');

/** The new text of rows that were sent with another one, kept with it until a new attempt sends it. */
export const keepEdits = `
  INSERT INTO edits (item, content, input_digest, source, quality, failure, input)
  SELECT m.key, i.content, i.input_digest, CAST(@source AS int8), i.quality, i.failure, i.input
  FROM incoming i JOIN items m ON m.key = i.item
  WHERE m.content <> i.content
  ON CONFLICT (item) DO UPDATE SET content = excluded.content, input_digest = excluded.input_digest,
    source = excluded.source, quality = excluded.quality, failure = excluded.failure, input = excluded.input
  WHERE (edits.content, edits.input_digest, edits.source, edits.failure) IS DISTINCT FROM
    (excluded.content, excluded.input_digest, excluded.source, excluded.failure)`;

export const changedRows = (statuses: readonly string[]): string => `
  SELECT m.key, i.row AS incoming, i.failure AS incomingFailure
  FROM ${withFinals} WHERE ${isChanged(statuses)} ORDER BY i.row`;

/** better-sqlite3 binds numbers as reals; only `%d` prints them without a fraction. */
export const insertItems = `
  INSERT INTO items (row, id, folder, identity, occurrence, content, input_digest, source, status, quality, failure)
  SELECT row + @offset, coalesce(id, format('row-%d', row + @offset)),
    CASE WHEN id IS NULL THEN format('row-%d', row + @offset) ELSE folder END,
    CASE WHEN id IS NULL THEN coalesce(fresh, content) ELSE identity END, occurrence, coalesce(fresh, content),
    input_digest, @source, CASE WHEN failure IS NULL THEN 'pending' ELSE 'invalid' END, quality, failure
  FROM temp.incoming WHERE item IS NULL ORDER BY row`;

/** Known rows that lost their id to another row of the file and have no other id in it. */
export const displacedItems = `
  SELECT m.key, m.id FROM temp.incoming i JOIN items m ON m.identity = i.identity
  WHERE i.id IS NOT NULL AND i.item IS NOT m.key
    AND m.key NOT IN (SELECT item FROM temp.incoming WHERE item IS NOT NULL AND id IS NOT NULL)
  ORDER BY m.key`;

/** Such a row is identified by its text from now on. */
export const nameDisplaced = `
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

/** All folders, as a disk distinguishes them. The items have no index of them: only an import asks, and most find no twin. */
export const collectFolders = `
  CREATE TEMP TABLE folders (folder TEXT PRIMARY KEY) WITHOUT ROWID;
  INSERT OR IGNORE INTO folders SELECT lower(folder) FROM items`;

/** Changes nothing where the folder is taken. */
export const reserveFolder = 'INSERT OR IGNORE INTO folders VALUES (lower(?))';

export const dropFolders = 'DROP TABLE folders';

/** The setting that counts how often known rows got another text or place, or left the input. */
export const inputVersionName = 'input-version';

export const raiseInputVersion = `
  INSERT INTO settings (name, value) VALUES ('${inputVersionName}', '1')
  ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1`;

const isAmongRows = 'i.row IN (SELECT value FROM json_each(@rows))';

/** A row identified by its text is identified by the new one. */
export const writeTexts = `
  UPDATE items SET identity = CASE WHEN items.identity = items.content THEN i.content ELSE items.identity END,
    content = i.content, input_digest = i.input_digest, quality = i.quality, source = @source
  FROM temp.incoming i WHERE ${isAmongRows} AND items.key = i.item`;

export const writeInputs = `
  UPDATE questions SET input = i.input FROM temp.incoming i WHERE ${isAmongRows} AND questions.item = i.item`;

export const isAnyEdit = 'SELECT EXISTS (SELECT 1 FROM edits) AS found';

/** Rows whose text is again the one they were sent with. */
export const dropEdits = `
  DELETE FROM edits WHERE EXISTS (SELECT 1 FROM temp.unchanged u WHERE u.item = edits.item)
    OR item IN (SELECT m.key FROM temp.incoming i JOIN items m ON m.key = i.item WHERE m.content = i.content)`;

export const keepPictures = `
  INSERT INTO pictures SELECT * FROM temp.seen_pictures WHERE true
  ON CONFLICT (path) DO UPDATE SET size_bytes = excluded.size_bytes, modified_at = excluded.modified_at,
    digest = excluded.digest`;
