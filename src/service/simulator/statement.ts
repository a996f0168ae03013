/** The statement of the account, as its page would export it: one line for each task that was charged. */

import type { SimulatorLedger } from './task-book.ts';

const header = ['task_id', 'time', 'points', 'question', 'type'];

/** CSV with CRLF. The time is that of the creation. */
export function renderStatement({ tasks }: Pick<SimulatorLedger, 'tasks'>): string {
  const lines = tasks
    .filter(({ points }) => points > 0)
    .map(({ task_id, created_at, points, question }) => [
      task_id,
      created_at,
      String(points),
      question,
      'gen_video',
    ]);
  return [header, ...lines].map((cells) => `${cells.map(renderCell).join(',')}\r\n`).join('');
}

function renderCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
