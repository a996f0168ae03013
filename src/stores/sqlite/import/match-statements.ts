/**
 * Matches the rows of a file to known rows, with statements over `incoming` and `items`. Each finds items for rows that
 * have none yet, so earlier statements win. The rule in words, with all kinds of edits: docs/edited-files.md.
 */

import { statusesOfOutcome } from '../../../money/plan.ts';
import { madeUp } from '../../../money/row-identity.ts';
import { sqlList } from '../../../money/statuses.ts';
import { sqlWords } from '../../../text/sql-words.ts';
import { dialect } from '../dialect.ts';

/** The item `m` is neither ticked off nor matched to a row of the file. SQLite reads each list once. */
export const isNotInFile = `m.key NOT IN (SELECT item FROM incoming WHERE item IS NOT NULL)
    AND m.key NOT IN (SELECT item FROM unchanged)`;

export const findTwins = `
  INSERT INTO twins SELECT identity FROM incoming GROUP BY identity HAVING count(*) > 1`;

export const doubledIds = `
  SELECT i.id, first.line AS first, i.line FROM (
    SELECT f.identity, min(f.row) AS row FROM twins t JOIN incoming f ON f.identity = t.identity GROUP BY f.identity
  ) head JOIN incoming first ON first.row = head.row
  JOIN incoming i ON i.identity = head.identity AND i.row > head.row
  WHERE i.id IS NOT NULL ORDER BY i.row LIMIT 1000`;

export const numberTwins = `
  UPDATE incoming SET occurrence = twin.n FROM (
    SELECT row, row_number() OVER (PARTITION BY identity ORDER BY row) AS n FROM incoming
    WHERE identity IN (SELECT identity FROM twins)
  ) twin WHERE twin.row = incoming.row AND twin.n > 1`;

/** The order among several matches: what has a video, then what was sent, so that none is sent again; then file order. */
const rankOf = (item: string): string => `${item}.status <> 'completed',
  ${item}.status IN (${sqlWords(statusesOfOutcome('takes-text'))}), ${item}.row, ${item}.key`;

export const isAnyWithoutItem = 'SELECT EXISTS (SELECT 1 FROM incoming WHERE item IS NULL) AS found';

export const isAnyMatched = 'SELECT EXISTS (SELECT 1 FROM incoming WHERE item IS NOT NULL) AS found';

/** With `--add` the rows of the run stay; only rows that left it can come back. */
const candidates = {
  all: 'true',
  added: 'm.gone = 1',
  mended: `(m.gone = 1 OR m.status IN ${sqlList('bad')})`,
} as const;

/** Which known rows may match a row of the file under another id. */
export type Candidates = keyof typeof candidates;

const mayBe = (which: Candidates): string =>
  which === 'mended' ? `(i.id IS NOT NULL OR ${candidates.mended})` : 'true';

/** The rows of the keys, whatever their lines have now. A row without an id keeps its place among its twins. */
export const matchKeyed = `
  UPDATE incoming AS i SET item = m.key, occurrence = CASE WHEN i.id IS NULL THEN m.occurrence ELSE i.occurrence END
  FROM items m WHERE m.key = i.keyed`;

/** Lines with the key of one row and the text of another. */
export const keyedElsewhere = `
  SELECT k.id, i.line, min(m.id) AS other FROM incoming i
  JOIN items k ON k.key = i.keyed JOIN items m ON m.content = i.content AND m.key <> k.key
  WHERE i.content <> k.content AND NOT EXISTS (SELECT 1 FROM edits e WHERE e.item = k.key AND e.content = i.content)
  GROUP BY i.row ORDER BY i.row LIMIT 1000`;

/**
 * The same name and the same text. Without an id the text is the name, and equal rows differ by their order. Two rows
 * that lost their ids can share a text and a place in that order; the rank decides between them. In a table of failed rows
 * the order is theirs alone.
 */
export const findSame = (which: Candidates, isAnyKeyed = false): string => `
  UPDATE incoming AS i SET item = m.key FROM items m
  WHERE i.item IS NULL ${isAnyKeyed ? `AND ${isNotInFile}` : ''} AND m.identity = i.identity AND m.occurrence = i.occurrence AND m.content = i.content AND ${mayBe(which)}
    AND NOT EXISTS (
      SELECT 1 FROM items twin WHERE twin.identity = m.identity AND twin.occurrence = m.occurrence
        AND twin.content = m.content AND (twin.gone, ${rankOf('twin')}) < (m.gone, ${rankOf('m')})
    )`;

