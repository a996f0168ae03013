/** The statements that say what the import of a staged file would do. */

import { statusesOfFate } from '../../core/plan.ts';
import { isNotInFile, madeUp } from './ingest-match-statements.ts';
import {
  itemQuestion,
  pendingLengths,
  questionText,
  readTexts,
  sumLengths,
  textLength,
} from './run-totals.ts';

/** How many ids of changed rows a plan names; the report has the rest. */
const namedIdsCount = 20;

const list = (statuses: readonly string[]): string => statuses.map((status) => `'${status}'`).join(', ');

/** A file without rows removes none: it is more often a mistake than an intention. */
export const isLeaving = `m.gone = 0 AND ${isNotInFile}
  AND (EXISTS (SELECT 1 FROM pg_temp.incoming) OR EXISTS (SELECT 1 FROM pg_temp.unchanged))`;

/**
 * Rows missing from the run's own `failed.csv`, if that has new texts without an id and they are identified by their
 * text: the user corrected that text. Any other row stays in the reports: the file may be an old one, or only a part.
 */
export const isMendedAway = `m.gone = 0 AND ${isNotInFile}
  AND m.status IN ('invalid', 'rejected', 'failed', 'undelivered', 'lost') AND m.identity = m.content
  AND EXISTS (SELECT 1 FROM pg_temp.incoming WHERE item IS NULL AND id IS NULL)`;

/** New rows with the question of a row that was sent and leaves; `$1` names the column with the question. */
export const countAskedBefore = `
  SELECT coalesce(sum(least(fresh.n, sent.n)), 0)::int8 AS n FROM (
    SELECT text, count(*) AS n FROM (
      SELECT ${questionText('t.input', '$1::text')} AS text
      FROM pg_temp.incoming i JOIN pg_temp.staged_inputs t ON t.row = i.row
      WHERE i.item IS NULL AND i.failure IS NULL
    ) texts GROUP BY text
  ) fresh JOIN (
    SELECT text, count(*) AS n FROM (
      SELECT ${itemQuestion} AS text FROM items m ${readTexts}
      WHERE ${isLeaving} AND m.status NOT IN (${list(statusesOfFate('takes-text'))})
    ) texts GROUP BY text
  ) sent ON sent.text = fresh.text WHERE fresh.text <> ''`;

export const countItems = (condition: string): string =>
  `SELECT count(*) AS n FROM items m WHERE ${condition}`;

export const knownRows = `
  SELECT m.status, count(*) AS count FROM pg_temp.incoming i JOIN items m ON m.key = i.item GROUP BY m.status`;

/** Counts of these rows by their own quality, as columns. */
const byQuality = (quality: string, condition = 'true'): string => `
  count(*) FILTER (WHERE ${condition} AND ${quality} = 'h') AS h,
  count(*) FILTER (WHERE ${condition} AND ${quality} = 'm') AS m,
  count(*) FILTER (WHERE ${condition} AND ${quality} = 'l') AS l,
  count(*) FILTER (WHERE ${condition} AND ${quality} IS NULL) AS none`;

/** Refused rows that now have another text: the refusal no longer applies. */
const isResent = `m.status = 'rejected' AND m.content <> i.content`;

/** Rows that will be pending: new and corrected ones, and known ones that are pending already. */
const isToSubmit = `i.failure IS NULL AND (m.key IS NULL OR m.status IN ('pending', 'invalid') OR (${isResent}))`;

/** Rows selected by `--only`; a new row gets its id from its row number. `$1` is a list of ids, or null for all. */
const isNamed = (id: string): string => `($1::text[] IS NULL OR ${id} = ANY ($1::text[]))`;
const ownId = `coalesce(i.id, m.id, '${madeUp.row}' || (i.row + $2::int8))`;

