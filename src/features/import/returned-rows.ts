/** Knows the rows of a run's `failed.csv` by their keys, whatever a spreadsheet made of their ids. */

import type { KeyedItem, ReturnedTable } from '../../app/returned-table.ts';
import type { Item } from '../../money/item.ts';
import type { IncomingRow, Source } from '../../money/question.ts';
import { isMadeUp } from '../../money/row-identity.ts';
import { hasMark } from '../../money/statuses.ts';
import { attemptOfLine } from '../../money/subject.ts';
import { nextQuestion } from '../../reports/failed-table.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import { readContent } from '../../text/ids/row-content.ts';
import { textMark } from '../../text/ids/row-key.ts';

/** Rows of a table that came back. */
interface ReturnedRows {
  /** With their items and the ids of these. */
  readonly rows: readonly IncomingRow[];
  /** Ids of rows that have left the text or the attempt of their line: the line says nothing of them. */
  readonly left: readonly string[];
}

/** Knows the rows of a page; the table keeps what is wrong with the others. */
export async function knowByKeys(
  rows: readonly IncomingRow[],
  table: ReturnedTable,
  source: Source,
  checkpoint: Pick<Checkpoint, 'isContent' | 'reportRowsOf'>,
): Promise<ReturnedRows> {
  const lines = rows.map(({ line, id, key = null, content, otherwise = null }) => {
    return {
      line,
      id,
      key,
      contents: [content, otherwise ?? content],
      question: readContent(content).question,
    };
  });
  const keyed = await table.byKey(lines);
  await table.checkIds(lines, async (item, { contents }) => {
    if (hasMark(item.status, 'bad') || (item.status !== 'completed' && item.attempt > 0)) return true;
    // With the text that it was sent with, nothing is paid for.
    return checkpoint.isContent(item.key, contents);
  });
  const keys = keyed.flatMap((found) => (found === null ? [] : [found.item.key]));
  const known = new Map((await checkpoint.reportRowsOf(keys)).map((row) => [row.item.key, row]));
  const kept: IncomingRow[] = [];
  const left: string[] = [];
  for (const [at, row] of rows.entries()) {
    const found = keyed[at] ?? null;
    const now = found === null ? undefined : known.get(found.item.key);
    if (found !== null && now !== undefined && (await hasLeft(now, found, row, checkpoint)))
      left.push(found.item.id);
    else kept.push(withItem(row, found?.item ?? null, source));
  }
  return { rows: kept, left };
}

/**
 * True where the row has another text, or another attempt, than the one that the line was written about, and is not as the
 * line has it: what was mended then would replace what was paid for since. The same line again, which mended it, is no such
 * line.
 */
async function hasLeft(
  now: ReportRow,
  { item, key }: KeyedItem,
  { content, otherwise = null }: IncomingRow,
  checkpoint: Pick<Checkpoint, 'isContent'>,
): Promise<boolean> {
  const next = textMark(nextQuestion(now));
  const isAsMended = textMark(readContent(content).question) === next;
  if (next !== key.text && !isAsMended) return true;
  if (attemptOfLine(key, item) === 'same') return false;
  if (now.edit !== null) return !isAsMended;
  return !(await checkpoint.isContent(item.key, [content, otherwise ?? content]));
}

function withItem(row: IncomingRow, item: Item | null, { fields: { id: column } }: Source): IncomingRow {
  if (item === null) return { ...row, keyed: null };
  const { id, key: keyed } = item;
  // A row that has no id in the file may get one there.
  if (row.id === null || row.id === id || isMadeUp(id)) return { ...row, keyed };
  return { ...row, keyed, id, input: column === undefined ? row.input : { ...row.input, [column]: id } };
}
