/** The statements that say what the import of a staged file would do. */

import { qualities } from '../../../money/item.ts';
import { statusesOfOutcome } from '../../../money/plan.ts';
import { madeUp } from '../../../money/row-identity.ts';
import { sqlList } from '../../../money/statuses.ts';
import { sqlWords } from '../../../text/sql-words.ts';
import { byQuality, pendingLengths, readTexts, sumLengths } from '../../run-totals.ts';
import { dialect } from '../dialect.ts';
import { isHeadingNow, isNotInFile } from './match-statements.ts';

/** How many ids of changed rows a plan names; the report has the rest. */
const namedIdsCount = 20;

const column = 'CAST(@column AS text)';

/** A file without rows removes none: it is more often a mistake than an intention. */
export const isLeaving = `m.gone = 0 AND ${isNotInFile}
  AND (EXISTS (SELECT 1 FROM incoming) OR EXISTS (SELECT 1 FROM unchanged))`;

/** Rows that the file has no more. */
export const isGone = `${isLeaving} AND NOT (${isHeadingNow})`;

/**
 * Rows missing from the run's own `failed.csv`, if that has new texts without an id and they are identified by their
 * text: the user corrected that text. A line with a key says by it which row it is. Any other row stays in the reports: the
 * file may be an old one, or only a part.
 */
export const isMendedAway = `m.gone = 0 AND ${isNotInFile}
  AND m.status IN ${sqlList('bad')} AND m.status <> 'uncertain' AND m.identity = m.content
  AND EXISTS (SELECT 1 FROM incoming WHERE item IS NULL AND id IS NULL)
  AND NOT EXISTS (SELECT 1 FROM incoming WHERE keyed IS NOT NULL)`;

/** The first of those, by id. */
export const mendedAwayIds = `SELECT m.id FROM items m WHERE ${isMendedAway} ORDER BY m.row LIMIT ${namedIdsCount}`;

/** The question in a row as it was read, without what another program may change when saving. */
function questionText(input: string, named: string): string {
  const value = `(SELECT e.value FROM json_each(${input}) e WHERE e.key = ${named})`;
  return `CASE WHEN json_valid(${input})
    THEN trim(replace(${value}, char(13, 10), char(10)), char(9, 10, 13, 32)) END`;
}

/** New rows with the question of a row that was sent and leaves; `@column` names the column with the question. */
export const countAskedBefore = `
  SELECT CAST(coalesce(sum(CASE WHEN fresh.n < sent.n THEN fresh.n ELSE sent.n END), 0) AS int8) AS n FROM (
    SELECT text, count(*) AS n FROM (
      SELECT ${questionText('i.input', column)} AS text
      FROM incoming i WHERE i.item IS NULL AND i.failure IS NULL
    ) texts GROUP BY text
  ) fresh JOIN (
    SELECT text, count(*) AS n FROM (
      SELECT ${questionText('q.input', dialect.questionColumn)} AS text FROM items m ${readTexts}
      WHERE ${isLeaving} AND m.status NOT IN (${sqlWords(statusesOfOutcome('takes-text'))})
    ) texts GROUP BY text
  ) sent ON sent.text = fresh.text WHERE fresh.text <> ''`;

/** Added rows come after those of the run. */
export const lastRow = 'SELECT coalesce(max(row), 0) AS n FROM items';

/**
 * Those of these items whose change by another process may be one of the match: they leave the file, which may have their
 * text elsewhere, or their id means another row there.
 */
export const unsettledItems = `
  SELECT m.key FROM items m LEFT JOIN incoming own ON own.item = m.key
  WHERE ${dialect.isIn('m.key', 'items', 'int8')} AND (
    (own.row IS NULL AND m.gone = 0 AND m.key NOT IN (SELECT item FROM unchanged) AND (
      CAST(@isMended AS int8) = 1 OR m.content IN (SELECT content FROM incoming)
      OR EXISTS (SELECT 1 FROM edits e WHERE e.item = m.key AND e.content IN (SELECT content FROM incoming))
    )) OR (own.id IS NULL AND m.identity <> m.content
      AND EXISTS (SELECT 1 FROM incoming i WHERE i.identity = m.identity AND i.item IS NOT m.key))
  )`;

/** What the match knows of these items. */
export const placesOfItems = `
  SELECT m.key, m.row, m.id, m.folder, m.identity, m.occurrence, m.content, m.input_digest, m.source, m.gone,
    e.content AS edit, e.input_digest AS edit_digest, e.failure AS edit_failure, p.written
  FROM items m LEFT JOIN edits e ON e.item = m.key LEFT JOIN pictured p ON p.item = m.key
  WHERE ${dialect.isIn('m.key', 'items', 'int8')} ORDER BY m.key`;

/** Those of these items that leave. */
export const leavingItems = `SELECT m.key FROM items m WHERE ${isLeaving} AND ${dialect.isIn('m.key', 'items', 'int8')}`;