/** All counts that one scan of the staged rows gives; `$2` is the row number that added rows come after. */
export const stagedCounts = `
  SELECT count(*) AS rows, count(*) FILTER (WHERE i.item IS NULL) AS "newRows",
    count(*) FILTER (WHERE i.failure IS NOT NULL) AS invalid, count(*) FILTER (WHERE i.occurrence > 1) AS twins,
    count(*) FILTER (WHERE i.failure IS NOT NULL
      AND (m.key IS NULL OR m.status IN ('pending', 'invalid') OR (${isResent}))) AS unsendable,
    count(*) FILTER (WHERE ${isResent}) AS resent,
    count(*) FILTER (WHERE ${isToSubmit} AND m.key IS NULL) AS fresh,
    count(*) FILTER (WHERE ${isToSubmit} AND m.status = 'pending' AND m.content = i.content) AS waiting,
    count(*) FILTER (WHERE ${isToSubmit}) AS "toSubmit",
    ${byQuality('i.quality', `${isToSubmit} AND ${isNamed(ownId)}`)}
  FROM pg_temp.incoming i LEFT JOIN items m ON m.key = i.item`;

/** Rows that are the same in the run and in the file, by status. */
export const unchangedCounts = `
  SELECT m.status, count(*) AS count, count(*) FILTER (WHERE m.status = 'pending') AS "toSubmit",
    ${byQuality('u.quality', isNamed('m.id'))}
  FROM pg_temp.unchanged u JOIN items m ON m.key = u.item GROUP BY m.status`;

/** Pending rows of the run that stay beside those of the file. */
export const keptPending = `
  SELECT count(*) AS "toSubmit", ${byQuality('m.quality', isNamed('m.id'))}
  FROM items m WHERE m.status = 'pending' AND m.gone = 0 AND ${isNotInFile}`;

/** Lengths of the texts of the rows to submit now; `$3` names the column with the text, one row in `$4` is looked at. */
export const lengthsNow = (isAdded: boolean): string =>
  sumLengths(`
    SELECT i.quality, ${textLength('t.input', '$3::text')} AS length
    FROM pg_temp.incoming i JOIN pg_temp.staged_inputs t ON t.row = i.row LEFT JOIN items m ON m.key = i.item
    WHERE i.row % $4::int8 = 0 AND ${isToSubmit} AND ${isNamed(ownId)}
    UNION ALL ${pendingLengths(`m.key IN (SELECT item FROM pg_temp.unchanged) AND ${isNamed('m.id')}`, '$4')}
    ${isAdded ? `UNION ALL ${pendingLengths(`${isNotInFile} AND ${isNamed('m.id')}`, '$4')}` : ''}`);

export const countChanged = (statuses: readonly string[]): string => `
  SELECT count(*) AS n FROM pg_temp.incoming i JOIN items m ON m.key = i.item
  WHERE m.status IN (${list(statuses)}) AND m.content <> i.content`;

/** Changed rows in these statuses that can be sent again, by status. */
export const rerunnableCounts = (statuses: readonly string[]): string => `
  SELECT m.status, count(*) AS "toSubmit", ${byQuality('i.quality', isNamed('m.id'))}
  FROM pg_temp.incoming i JOIN items m ON m.key = i.item
  WHERE m.status IN (${list(statuses)}) AND m.content <> i.content AND i.failure IS NULL GROUP BY m.status`;

const changedIds = (condition: string): string => `
  SELECT coalesce(i.id, m.id) AS id FROM pg_temp.incoming i JOIN items m ON m.key = i.item
  WHERE m.status NOT IN (${list(statusesOfFate('takes-text'))}) AND m.content <> i.content AND ${condition}
  ORDER BY i.row LIMIT ${namedIdsCount}`;

const isRerunnable = `(m.status IN (${list(statusesOfFate('rerunnable'))}) AND i.failure IS NULL)`;

export const changedSentRows = changedIds('true');
export const rerunnableRows = changedIds(isRerunnable);
/** The others of `changedSentRows`: never paid for again, whatever the user orders. */
export const keepingSentRows = changedIds(`NOT ${isRerunnable}`);

/** Rows that name the same pictures as a known row, with other bytes now. */
export const countRepictured = `
  SELECT count(*) AS n FROM pg_temp.incoming i LEFT JOIN items m ON m.key = i.item
  WHERE i.written <> i.content AND (m.key IS NULL OR m.content <> i.content)
    AND EXISTS (SELECT 1 FROM pictured p WHERE p.written = i.written)`;
