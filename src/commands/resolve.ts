/** `batch resolve`: settles a row by what the user found out about its task. */

import { systemClock } from '../adapters/system-clock.ts';
import { askAboutTask } from '../app/ask-service.ts';
import type { RawOptions } from '../app/options.ts';
import { openExistingFolder, readSavedOptions } from '../app/output-folder.ts';
import { type Invocation, readInvocation, withSaved } from '../app/settings.ts';
import { moveAtRest, type RestEvent } from '../core/at-rest.ts';
import type { Item } from '../core/item.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { mayFindTask } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { Handle } from './command.ts';
import { printNotice, printResult } from './console.ts';
import { givenOptions, resolveGroups } from './flags.ts';

/** Adopts the task that was found, or, with null, puts the row back to pending. */
export async function resolveRow(
  dir: string,
  id: string,
  taskId: string | null,
  flags: RawOptions = {},
): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  await using store = await openExistingFolder(invocation.out);
  const { checkpoint } = store;
  const [item] = await checkpoint.itemsWithIds([id]);
  if (item === undefined)
    throw new UsageError(`no row has the id ${id}; report.csv lists the uncertain rows`);
  // Found `submitting`, it is what a start would make uncertain: nobody holds the folder but this process.
  const found =
    item.status === 'submitting' ? moveAtRest(item, { type: 'run-started', at: systemClock.now() }) : item;
  refuseSettled(found, taskId);
  if (taskId !== null) {
    const other = await checkpoint.itemOfTask(taskId);
    // A retry may well be answered with the task of the row's own earlier attempt.
    if (other !== null && other.key !== item.key)
      throw new UsageError(`task ${taskId} belongs to row ${other.id}; look the task up again`);
    await refuseUnknown(invocation, withSaved(invocation, await readSavedOptions(store)), taskId);
  }
  const at = systemClock.now();
  const event: RestEvent =
    taskId === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId };
  await checkpoint.commit([{ before: item, after: moveAtRest(found, event) }]);
  const [inFile] = await checkpoint.itemsWithIds([id], 'inFile');
  const again = inFile === undefined ? 'its row is no longer in the file' : 'it will be submitted again';
  const now = taskId === null ? `pending: ${again}` : `open: its task is ${taskId}`;
  const instead = item.taskId === null || item.taskId === taskId ? '' : `, no longer ${item.taskId}`;
  printResult(`row ${id} is ${now}${instead}`);
  const next = taskId === null ? 'resume' : 'collect';
  printResult(`Next: batch ${next} ${shellPath(invocation.outShown)}`);
}

/** A row that is settled stays so: its task is known from the service itself. */
function refuseSettled(item: Item, taskId: string | null): void {
  const { id, status } = item;
  if (status === 'uncertain' || status === 'lost' || (taskId !== null && mayFindTask(item))) return;
  throw new UsageError(`row ${id} is ${status}, neither uncertain nor lost; there is nothing to resolve`);
}

/** A number that was mistyped would become a lost row, and its task would never be fetched. */
async function refuseUnknown(
  invocation: Invocation,
  options: Parameters<typeof askAboutTask>[1],
  taskId: string,
): Promise<void> {
  const told = await askAboutTask(invocation, options, taskId);
  if (told.isKnown === false)
    throw new UsageError(
      `the service does not know the task ${taskId} (${told.failure}); check its id; nothing was changed`,
    );
  if (told.isKnown === null) printNotice(`task ${taskId} is accepted unchecked: ${told.why}`);
}

export const handle: Handle = async (argv) => {
  const words = (argv.words as readonly unknown[]).map(String);
  const [first = '', second] = words;
  if (words.length > 2) throw new UsageError('too many words; use `batch resolve [DIR] ID --task-id T`');
  const taskId = argv['task-id'];
  if ((taskId === undefined) === (argv['not-created'] !== true)) {
    throw new UsageError('did the service create the task? Give --task-id T, or --not-created if it did not');
  }
  if (taskId !== undefined && (typeof taskId !== 'string' || taskId.trim() === '')) {
    throw new UsageError('--task-id is empty or was given twice; give the id of one task');
  }
  const [dir, id] = second === undefined ? ['./videos', first] : [first, second];
  const flags = givenOptions(argv, resolveGroups);
  await resolveRow(dir, id, taskId === undefined ? null : String(taskId).trim(), flags);
  process.exitCode = 0;
};
