/** The statements that import a matched file. They run in one transaction that holds the run's lock. */

import { isChanged } from '../../import/apply-statements.ts';
import { madeUp } from '../../import/match-statements.ts';
import { change } from './staging.ts';

export const sourceKey = 'SELECT key AS n FROM sources WHERE text_key(source) = text_key($1) AND source = $1';

/** Known rows that lose their id to another row of the file and have no other id in it. */
export const findBereft = `
  DROP TABLE IF EXISTS pg_temp.bereft;
  CREATE TEMP TABLE bereft AS
    SELECT m.key, '${madeUp.was}' || m.id AS id FROM pg_temp.incoming i JOIN items m ON m.identity = i.identity
    WHERE i.id IS NOT NULL AND i.item IS DISTINCT FROM m.key
      AND NOT EXISTS (SELECT 1 FROM pg_temp.incoming o WHERE o.item = m.key AND o.id IS NOT NULL)`;

export const dropBereft = 'DROP TABLE IF EXISTS pg_temp.bereft';

/** Such a row is named after its old id, and identified by its text from now on. */
export const nameBereft = `
  UPDATE items m SET id = b.id, identity = m.content, occurrence = b.n + (
    SELECT coalesce(max(o.occurrence), 0) FROM items o WHERE o.identity = m.content
  ), ${change} FROM (
    SELECT key, b.id, row_number() OVER (PARTITION BY content ORDER BY key) AS n
    FROM pg_temp.bereft b JOIN items USING (key)
  ) b WHERE m.key = b.key`;

/** Those of them whose name is another row's, or will be. */
export const doubledBereft = `
  SELECT b.key FROM pg_temp.bereft b
  WHERE EXISTS (SELECT 1 FROM items o WHERE o.id = b.id AND o.key <> b.key)
    OR EXISTS (SELECT 1 FROM pg_temp.incoming i WHERE i.item IS NULL AND i.id = b.id)
  ORDER BY b.key`;

/** The id with the first numeric suffix that makes it unique. */
const apart = (isTaken: string): string => `m.id || '-' || (
  SELECT n FROM (SELECT generate_series(2, 1000000000) AS n) s WHERE NOT (${isTaken}) LIMIT 1)`;

const isItem = `EXISTS (SELECT 1 FROM items o WHERE o.id = m.id || '-' || s.n)`;
const isComing = `EXISTS (
  SELECT 1 FROM pg_temp.incoming i WHERE i.item IS NULL AND i.id = m.id || '-' || s.n)`;

export const setIdApart = `
  UPDATE items m SET id = ${apart(`${isItem} OR ${isComing}`)}, ${change} WHERE m.key = $1`;

/** Keys in file order: `$1` is the last key so far, `$2` the row number that added rows come after. */
export const insertItems = `
  INSERT INTO items
    (key, row, id, folder, identity, occurrence, content, input_digest, source, status, quality, failure,
     change)
  SELECT $1::int8 + row_number() OVER (ORDER BY i.row), i.row + $2::int8,
    coalesce(i.id, '${madeUp.row}' || (i.row + $2::int8)),
    CASE WHEN i.id IS NULL THEN '${madeUp.row}' || (i.row + $2::int8) ELSE i.folder END,
    CASE WHEN i.id IS NULL THEN coalesce(i.fresh, i.content) ELSE i.identity END, i.occurrence,
    coalesce(i.fresh, i.content), i.input_digest, $3,
    CASE WHEN i.failure IS NULL THEN 'pending' ELSE 'invalid' END, i.quality, i.failure,
    (SELECT change FROM run)
  FROM pg_temp.incoming i WHERE i.item IS NULL ORDER BY i.row`;

/**
 * New rows whose generated id is another row's, or was, as that row's folder shows. Two generated ids never meet, and
 * neither do the ids that these rows get.
 */
export const setNewIdsApart = `
  UPDATE items m SET id = ${apart(isItem)}, ${change} WHERE m.key IN (
    SELECT f.key FROM items f JOIN items o ON o.id = f.id AND o.key <> f.key
    WHERE f.key > $1 AND f.identity = f.content AND o.id LIKE '${madeUp.row}%'
      AND (o.key <= $1 OR o.identity <> o.content)
    UNION
    SELECT f.key FROM items f JOIN items o ON o.folder = f.id
    WHERE f.key > $1 AND f.identity = f.content AND o.folder LIKE '${madeUp.row}%' AND o.key <= $1)`;

/** New rows whose folder is an earlier row's. */
export const takenFolders = `
  SELECT key, id, folder FROM (
    SELECT key, id, folder, row_number() OVER (PARTITION BY name ORDER BY key) AS n FROM (
      SELECT lower(folder) AS name FROM items GROUP BY 1 HAVING count(*) > 1 AND max(key) > $1
    ) twice JOIN items ON lower(folder) = name
  ) numbered WHERE n > 1 AND key > $1 ORDER BY key`;

/** Which of these names (in lower case) are folders. */
export const folderNames = `SELECT lower(folder) AS name FROM items WHERE lower(folder) = ANY ($1::text[])`;

export const renameFolders = `
  UPDATE items m SET folder = n.folder, ${change}
  FROM unnest($1::int8[], $2::text[]) AS n (key, folder) WHERE m.key = n.key`;

export const findChanged = (statuses: readonly string[], condition = 'true'): string => `
  INSERT INTO pg_temp.changed (key, row, failure)
  SELECT m.key, i.row, i.failure FROM pg_temp.incoming i JOIN items m ON m.key = i.item
  WHERE ${isChanged(statuses)} AND ${condition}`;

export const changedPage = `
  SELECT key, failure FROM pg_temp.changed WHERE key > $1 ORDER BY key LIMIT $2`;

export const forgetChanged = 'DELETE FROM pg_temp.changed';

/** A row identified by its text is identified by the new one. */
export const takeText = `
  UPDATE items m SET identity = CASE WHEN m.identity = m.content THEN i.content ELSE m.identity END,
    content = i.content, input_digest = i.input_digest, quality = i.quality, source = $1, ${change}
  FROM pg_temp.changed c JOIN pg_temp.incoming i ON i.row = c.row WHERE m.key = c.key`;

export const takeInput = `
  UPDATE questions q SET input = s.input
  FROM pg_temp.changed c JOIN pg_temp.staged_inputs s ON s.row = c.row WHERE q.item = c.key`;

/** Of a picture that was read several times, the last digest. */
export const keepPictures = `
  INSERT INTO pictures (path, size_bytes, modified_at, digest)
  SELECT DISTINCT ON (path) path, size_bytes, modified_at, digest FROM pg_temp.seen_pictures
  ORDER BY path, number DESC
  ON CONFLICT (text_key(path)) DO UPDATE SET size_bytes = excluded.size_bytes, modified_at = excluded.modified_at,
    digest = excluded.digest`;

/** Rows whose text is again the one they were sent with. */
export const dropEdits = `
  DELETE FROM edits e WHERE EXISTS (SELECT 1 FROM pg_temp.unchanged u WHERE u.item = e.item)
    OR EXISTS (
      SELECT 1 FROM pg_temp.incoming i JOIN items m ON m.key = i.item
      WHERE i.item = e.item AND m.content = i.content
    )`;