/**
 * The same text under another name, or under a name where it had none. Of several matches, items in the file come before
 * those that left it, in order; an item whose name is in the file is the last choice for a row of another name. `text`
 * is the text that was sent, or the later text of the row.
 */
const findText = ({
  items,
  text,
  which,
  rows = 'item IS NULL',
}: {
  items: string;
  text: string;
  which: Candidates;
  rows?: string;
}): string => `
  UPDATE incoming SET item = found.key FROM (
    SELECT i.row, c.key FROM (
      SELECT row, content, row_number() OVER (PARTITION BY content ORDER BY row) AS n FROM incoming WHERE ${rows}
    ) i JOIN (
      SELECT m.key, ${text} AS content, row_number() OVER (
        PARTITION BY ${text}
        ORDER BY m.gone, named.identity IS NOT NULL, ${rankOf('m')}
      ) AS n
      FROM ${items} LEFT JOIN (
        SELECT DISTINCT identity FROM incoming WHERE id IS NOT NULL
      ) named ON named.identity = m.identity
      WHERE ${text} IN (SELECT content FROM incoming WHERE ${rows}) AND ${candidates[which]} AND ${isNotInFile}
    ) c ON c.content = i.content AND c.n = i.n
  ) found WHERE found.row = incoming.row`;

export const findSentText = (which: Candidates): string =>
  findText({ items: 'items m', text: 'm.content', which });

/** In a table of failed rows: one that has ended well since has no id that would say so. */
export const findEndedText = findText({
  items: 'items m',
  text: 'm.content',
  which: 'all',
  rows: 'item IS NULL AND id IS NULL',
});

export const findEditedText = (which: Candidates): string =>
  findText({ items: 'edits e JOIN items m ON m.key = e.item', text: 'e.content', which });

/** The same name and the text that the row got after it was sent. */
export const findSameEdit = `
  UPDATE incoming AS i SET item = m.key FROM items m JOIN edits e ON e.item = m.key
  WHERE i.item IS NULL AND i.id IS NOT NULL AND m.identity = i.identity AND e.content = i.content
    AND ${isNotInFile}`;

/** The same name and another text. Excludes paid rows that left the file: their name now means a new row. */
export const findName = `
  UPDATE incoming AS i SET item = m.key FROM items m
  WHERE i.item IS NULL AND i.id IS NOT NULL AND m.identity = i.identity
    AND (m.gone = 0 OR m.status IN (${sqlWords(statusesOfOutcome('takes-text'))})) AND ${isNotInFile}`;

export const isAnyCorrected = 'SELECT EXISTS (SELECT 1 FROM corrected) AS found';

/** Pairs of a row of the file and an item that are free for each other, in their order; `@place` names one, or is null. */
export const freePairs = (which: Candidates): string => `
  SELECT p.place, p.row, p.item FROM corrected p JOIN incoming i ON i.row = p.row JOIN items m ON m.key = p.item
  WHERE i.item IS NULL AND ${candidates[which]} AND ${isNotInFile}
    AND (@place IS NULL OR p.place = @place) ORDER BY p.place`;

/** Pairs whose row has no item yet. */
export const pairsLeft = `
  SELECT p.place, p.row, p.item FROM corrected p JOIN incoming i ON i.row = p.row
  WHERE i.item IS NULL ORDER BY p.place`;

/**
 * The text that was sent in place of the row's own, under another name or without one: the row is then compared by its own
 * text.
 */
export const matchCorrected = `
  UPDATE incoming AS i SET item = m.key, content = m.content, written = NULL, fresh = NULL,
    input_digest = p.own_digest, input = p.own, identity = CASE WHEN i.id IS NULL THEN m.content ELSE i.identity END,
    occurrence = CASE WHEN i.id IS NULL THEN m.occurrence ELSE 1 END
  FROM corrected p JOIN items m ON m.key = p.item WHERE i.row = p.row AND ${dialect.isIn('p.place', 'places', 'int8')}`;

/**
 * Of twins without ids any is as good as another: a row of the file that is `@item` becomes a twin that is free, so that
 * one that can only be `@item` does not become a new row.
 */
export const leaveToCorrected = (which: Candidates): string => `
  UPDATE incoming AS i SET item = twin.key, occurrence = twin.occurrence FROM (
    SELECT m.key, m.occurrence FROM items m
    JOIN items taken ON taken.key = @item AND taken.content = m.content
    WHERE ${candidates[which]} AND ${isNotInFile} ORDER BY m.gone, m.row, m.key LIMIT 1
  ) twin
  WHERE i.item = @item AND i.id IS NULL
    AND EXISTS (SELECT 1 FROM items m WHERE m.key = @item AND ${candidates[which]})`;

