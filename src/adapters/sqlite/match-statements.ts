/**
 * Matches the rows of a file to known rows, with statements over `temp.incoming` and `items`. Each finds items for rows
 * that have none yet, so earlier statements win. The rule in words, with all kinds of edits: docs/edited-files.md.
 */

import { statusesOfFate } from '../../core/plan.ts';
import { badStatuses } from '../../core/summary.ts';

const list = (statuses: Iterable<string>): string => [...statuses].map((status) => `'${status}'`).join(', ');

/** The item is neither ticked off nor matched to another row. */
const isFree = `m.key NOT IN (SELECT item FROM temp.incoming WHERE item IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM temp.unchanged WHERE item = m.key)`;

/** The order among several matches: items in the file first, then completed ones, then file order. */
const rankOf = (item: string): string =>
  `(${item}.gone, ${item}.status <> 'completed', ${item}.row, ${item}.key)`;

export const anyWithoutItem = 'SELECT EXISTS (SELECT 1 FROM temp.incoming WHERE item IS NULL) AS n';

export const areAllNew = 'SELECT NOT EXISTS (SELECT 1 FROM temp.incoming WHERE item IS NOT NULL) AS n';

/** With `--add` the rows of the run stay; only rows that left it can come back. */
const candidates = {
  all: 'true',
  added: 'm.gone = 1',
  mended: `(m.gone = 1 OR m.status IN (${list(badStatuses)}))`,
} as const;

/** Which known rows may match a row of the file under another id. */
export type Candidates = keyof typeof candidates;

const mayBe = (which: Candidates): string =>
  which === 'mended' ? `(incoming.id IS NOT NULL OR ${candidates.mended})` : 'true';

/**
 * The same name and the same text. Without an id the text is the name, and equal rows differ by their order. Two rows
 * that lost their ids can share a text and a place in that order; the rank decides between them. In a table of failed rows
 * the order is theirs alone.
 */
export const findSame = (which: Candidates): string => `
  UPDATE incoming SET item = m.key FROM items m
  WHERE m.identity = incoming.identity AND m.occurrence = incoming.occurrence AND m.content = incoming.content
    AND ${mayBe(which)}
    AND NOT EXISTS (
      SELECT 1 FROM items twin WHERE twin.identity = m.identity AND twin.occurrence = m.occurrence
        AND twin.content = m.content AND ${rankOf('twin')} < ${rankOf('m')}
    )`;

/** The item's name is in the file, so the item is the last choice for a row of another name. */
const isNamedInFile = `EXISTS (SELECT 1 FROM temp.incoming named WHERE named.identity = m.identity AND named.id IS NOT NULL)`;

/**
 * The same text under another name, or under a name where it had none. Of several matches, items in the file come before
 * those that left it, in order. `text` is the text that was sent, or the later text of the row.
 */
const findText = (items: string, text: string, which: Candidates, rows = 'item IS NULL'): string => `
  UPDATE incoming SET item = found.key FROM (
    SELECT i.row, c.key FROM (
      SELECT row, content, row_number() OVER (PARTITION BY content ORDER BY row) AS n
      FROM temp.incoming WHERE ${rows}
    ) i JOIN (
      SELECT m.key, ${text} AS content, row_number() OVER (
        PARTITION BY ${text} ORDER BY m.gone, ${isNamedInFile}, m.status <> 'completed', m.row, m.key
      ) AS n
      FROM ${items} WHERE ${text} IN (SELECT content FROM temp.incoming WHERE ${rows})
        AND ${candidates[which]} AND ${isFree}
    ) c ON c.content = i.content AND c.n = i.n
  ) found WHERE found.row = incoming.row`;

export const findSentText = (which: Candidates): string => findText('items m', 'm.content', which);

/** In a table of failed rows: one that has ended well since has no id that would say so. */
export const findEndedText = findText('items m', 'm.content', 'all', 'item IS NULL AND id IS NULL');

export const findEditedText = (which: Candidates): string =>
  findText('edits e JOIN items m ON m.key = e.item', 'e.content', which);

/**
 * The text that was sent in place of the row's own, under another name or without one: the row is then compared by its own
 * text. `@row` is of the file, `@key` the item's.
 */
export const takeCorrected = (which: Candidates): string => `
  UPDATE incoming SET item = m.key, content = m.content, written = NULL, fresh = NULL, input = @input,
    input_digest = @inputDigest, identity = CASE WHEN incoming.id IS NULL THEN m.content ELSE incoming.identity END,
    occurrence = CASE WHEN incoming.id IS NULL THEN m.occurrence ELSE 1 END
  FROM items m WHERE incoming.row = @row AND m.key = @key AND incoming.item IS NULL AND ${candidates[which]} AND ${isFree}`;

/**
 * Of twins without ids any is as good as another: a row of the file that is `@key` becomes a twin that is free, so that
 * one that can only be `@key` does not become a new row.
 */
