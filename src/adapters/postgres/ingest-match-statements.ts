/**
 * Matches the rows of a file to known rows, with statements over `incoming` and `items`. Each finds items for rows that
 * have none yet, so earlier statements win. The rule in words, with all kinds of edits: docs/edited-files.md. Rows are
 * compared by joins throughout: PostgreSQL answers a large `NOT IN` row by row.
 */

import { statusesOfFate } from '../../core/plan.ts';
import { badStatuses } from '../../core/summary.ts';

const list = (statuses: Iterable<string>): string => [...statuses].map((status) => `'${status}'`).join(', ');

/** An invalid row is compared again: the file it points at may exist now. */
export const tickOff = `
  INSERT INTO pg_temp.unchanged (item, row, line, quality)
  SELECT m.key, s.row, s.line, s.quality FROM pg_temp.staged s JOIN items m
    ON m.identity = s.identity AND m.content = s.content AND m.input_digest = s.input_digest AND m.row = s.row
  WHERE m.gone = 0 AND m.status <> 'invalid' AND s.failure IS NULL`;

const toIncoming = (written: string): string => `
  INSERT INTO pg_temp.compared
    (row, line, id, folder, identity, content, input_digest, quality, failure, written)
  SELECT s.row, s.line, s.id, s.folder, s.identity, s.content, s.input_digest, s.quality, s.failure, ${written}
  FROM pg_temp.staged s`;

/** Undoes an earlier match of all staged rows with a run without any. */
export const forgetTwins = 'UPDATE pg_temp.staged SET occurrence = 1 WHERE occurrence <> 1';

export const takeOthers = `
  ${toIncoming('s.written')} WHERE NOT EXISTS (SELECT 1 FROM pg_temp.unchanged u WHERE u.row = s.row)`;

/**
 * Rows of one identity differ only by their order in the file, so they are numbered together or not at all. An unchanged
 * row with a twin in this file or an earlier one is therefore compared like the others: it may match its twin, or be a
 * new row. A row that `--add` brought back may have the same row number as its twin: both match one row of the file,
 * which is compared once.
 */
export const takeUnchangedTwins = `
  ${toIncoming('NULL')} WHERE EXISTS (SELECT 1 FROM pg_temp.unchanged u WHERE u.row = s.row) AND s.identity IN (
    SELECT identity FROM pg_temp.incoming UNION ALL SELECT identity FROM items WHERE occurrence > 1)`;

export const dropUnchangedTwins = `
  DELETE FROM pg_temp.unchanged u USING pg_temp.incoming i WHERE i.row = u.row`;

export const findTwins = `
  INSERT INTO pg_temp.twins SELECT identity FROM pg_temp.incoming GROUP BY identity HAVING count(*) > 1`;

export const doubledIds = `
  SELECT i.id, first.line AS first, i.line
  FROM pg_temp.incoming i JOIN (
    SELECT DISTINCT ON (f.identity) f.identity, f.row, f.line
    FROM pg_temp.twins t JOIN pg_temp.incoming f USING (identity) ORDER BY f.identity, f.row
  ) first ON first.identity = i.identity AND i.row > first.row
  WHERE i.id IS NOT NULL ORDER BY i.row LIMIT 1000`;

export const numberTwins = `
  UPDATE pg_temp.incoming i SET occurrence = twin.n FROM (
    SELECT row, row_number() OVER (PARTITION BY identity ORDER BY row) AS n
    FROM pg_temp.incoming JOIN pg_temp.twins USING (identity)
  ) twin WHERE twin.row = i.row AND twin.n > 1`;

/** The item is neither ticked off nor matched to another row. */
export const isNotInFile = `
  NOT EXISTS (SELECT 1 FROM pg_temp.incoming o WHERE o.item = m.key)
  AND NOT EXISTS (SELECT 1 FROM pg_temp.unchanged u WHERE u.item = m.key)`;

/** The order among several matches: items in the file first, then completed ones, then file order. */
const rankOf = (item: string): string =>
  `(${item}.gone, ${item}.status <> 'completed', ${item}.row, ${item}.key)`;

export const anyWithoutItem = 'SELECT EXISTS (SELECT 1 FROM pg_temp.incoming WHERE item IS NULL) AS found';

export const isAnyFound = 'SELECT EXISTS (SELECT 1 FROM pg_temp.incoming WHERE item IS NOT NULL) AS found';

/** With `--add` the rows of the run stay; only rows that left it can come back. */
const candidates = {
  all: 'true',
  added: 'm.gone = 1',
  mended: `(m.gone = 1 OR m.status IN (${list(badStatuses)}))`,
} as const;

/** Which known rows may match a row of the file under another id. */
export type Candidates = keyof typeof candidates;

