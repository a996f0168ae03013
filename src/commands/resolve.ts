/** `batch resolve`: settles a row with what the user found out about its task. */

import { acceptStore } from '../app/older-store.ts';
import { openExistingRun } from '../app/open-run.ts';
import type { RawOptions } from '../app/options.ts';
import { resolveRow } from '../app/resolve-row.ts';
import { readInvocation } from '../app/settings.ts';
import { UsageError } from '../errors.ts';
import type { Handle } from './command.ts';
import { printNotice, printResult } from './console.ts';
import { givenOptions, resolveGroups } from './flags.ts';

/** Adopts the task, or with null returns the row to pending. */
export async function resolve(
  dir: string,
  id: string,
  taskId: string | null,
  flags: RawOptions = {},
): Promise<void> {
  const invocation = readInvocation(flags, { out: dir });
  const unchecked = (why: string): void => printNotice(`task ${taskId} is accepted unchecked: ${why}`);
  const { earlierTaskId, isInFile } = await resolveRow({ invocation, id, taskId, unchecked });
  const again = isInFile ? 'it will be submitted again' : 'its row is no longer in the file';
  const now = taskId === null ? `pending: ${again}` : `open: its task is ${taskId}`;
  const isSame = earlierTaskId === null || earlierTaskId === taskId;
  printResult(`row ${id} is ${now}${isSame ? '' : `, no longer ${earlierTaskId}`}`);
  const next = taskId === null ? 'resume' : 'collect';
  printResult(`Next: batch ${next} ${invocation.words.run}`);
}

/** Submitting goes on with a store that is an older copy of itself. */
async function acceptOlderStore(flags: RawOptions): Promise<void> {
  const invocation = readInvocation(flags, {});
  if (invocation.shared === null)
    throw new UsageError('--accept-store is for a shared run; give --store and --run');
  await using opened = await openExistingRun(invocation, true);
  const count = await acceptStore(opened.store);
  printResult(
    count === 0
      ? 'the store has forgotten nothing; there is nothing to settle'
      : `${count} forgotten creations count as settled; submitting goes on`,
  );
}

export const handle: Handle = async (argv) => {
  if (argv['accept-store'] === true) {
    await acceptOlderStore(givenOptions(argv, resolveGroups));
    process.exitCode = 0;
    return;
  }
  const words = ((argv.words ?? []) as readonly unknown[]).map(String);
  if (words.length === 0) throw new UsageError('which row? Use `batch resolve [DIR] ID --task-id T`');
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
  await resolve(dir, id, taskId === undefined ? null : String(taskId).trim(), flags);
  process.exitCode = 0;
};
