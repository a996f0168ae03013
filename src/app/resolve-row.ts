/** Settles a row by what the user found out about its task. */

import { systemClock } from '../adapters/system-clock.ts';
import { moveAtRest, type RestEvent } from '../core/at-rest.ts';
import type { Item } from '../core/item.ts';
import { mayFindTask } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import { askAboutTask } from './ask-service.ts';
import type { Options } from './options.ts';
import { openExistingFolder, readSavedOptions } from './output-folder.ts';
import { type Invocation, withSaved } from './settings.ts';

/** What was found out about the task of a row. */
export interface Resolution {
  readonly invocation: Invocation;
  readonly id: string;
  /** The task that was found; null where the service made none. */
  readonly taskId: string | null;
  /** Hears why nobody could say whether the service knows the task; it is adopted all the same. */
  unchecked(why: string): void;
}

/** A row that was settled. */
export interface ResolvedRow {
  /** The task it had before. */
  readonly earlierTaskId: string | null;
  /** False where its row has left the input: it is not submitted again. */
  readonly isInFile: boolean;
}

/** Adopts the task that was found, or puts the row back to pending. Throws `UsageError` where nothing may be settled so. */
export async function resolveRow(resolution: Resolution): Promise<ResolvedRow> {
  const { invocation, id, taskId } = resolution;
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
    await refuseUnknown(resolution, withSaved(invocation, await readSavedOptions(store)), taskId);
  }
  const at = systemClock.now();
  const event: RestEvent =
    taskId === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId };
  await checkpoint.commit([{ before: item, after: moveAtRest(found, event) }]);
  const [inFile] = await checkpoint.itemsWithIds([id], 'inFile');
  return { earlierTaskId: item.taskId, isInFile: inFile !== undefined };
}

/** A row that is settled stays so: its task is known from the service itself. */
function refuseSettled(item: Item, taskId: string | null): void {
  const { id, status } = item;
  if (status === 'uncertain' || status === 'lost' || (taskId !== null && mayFindTask(item))) return;
  throw new UsageError(`row ${id} is ${status}, neither uncertain nor lost; there is nothing to resolve`);
}

/** A number that was mistyped would become a lost row, and its task would never be fetched. */
async function refuseUnknown(resolution: Resolution, options: Options, taskId: string): Promise<void> {
  const told = await askAboutTask(resolution.invocation, options, taskId);
  if (told.isKnown === false)
    throw new UsageError(
      `the service does not know the task ${taskId} (${told.failure}); check its id; nothing was changed`,
    );
  if (told.isKnown === null) resolution.unchecked(told.why);
}
