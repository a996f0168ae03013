/** The table of uncertain rows as text: printed, or written to a file, and read by `batch resolve --from`. */

import { byteOrderMark, renderCsv } from '../../reports/csv-text.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { keyName, renderRowKey } from '../../text/ids/row-key.ts';
import { listedColumns } from './findings-table.ts';
import type { UncertainRow } from './uncertain-rows.ts';

/** Questions are listed up to this length, which is enough to find a task by. */
const shownLength = 80;

export function uncertainHeader(): string {
  return byteOrderMark + renderCsv([[...listedColumns, keyName]]);
}

/** `taskId` is what was found out; '' for nothing. */
export function renderUncertain(row: UncertainRow, taskId: string): string {
  const { id, run, key, attempt, token, createdAfter, createdBefore, question, likelyTask, answer } = row;
  const letters = [...toTerminalText(question)];
  const shown = letters.slice(0, shownLength).join('');
  const text = letters.length > shownLength ? `${shown}…` : shown;
  return renderCsv([
    [
      id,
      taskId,
      new Date(createdAfter).toISOString(),
      new Date(createdBefore).toISOString(),
      text,
      likelyTask,
      toTerminalText(answer),
      renderRowKey(run, { key, attempt, token }, text),
    ],
  ]);
}