const mayBe = (which: Candidates): string =>
  which === 'mended' ? `(i.id IS NOT NULL OR ${candidates.mended})` : 'true';

/**
 * The same name and the same text. Without an id the text is the name, and equal rows differ by their order. Two rows
 * that lost their ids can share a text and a place in that order; the rank decides between them. In a table of failed rows
 * the order is theirs alone.
 */
export const findSame = (which: Candidates): string => `
  UPDATE pg_temp.incoming i SET item = m.key FROM items m
  WHERE m.identity = i.identity AND m.occurrence = i.occurrence AND m.content = i.content
    AND ${mayBe(which)}
    AND NOT EXISTS (
      SELECT 1 FROM items twin WHERE twin.identity = m.identity AND twin.occurrence = m.occurrence
        AND twin.content = m.content AND ${rankOf('twin')} < ${rankOf('m')}
    )`;

/**
 * The same text under another name, or under a name where it had none. Of several matches, items in the file come before
 * those that left it, in order; an item whose name is in the file is the last choice for a row of another name. `text`
 * is the text that was sent, or the later text of the row.
 */
const findText = (items: string, text: string, which: Candidates, rows = 'item IS NULL'): string => `
  UPDATE pg_temp.incoming SET item = found.key FROM (
    SELECT i.row, c.key FROM (
      SELECT row, content, row_number() OVER (PARTITION BY content ORDER BY row) AS n
      FROM pg_temp.incoming WHERE ${rows}
    ) i JOIN (
      SELECT m.key, ${text} AS content, row_number() OVER (
        PARTITION BY ${text}
        ORDER BY m.gone, named.identity IS NOT NULL, m.status <> 'completed', m.row, m.key
      ) AS n
      FROM ${items} LEFT JOIN (
        SELECT DISTINCT identity FROM pg_temp.incoming WHERE id IS NOT NULL
      ) named ON named.identity = m.identity
      WHERE ${text} IN (SELECT content FROM pg_temp.incoming WHERE ${rows})
        AND ${candidates[which]} AND ${isNotInFile}
    ) c ON c.content = i.content AND c.n = i.n
  ) found WHERE found.row = incoming.row`;

export const findSentText = (which: Candidates): string => findText('items m', 'm.content', which);

/** In a table of failed rows: one that has ended well since has no id that would say so. */
export const findEndedText = findText('items m', 'm.content', 'all', 'item IS NULL AND id IS NULL');

export const findEditedText = (which: Candidates): string =>
  findText('edits e JOIN items m ON m.key = e.item', 'e.content', which);

/** Pairs of rows of the file ($1) and items ($2) that are free for each other, in their order. */
export const freePairs = (which: Candidates): string => `
  SELECT p.row, p.item FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS p (row, item, place)
  JOIN pg_temp.incoming i ON i.row = p.row JOIN items m ON m.key = p.item
  WHERE i.item IS NULL AND ${candidates[which]} AND ${isNotInFile} ORDER BY p.place`;

/**
 * The text that was sent in place of the row's own, under another name or without one: the row is then compared by its own
 * text. Rows of the file, items, digests of the inputs.
 */
export const takeCorrected = `
  UPDATE pg_temp.incoming SET item = m.key, content = m.content, written = NULL, fresh = NULL, input_digest = p.digest,
    identity = CASE WHEN incoming.id IS NULL THEN m.content ELSE incoming.identity END,
    occurrence = CASE WHEN incoming.id IS NULL THEN m.occurrence ELSE 1 END
  FROM unnest($1::int8[], $2::int8[], $3::bytea[]) AS p (row, item, digest) JOIN items m ON m.key = p.item
  WHERE incoming.row = p.row`;

/**
 * Of twins without ids any is as good as another: a row of the file that is the item $1 becomes a twin that is free, so that
 * one that can only be that item does not become a new row.
 */
export const leaveToCorrected = (which: Candidates): string => `
  UPDATE pg_temp.incoming i SET item = twin.key, occurrence = twin.occurrence FROM (
    SELECT m.key, m.occurrence FROM items m JOIN items taken ON taken.key = $1::int8 AND taken.content = m.content
    WHERE ${candidates[which]} AND ${isNotInFile} ORDER BY m.gone, m.row, m.key LIMIT 1
  ) twin
  WHERE i.item = $1::int8 AND i.id IS NULL
    AND EXISTS (SELECT 1 FROM items m WHERE m.key = $1::int8 AND ${candidates[which]})`;

export const withoutItem = `
  SELECT row FROM pg_temp.incoming WHERE row = ANY ($1::int8[]) AND item IS NULL`;

