/** The statements that import a matched file, as far as both databases understand them. They run in one transaction. */

import { sqlList } from '../../../money/statuses.ts';
import { sqlWords } from '../../../text/sql-words.ts';
import { isLeaving, isMendedAway } from './plan-statements.ts';
import type { Dialect } from './staging-words.ts';

/** A pending or invalid row also changes with the file it points at, such as an image that exists now. */
export const isChanged = (statuses: readonly string[]): string => `
  m.status IN (${sqlWords(statuses)}) AND (m.content <> i.content
    OR (m.status IN ${sqlList('waiting')} AND (m.status = 'invalid') <> (i.failure IS NOT NULL))
    OR (m.status = 'invalid' AND m.failure IS DISTINCT FROM i.failure))`;

/** Which rows name local pictures, and by what. */
const keepNames = (rows: string): string => `
  INSERT INTO pictured (item, written) SELECT m.key, i.written FROM ${rows}
    AND i.written IS NOT NULL AND m.content = coalesce(i.fresh, i.content)
  ON CONFLICT (item) DO UPDATE SET written = excluded.written WHERE pictured.written <> excluded.written`;

/** Added rows come after the row number `@offset`; new ones have keys after `@lastKey`. */
const offset = 'CAST(@offset AS int8)';

export function applyStatements(dialect: Dialect) {
  const { inputs, change } = dialect;
  /** Changes known rows by those of the file. */
  const known = (set: string, where: string): string =>
    `UPDATE items AS m SET ${set}${change} FROM incoming i WHERE i.item = m.key AND ${where}`;
  return {
    greatestKey: 'SELECT coalesce(max(key), 0) AS n FROM items',
    saveSource: 'INSERT INTO sources (source) VALUES (@text) ON CONFLICT DO NOTHING',
    leave: `UPDATE items AS m SET gone = 1${change} WHERE ${isLeaving(dialect)}`,
    leaveMended: `UPDATE items AS m SET gone = 1${change} WHERE ${isMendedAway(dialect)}`,
    moveRows: known('row = i.row', 'm.row <> i.row'),
    comeBack: known('gone = 0', 'm.gone = 1'),
    /** A row takes its id from the file, whatever it was before. Its folder stays. */
    renumber: known(
      'id = i.id, identity = i.identity, occurrence = 1',
      'i.id IS NOT NULL AND m.identity <> i.identity',
    ),
    renumberTwins: known(
      'occurrence = i.occurrence',
      'i.id IS NULL AND m.identity = m.content AND m.occurrence <> i.occurrence',
    ),
    /** A row that sends the same request but is written differently, such as another note in a column of the user's. */
    updateQuestions: `
      UPDATE questions AS q SET input = t.input
      FROM incoming i JOIN items m ON m.key = i.item JOIN ${inputs} t ON t.row = i.row
      WHERE q.item = m.key AND m.content = i.content AND m.input_digest <> i.input_digest`,
    updateInputDigests: known(
      'input_digest = i.input_digest, source = @source',
      'm.content = i.content AND (m.input_digest <> i.input_digest OR m.source <> @source)',
    ),
    /** Unchanged rows of a file with another name or other columns. */
    updateSources: `
      UPDATE items AS m SET source = @source${change}
      WHERE m.source <> @source AND m.key IN (SELECT item FROM unchanged)`,
    insertQuestions: `
      INSERT INTO questions (item, input)
      SELECT m.key, t.input FROM items m JOIN ${inputs} t ON t.row = m.row - ${offset} WHERE m.key > @lastKey
      ORDER BY m.key`,
    /** A row that was known by another reading of it (`readAsNamed`) is identified by this one from now on. */
    takeBytes: known(
      'content = i.fresh, identity = CASE WHEN m.identity = m.content THEN i.fresh ELSE m.identity END',
      'i.fresh IS NOT NULL AND m.content = i.content',
    ),
    keepNewNames: keepNames(
      `items m JOIN incoming i ON i.row = m.row - ${offset} AND i.item IS NULL WHERE m.key > @lastKey`,
    ),
    keepKnownNames: keepNames('incoming i JOIN items m ON m.key = i.item WHERE true'),
    /** The new text of rows that were sent with another one, kept beside it until a new attempt takes it. */
    keepEdits: `
      INSERT INTO edits (item, content, input_digest, source, quality, failure, input)
      SELECT m.key, i.content, i.input_digest, CAST(@source AS int8), i.quality, i.failure, t.input
      FROM incoming i JOIN items m ON m.key = i.item JOIN ${inputs} t ON t.row = i.row
      WHERE m.content <> i.content
      ON CONFLICT (item) DO UPDATE SET content = excluded.content, input_digest = excluded.input_digest,
        source = excluded.source, quality = excluded.quality, failure = excluded.failure, input = excluded.input
      WHERE (edits.content, edits.input_digest, edits.source, edits.failure) IS DISTINCT FROM
        (excluded.content, excluded.input_digest, excluded.source, excluded.failure)`,
  };
}
