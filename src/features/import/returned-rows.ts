/** Knows the rows of a run's `failed.csv` by their keys, whatever a spreadsheet made of their ids. */

import type { ReturnedTable } from '../../app/returned-table.ts';
import type { Item } from '../../money/item.ts';
import type { IncomingRow, Source } from '../../money/question.ts';
import { isMadeUp } from '../../money/row-identity.ts';
import { hasMark } from '../../money/statuses.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { readContent } from '../../text/ids/row-content.ts';

/** The rows with their items and the ids of these; the table keeps what is wrong with the others. */
export async function knowByKeys(
  rows: readonly IncomingRow[],
  table: ReturnedTable,
  source: Source,
  checkpoint: Pick<Checkpoint, 'isContent'>,
): Promise<readonly IncomingRow[]> {
  const lines = rows.map(({ line, id, key = null, content, otherwise = null }) => {
    return {
      line,
      id,
      key,
      contents: [content, otherwise ?? content],
      question: readContent(content).question,
    };
  });
  const items = await table.byKey(lines);
  await table.checkIds(lines, async (item, { contents }) => {
    if (hasMark(item.status, 'bad') || (item.status !== 'completed' && item.attempt > 0)) return true;
    // With the text that it was sent with, nothing is paid for.
    return checkpoint.isContent(item.key, contents);
  });
  return rows.map((row, at) => withItem(row, items[at] ?? null, source));
}

function withItem(row: IncomingRow, item: Item | null, { fields: { id: column } }: Source): IncomingRow {
  if (item === null) return { ...row, keyed: null };
  const { id, key: keyed } = item;
  // A row that has no id in the file may get one there.
  if (row.id === null || row.id === id || isMadeUp(id)) return { ...row, keyed };
  return { ...row, keyed, id, input: column === undefined ? row.input : { ...row.input, [column]: id } };
}