/** Rows of the file and what they are read as. */
export const readAs = `
  UPDATE pg_temp.staged_inputs s SET input = p.input FROM unnest($1::int8[], $2::text[]) AS p (row, input)
  WHERE s.row = p.row`;

/** The same name and the text that the row got after it was sent. */
export const findSameEdit = `
  UPDATE pg_temp.incoming i SET item = m.key FROM items m JOIN edits e ON e.item = m.key
  WHERE i.item IS NULL AND i.id IS NOT NULL AND m.identity = i.identity AND e.content = i.content
    AND ${isNotInFile}`;

/** The same name and another text. Excludes paid rows that left the file: their name now means a new row. */
export const findName = `
  UPDATE pg_temp.incoming i SET item = m.key FROM items m
  WHERE i.item IS NULL AND i.id IS NOT NULL AND m.identity = i.identity
    AND (m.gone = 0 OR m.status IN (${list(statusesOfFate('takes-text'))})) AND ${isNotInFile}`;

/**
 * A row whose pictures cannot be read now matches the row that names the same pictures (`readAsSaved`). In a run from
 * before picture bytes were saved, rows match by the names, once (`readAsNamed`).
 */
export const readAsSaved = `
  UPDATE pg_temp.incoming SET content = known.content,
    identity = CASE WHEN id IS NULL THEN known.content ELSE incoming.identity END
  FROM (
    SELECT i.row, (
      SELECT m.content FROM pictured p JOIN items m ON m.key = p.item
      WHERE p.written = i.written ORDER BY m.identity <> i.identity, m.gone, m.key LIMIT 1
    ) AS content FROM pg_temp.incoming i WHERE i.written = i.content AND i.failure IS NOT NULL
  ) known WHERE known.row = incoming.row AND known.content IS NOT NULL`;

export const readAsNamed = `
  UPDATE pg_temp.incoming SET fresh = content, content = written,
    identity = CASE WHEN id IS NULL THEN written ELSE identity END
  WHERE written <> content AND written IN (SELECT content FROM items)`;

/** The id prefixes that the tool gives to rows without an id, and to those that lost theirs. */
export const madeUp = { row: 'row-', was: 'was-' } as const;

/** Ids in the file that the tool itself gave to another row: an id must never change its meaning. */
export const idsGivenAway = `
  SELECT i.id, i.line, coalesce(
    (SELECT line FROM pg_temp.incoming other WHERE other.item = m.key LIMIT 1),
    (SELECT line FROM pg_temp.unchanged WHERE item = m.key LIMIT 1)
  ) AS first
  FROM pg_temp.incoming i JOIN items m ON m.id = i.id
  WHERE (i.id LIKE '${madeUp.row}%' OR i.id LIKE '${madeUp.was}%') AND m.identity = m.content
    AND i.item IS DISTINCT FROM m.key ORDER BY i.row LIMIT 1000`;

/** Rows of the file that the run knows under another id from the user. */
const isRenumbered = 'i.id IS NOT NULL AND m.identity <> i.identity AND m.identity <> m.content';

export const countRenumbered = `
  SELECT count(*) AS n FROM pg_temp.incoming i JOIN items m ON m.key = i.item WHERE ${isRenumbered}`;

export const renumberedRows = `
  SELECT m.id AS was, i.id FROM pg_temp.incoming i JOIN items m ON m.key = i.item
  WHERE ${isRenumbered} ORDER BY i.row LIMIT 20`;

/** Known rows that were sent and now have a text that is new under their id. */
const isKeeping = `i.id IS NOT NULL AND m.status NOT IN (${list(statusesOfFate('takes-text'))})
  AND m.content <> i.content
  AND NOT EXISTS (SELECT 1 FROM edits e WHERE e.item = m.key AND e.content = i.content)`;

export const countKeeping = `
  SELECT count(*) AS n FROM pg_temp.incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping}`;

export const keepingRows = `
  SELECT i.id, i.line FROM pg_temp.incoming i JOIN items m ON m.key = i.item
  WHERE ${isKeeping} ORDER BY i.row LIMIT 1000`;

export const hasRival = `
  SELECT EXISTS (
    SELECT 1 FROM pg_temp.incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping} AND m.content IN (
      SELECT m.content FROM pg_temp.incoming i JOIN items m ON m.key = i.item WHERE ${isRenumbered}
    )
  ) AS found`;

export const isAnyTextKnown = `
  SELECT EXISTS (SELECT 1 FROM pg_temp.unchanged) OR EXISTS (
    SELECT 1 FROM pg_temp.incoming i JOIN items m ON m.key = i.item LEFT JOIN edits e ON e.item = m.key
    WHERE i.content IN (m.content, e.content)
  ) AS found`;