export const leaveToCorrected = (which: Candidates): string => `
  UPDATE incoming SET item = twin.key, occurrence = twin.occurrence FROM (
    SELECT m.key, m.occurrence FROM items m JOIN items taken ON taken.key = @key AND taken.content = m.content
    WHERE ${candidates[which]} AND ${isFree} ORDER BY m.gone, m.row, m.key LIMIT 1
  ) twin
  WHERE incoming.item = @key AND incoming.id IS NULL
    AND EXISTS (SELECT 1 FROM items m WHERE m.key = @key AND ${candidates[which]})`;

export const isWithoutItem = 'SELECT 1 FROM temp.incoming WHERE row = ? AND item IS NULL';

/** The same name and the text that the row got after it was sent. */
export const findSameEdit = `
  UPDATE incoming SET item = m.key FROM items m JOIN edits e ON e.item = m.key
  WHERE incoming.item IS NULL AND incoming.id IS NOT NULL AND m.identity = incoming.identity
    AND e.content = incoming.content AND ${isFree}`;

/** The same name and another text. Excludes paid rows that left the file: their name now means a new row. */
export const findName = `
  UPDATE incoming SET item = m.key FROM items m
  WHERE incoming.item IS NULL AND incoming.id IS NOT NULL AND m.identity = incoming.identity
    AND (m.gone = 0 OR m.status IN (${list(statusesOfFate('takes-text'))})) AND ${isFree}`;

/**
 * A row whose pictures cannot be read now matches the row that names the same pictures (`readAsSaved`). In a checkpoint
 * from before picture bytes were saved, rows match by the names, once (`readAsNamed`).
 */
export const readAsSaved = `
  UPDATE incoming SET content = known.content,
    identity = CASE WHEN id IS NULL THEN known.content ELSE incoming.identity END
  FROM (
    SELECT i.row, (
      SELECT m.content FROM pictured p JOIN items m ON m.key = p.item
      WHERE p.written = i.written ORDER BY m.identity <> i.identity, m.gone, m.key LIMIT 1
    ) AS content FROM temp.incoming i WHERE i.written = i.content AND i.failure IS NOT NULL
  ) known WHERE known.row = incoming.row AND known.content IS NOT NULL`;

export const readAsNamed = `
  UPDATE incoming SET fresh = content, content = written, identity = CASE WHEN id IS NULL THEN written ELSE identity END
  WHERE written <> content AND written IN (SELECT content FROM items)`;

/** The id prefixes that the tool gives to rows without an id, and to those that lost theirs. */
export const madeUp = { row: 'row-', was: 'was-' } as const;

const isMadeUp = (id: string): string => `(${id} GLOB '${madeUp.row}*' OR ${id} GLOB '${madeUp.was}*')`;

/** Ids in the file that the tool itself gave to another row: an id must never change its meaning. */
export const idsGivenAway = `
  SELECT i.id, i.line, coalesce(
    (SELECT line FROM temp.incoming other WHERE other.item = m.key),
    (SELECT line FROM temp.unchanged WHERE item = m.key)
  ) AS first
  FROM temp.incoming i JOIN items m ON m.id = i.id
  WHERE ${isMadeUp('i.id')} AND m.identity = m.content AND i.item IS NOT m.key ORDER BY i.row LIMIT 1000`;

/** Rows of the file that the checkpoint knows under another id from the user. */
const isRenumbered = `i.id IS NOT NULL AND m.identity <> i.identity AND m.identity <> m.content`;

export const countRenumbered = `
  SELECT count(*) AS n FROM temp.incoming i JOIN items m ON m.key = i.item WHERE ${isRenumbered}`;

export const renumberedRows = `
  SELECT m.id AS was, i.id FROM temp.incoming i JOIN items m ON m.key = i.item
  WHERE ${isRenumbered} ORDER BY i.row LIMIT 20`;

/** Known rows that were sent and now have a text that is new under their id. */
const isKeeping = `i.id IS NOT NULL AND m.status NOT IN (${list(statusesOfFate('takes-text'))})
  AND m.content <> i.content AND NOT EXISTS (SELECT 1 FROM edits e WHERE e.item = m.key AND e.content = i.content)`;

export const countKeeping = `
  SELECT count(*) AS n FROM temp.incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping}`;

export const keepingRows = `
  SELECT i.id, i.line FROM temp.incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping} ORDER BY i.row LIMIT 1000`;

export const hasRival = `
  SELECT EXISTS (
    SELECT 1 FROM temp.incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping} AND m.content IN (
      SELECT m.content FROM temp.incoming i JOIN items m ON m.key = i.item WHERE ${isRenumbered}
    )
  ) AS n`;

export const isAnyTextKnown = `
  SELECT EXISTS (SELECT 1 FROM temp.unchanged) OR EXISTS (
    SELECT 1 FROM temp.incoming i JOIN items m ON m.key = i.item LEFT JOIN edits e ON e.item = m.key
    WHERE i.content IN (m.content, e.content)
  ) AS n`;
