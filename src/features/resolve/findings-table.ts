/**
 * Pure. The table of what a user found out about uncertain rows: printed by `batch resolve --list`, filled in, and read by
 * `batch resolve --from`. Spreadsheets may change its delimiters and line ends.
 */

import { filledKeyColumn } from '../../text/ids/row-key.ts';
import { undoDefuse } from '../../text/spreadsheet-text.ts';
import { parseCells } from '../../text/table-cells.ts';

/** The columns that count, as they are named in the table. */
const findingColumns = ['id', 'task_id'] as const;

/** The columns by which the table is known. */
export const uncertainColumns = [...findingColumns, 'created_after', 'created_before', 'question'] as const;

/** Its columns as it is printed. */
export const listedColumns = [...uncertainColumns, 'likely_task_id', 'answer'] as const;

/** In place of a task: the service made none. */
const notCreatedWord = 'not-created';

/** One row of the table. */
export interface Finding {
  /** '' where only the task is named. */
  readonly id: string;
  /** The cell of the column `batch`; null where it is empty, or the table has none. */
  readonly key: string | null;
  /** True in a table that `batch resolve --list` made: only a list of the user's own may leave open which attempt is meant. */
  readonly isListed: boolean;
  /** The question as the table shows it; '' where it does not. */
  readonly question: string;
  /** Line where the row starts, from 1. */
  readonly line: number;
  /** The task of the row; `not-created` where there is none; `nothing` where the user has not found it yet. */
  readonly found:
    | { readonly type: 'task'; readonly taskId: string }
    | { readonly type: 'not-created' | 'nothing' };
}

/** The rows of a table with the columns `id` and `task_id`; null for any other text. Rows without both are left out. */
export function parseFindings(text: string): readonly Finding[] | null {
  for (const delimiter of [',', ';', '\t']) {
    const table = parseCells(text.replace(/^\ufeff/, ''), delimiter);
    const header = table.slice(0, 1).flatMap(({ cells }) => cells.map((name) => name.trim().toLowerCase()));
    const [idAt, taskAt] = [header.indexOf(findingColumns[0]), header.indexOf(findingColumns[1])];
    const questionAt = header.indexOf('question');
    const keyAt = filledKeyColumn(
      header,
      table.slice(1).map(({ cells }) => cells),
    );
    const isListed = uncertainColumns.every((column) => header.includes(column));
    if (idAt < 0 || taskAt < 0) continue;
    return table.slice(1).flatMap(({ cells, line }) => {
      const cell = (at: number): string => undoDefuse(cells[at] ?? '').trim();
      const row = { id: cell(idAt), key: cell(keyAt) || null, question: cell(questionAt), line, isListed };
      const finding = { ...row, found: foundIn(cell(taskAt)) };
      return finding.id === '' && finding.key === null && finding.found.type === 'nothing' ? [] : [finding];
    });
  }
  return null;
}

function foundIn(cell: string): Finding['found'] {
  if (cell === '') return { type: 'nothing' };
  return cell.toLowerCase() === notCreatedWord ? { type: 'not-created' } : { type: 'task', taskId: cell };
}