export const countItems = (condition: string): string =>
  `SELECT count(*) AS n FROM items m WHERE ${condition}`;

/** Rows of the file, each with its item and the final that is ordered for it and waits. */
export const withFinals = `incoming i LEFT JOIN items m ON m.key = i.item
  LEFT JOIN finals f ON f.item = m.key AND m.status = 'pending'`;

/** The final was ordered for another text. */
const isOfOtherText = 'f.item IS NOT NULL AND m.content <> i.content';

/** A row whose order falls away has the result of its draft again. */
const statusUnless = (isEnded: string): string => `CASE WHEN ${isEnded} THEN 'completed' ELSE m.status END`;

/** The status by which the import decides what becomes of a row. */
export const statusNow = statusUnless(isOfOtherText);

/** Items whose waiting final falls away, whatever the file says: `@ended`. */
const isEnded = dialect.isIn('m.key', 'ended', 'int8');
const plannedStatus = statusUnless(`(${isOfOtherText}) OR ${isEnded}`);

/** What is sent, and paid: a final that waits has the quality that was ordered. */
const orderedQuality = (own: string): string => `coalesce(f.quality, ${own})`;

export const knownRows = `
  SELECT ${plannedStatus} AS status, count(*) AS count FROM ${withFinals} WHERE i.item IS NOT NULL GROUP BY 1`;

/** Rows whose order for a final falls away. */
export const endedFinals = `
  SELECT m.id, CASE WHEN ${isOfOtherText} THEN 'changed' ELSE 'bad' END AS why FROM ${withFinals}
  WHERE f.item IS NOT NULL AND (${isOfOtherText} OR ${isEnded})
  UNION ALL SELECT m.id, 'bad' AS why FROM unchanged u JOIN items m ON m.key = u.item WHERE ${isEnded}`;

/** Refused rows that now have another text: the refusal no longer applies. */
const isResent = `m.status = 'rejected' AND m.content <> i.content`;

/** Rows that will be pending: new and corrected ones, and known ones that are pending already. */
const submits = (status: string): string =>
  `i.failure IS NULL AND (m.key IS NULL OR ${status} IN ${sqlList('waiting')} OR (${isResent}))`;
const isToSubmit = submits(plannedStatus);

/** Of changed rows: those that can be sent again. */
const isRerunnable = `(${statusNow} IN (${sqlWords(statusesOfOutcome('rerunnable'))}) AND i.failure IS NULL)`;

/** Rows that an import makes, or sends, by what is done with them (`RowOutcome`); all others are kept. */
export const rowOutcomes = `
  SELECT i.row, CASE WHEN m.key IS NULL THEN 'new' WHEN ${statusNow} IN ${sqlList('waiting')} THEN 'waiting' ELSE 'again' END AS outcome
  FROM ${withFinals}
  WHERE (${submits(statusNow)} OR m.key IS NULL OR (CAST(@rerunChanged AS int8) = 1 AND m.content <> i.content AND ${isRerunnable}))
    AND ${dialect.isAmong('i.item', 'items', 'int8')}`;

/** Rows selected by `--only`; a new row gets its id from its row number. `@only` is a list of ids, or null for all. */
const isNamed = (id: string): string => dialect.isAmong(id, 'only', 'text');
const ownId = `coalesce(i.id, m.id, '${madeUp.row}' || (i.row + CAST(@offset AS int8)))`;

/** All counts that one scan of the staged rows gives; `@offset` is the row number that added rows come after. */
export const stagedCounts = `
  SELECT count(*) AS rows, count(*) FILTER (WHERE i.item IS NULL) AS "newRows",
    count(*) FILTER (WHERE i.failure IS NOT NULL) AS invalid, count(*) FILTER (WHERE i.occurrence > 1 AND i.failure IS NULL) AS twins,
    count(*) FILTER (WHERE i.failure IS NOT NULL
      AND (m.key IS NULL OR ${plannedStatus} IN ${sqlList('waiting')} OR (${isResent}))) AS unsendable,
    count(*) FILTER (WHERE ${isResent}) AS resent,
    count(*) FILTER (WHERE ${isToSubmit} AND m.key IS NULL) AS fresh,
    count(*) FILTER (WHERE ${isToSubmit} AND m.status = 'pending' AND m.content = i.content) AS waiting,
    count(*) FILTER (WHERE ${isToSubmit}) AS "toSubmit",
    ${byQuality(orderedQuality('i.quality'), `${isToSubmit} AND ${isNamed(ownId)}`)}
  FROM ${withFinals}`;

/** A row of the run that has no video of its own. */
const hasNoVideo = `NOT EXISTS (
    SELECT 1 FROM artifacts a WHERE a.item = m.key AND a.state = 'saved' AND a.kind IN ('video', 'earlier-video'))`;