/**
 * A row whose pictures cannot be read now matches the row that names the same pictures (`readAsSaved`). One that was read
 * while they could not, or with its HTML the other way, is known by that, and gets its content of now (`readAsNamed`).
 */
export const readAsSaved = `
  UPDATE incoming SET content = known.content,
    identity = CASE WHEN id IS NULL THEN known.content ELSE incoming.identity END
  FROM (
    SELECT i.row, (
      SELECT m.content FROM pictured p JOIN items m ON m.key = p.item
      WHERE p.written = i.written ORDER BY m.identity <> i.identity, m.gone, m.key LIMIT 1
    ) AS content FROM incoming i WHERE i.written = i.content AND i.failure IS NOT NULL
  ) known WHERE known.row = incoming.row AND known.content IS NOT NULL`;

const readAs = (reading: 'written' | 'otherwise'): string => `
  UPDATE incoming SET fresh = content, content = ${reading}, identity = CASE WHEN id IS NULL THEN ${reading} ELSE identity END
  WHERE ${reading} <> content AND fresh IS NULL AND ${reading} IN (SELECT content FROM items)`;

export const readAsNamed = readAs('written');

/** A row that the run knows with its cells read the other way. */
export const readOtherwise = readAs('otherwise');

/** What an earlier reading took for a row, and nothing was sent of. */
const wasNeverSent = `m.attempt = 0 AND m.status IN ${sqlList('waiting')}`;

/** Titles of sections are no rows, but for those that were sent: they keep their videos. */
export const leaveOutHeadings = `
  UPDATE headings SET content = i.content FROM incoming i WHERE i.row = headings.row;
  DELETE FROM headings WHERE content IN (SELECT m.content FROM items m WHERE NOT (${wasNeverSent}));
  DELETE FROM incoming WHERE row IN (SELECT row FROM headings)`;

/** The item stands in the file as the title of a section: it leaves without a word. */
export const isHeadingNow = `${wasNeverSent} AND m.content IN (SELECT content FROM headings)`;

const isMadeUp = (id: string): string => `substr(${id}, 1, 4) IN (${sqlWords(Object.values(madeUp))})`;

/** Ids in the file that the tool itself gave to another row: an id must never change its meaning. */
export const idsGivenAway = `
  WITH given AS MATERIALIZED (
    SELECT i.row, i.id, i.line, m.key FROM incoming i JOIN items m ON m.id = i.id
    WHERE ${isMadeUp('i.id')} AND m.identity = m.content AND i.item IS DISTINCT FROM m.key ORDER BY i.row LIMIT 1000
  )
  SELECT g.id, g.line, coalesce(other.line, u.line) AS first
  FROM given g LEFT JOIN incoming other ON other.item = g.key LEFT JOIN unchanged u ON u.item = g.key
  GROUP BY g.row ORDER BY g.row`;

/** Rows of the file that the run knows under another id from the user. */
const isRenumbered = 'i.id IS NOT NULL AND m.identity <> i.identity AND m.identity <> m.content';

export const countRenumbered = `
  SELECT count(*) AS n FROM incoming i JOIN items m ON m.key = i.item WHERE ${isRenumbered}`;

export const renumberedRows = `
  SELECT m.id AS was, i.id FROM incoming i JOIN items m ON m.key = i.item
  WHERE ${isRenumbered} ORDER BY i.row LIMIT 20`;

/** Known rows that were sent and now have a text that is new under their id, or their key. */
const isKeeping = `(i.id IS NOT NULL OR i.keyed IS NOT NULL) AND m.status NOT IN (${sqlWords(statusesOfOutcome('takes-text'))})
  AND m.content <> i.content AND NOT EXISTS (SELECT 1 FROM edits e WHERE e.item = m.key AND e.content = i.content)`;

export const countKeeping = `
  SELECT count(*) AS n FROM incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping}`;

export const keepingRows = `
  SELECT m.id, i.line FROM incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping} ORDER BY i.row LIMIT 1000`;

export const hasRival = `
  SELECT EXISTS (
    SELECT 1 FROM incoming i JOIN items m ON m.key = i.item WHERE ${isKeeping} AND m.content IN (
      SELECT m.content FROM incoming i JOIN items m ON m.key = i.item WHERE ${isRenumbered}
    )
  ) AS found`;

export const isAnyTextKnown = `
  SELECT EXISTS (SELECT 1 FROM unchanged) OR EXISTS (
    SELECT 1 FROM incoming i JOIN items m ON m.key = i.item LEFT JOIN edits e ON e.item = m.key
    WHERE i.content IN (m.content, e.content)
  ) AS found`;
