/** `batch resolve`: settles an uncertain row by what the user found out. */

import type { ItemEvent } from '../core/item.ts';
import { defaultPolicy } from '../core/policy.ts';
import { shellPath } from '../core/shell-word.ts';
import { transition } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { Handle } from './command.ts';
import { printResult } from './console.ts';
import { openExistingFolder } from './folder.ts';
import { readGiven } from './settings.ts';

/** Adopts the task that was found, or, with null, puts the row back to pending. */
export async function resolveRow(dir: string, id: string, taskId: string | null): Promise<void> {
  const given = readGiven({}, { out: dir });
  using folder = openExistingFolder(given.out);
  const { checkpoint } = folder;
  const [item] = await checkpoint.itemsWithIds([id]);
  if (item === undefined)
    throw new UsageError(`no row has the id ${id}; report.csv lists the uncertain rows`);
  // Found `submitting`, it is what a start would make uncertain: nobody holds the folder but this process.
  const before = item;
  const uncertain =
    item.status === 'submitting'
      ? transition(item, { type: 'run-started', at: Date.now() }, defaultPolicy).item
      : item;
  if (uncertain.status !== 'uncertain') {
    throw new UsageError(`row ${id} is ${item.status}, not uncertain; there is nothing to resolve`);
  }
  const other = taskId === null ? null : await checkpoint.itemOfTask(taskId);
  if (other !== null)
    throw new UsageError(`task ${taskId} is that of row ${other.id}; look the task up again`);
  const at = Date.now();
  const event: ItemEvent =
    taskId === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId };
  await checkpoint.commit([{ before, after: transition(uncertain, event, defaultPolicy).item }]);
  const [inFile] = await checkpoint.itemsWithIds([id], 'inFile');
  const again = inFile === undefined ? 'its row is not in the file any more' : 'it will be submitted again';
  const now = taskId === null ? `pending: ${again}` : `open: its task is ${taskId}`;
  printResult(`row ${id} is ${now}`);
  const next = taskId === null ? 'resume' : 'collect';
  printResult(`Next: batch ${next} ${shellPath(given.outShown)}`);
}

export const handle: Handle = async (argv) => {
  const words = (argv.words as readonly unknown[]).map(String);
  const [first = '', second] = words;
  if (words.length > 2) throw new UsageError('too many words; write `batch resolve [DIR] ID --task-id T`');
  const taskId = argv['task-id'];
  if ((taskId === undefined) === (argv['not-created'] !== true)) {
    throw new UsageError('say how it was: --task-id T, or --not-created');
  }
  if (taskId !== undefined && (typeof taskId !== 'string' || taskId.trim() === '')) {
    throw new UsageError('--task-id is empty or was given twice; write the id of one task');
  }
  const [dir, id] = second === undefined ? ['./videos', first] : [first, second];
  await resolveRow(dir, id, taskId === undefined ? null : String(taskId).trim());
  process.exitCode = 0;
};