/** Rows to submit now that have no video, with what is to be sent of them. */
export const waitingRows = (isAdded: boolean): string => `
  SELECT i.row, ${ownId} AS id, m.key AS item, i.quality, i.input, NULL AS source,
    CASE WHEN m.key IS NULL THEN 'newRows' WHEN m.status = 'pending' AND m.content = i.content THEN 'waiting'
      ELSE 'changed' END AS share
  FROM ${withFinals}
  WHERE ${submits('m.status')} AND ${isNamed(ownId)} AND (m.key IS NULL OR (${hasNoVideo}))
  UNION ALL
  SELECT m.row, m.id, m.key AS item, m.quality, q.input, s.source, 'waiting' AS share
  FROM items m JOIN questions q ON q.item = m.key JOIN sources s ON s.key = m.source
  WHERE m.status = 'pending' AND m.gone = 0 AND ${hasNoVideo} AND ${isNamed('m.id')}
    AND (m.key IN (SELECT item FROM unchanged)${isAdded ? ` OR (${isNotInFile})` : ''})
  ORDER BY row`;

const repeatsOf = (is: string, name: string): string =>
  `coalesce(sum(n) FILTER (WHERE quality ${is}), 0) AS ${name}`;

/** Rows to submit now that send what an earlier one of the file sends, or one that has its video. Numbering the rows of each content takes three times as long. */
export const repeatedRows = `
  SELECT ${[...qualities.map((each) => repeatsOf(`= '${each}'`, each)), repeatsOf('IS NULL', 'none')].join(', ')} FROM (
    SELECT min(i.quality) AS quality,
      count(*) - CASE WHEN i.content IN (SELECT content FROM items WHERE status = 'completed') THEN 0 ELSE 1 END AS n
    FROM ${withFinals} WHERE ${submits(statusNow)} AND f.item IS NULL AND ${isNamed(ownId)} GROUP BY i.content
  ) r`;

/** Rows that are the same in the run and in the file, by status. */
export const unchangedCounts = `
  SELECT ${statusUnless(isEnded)} AS status, count(*) AS count,
    count(*) FILTER (WHERE m.status = 'pending' AND NOT (${isEnded})) AS "toSubmit",
    ${byQuality(orderedQuality('u.quality'), isNamed('m.id'))}
  FROM unchanged u JOIN items m ON m.key = u.item
    LEFT JOIN finals f ON f.item = m.key AND m.status = 'pending' GROUP BY 1`;

/** Pending rows of the run that stay next to those of the file. */
export const keptPending = `
  SELECT count(*) AS "toSubmit", ${byQuality('m.quality', isNamed('m.id'))}
  FROM items m WHERE m.status = 'pending' AND m.gone = 0 AND NOT (${isEnded}) AND ${isNotInFile}`;

/** Lengths of the texts of the rows to submit now; `@column` names the column with the text, one row in `@oneOf` is looked at. */
export const lengthsNow = (isAdded: boolean): string => {
  const waiting = (condition: string): string =>
    `UNION ALL ${pendingLengths(dialect, `${condition} AND ${isNamed('m.id')}`)}`;
  return sumLengths(`
    SELECT ${orderedQuality('i.quality')} AS quality, ${dialect.textLength('i.input', column)} AS length
    FROM ${withFinals}
    WHERE i.row % CAST(@oneOf AS int8) = 0 AND ${submits(statusNow)} AND ${isNamed(ownId)}
    ${waiting('m.key IN (SELECT item FROM unchanged)')} ${isAdded ? waiting(isNotInFile) : ''}`);
};

export const countChanged = (statuses: readonly string[]): string => `
  SELECT count(*) AS n FROM ${withFinals}
  WHERE ${statusNow} IN (${sqlWords(statuses)}) AND m.content <> i.content`;

/** Changed rows that can be sent again, by status. */
export const rerunnableCounts = `
  SELECT ${statusNow} AS status, count(*) AS "toSubmit", ${byQuality('i.quality', isNamed('m.id'))}
  FROM ${withFinals} WHERE ${isRerunnable} AND m.content <> i.content GROUP BY 1`;

const changedIds = (condition: string): string => `
  SELECT coalesce(i.id, m.id) AS id FROM ${withFinals}
  WHERE ${statusNow} NOT IN (${sqlWords(statusesOfOutcome('takes-text'))}) AND m.content <> i.content AND ${condition}
  ORDER BY i.row LIMIT ${namedIdsCount}`;

export const changedSentRows = changedIds('true');
export const rerunnableRows = changedIds(isRerunnable);
/** The others of `changedSentRows`: never paid for again, whatever the user orders. */
export const keepingSentRows = changedIds(`NOT ${isRerunnable}`);

/** Rows that name the same pictures as a known row, with other bytes now. */
export const countRepictured = `
  SELECT count(*) AS n FROM incoming i LEFT JOIN items m ON m.key = i.item
  WHERE i.written <> i.content AND (m.key IS NULL OR m.content <> i.content)
    AND EXISTS (SELECT 1 FROM pictured p WHERE p.written = i.written)`;
