/** Settles a row with what the user found out about its task. */

import { randomUUID } from 'node:crypto';
import { systemClock } from '../adapters/system-clock.ts';
import { moveAtRest, type RestEvent } from '../core/at-rest.ts';
import type { Item } from '../core/item.ts';
import { defaultPolicy } from '../core/policy.ts';
import { mayFindTask, transition } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { Sharing } from '../store.ts';
import { askAboutTask } from './ask-service.ts';
import { hasForgotten } from './older-store.ts';
import { openExistingRun } from './open-run.ts';
import type { Options } from './options.ts';
import { readSavedOptions } from './output-folder.ts';
import { type Invocation, withSaved } from './settings.ts';

/** What the user found out about the task of a row. */
export interface Resolution {
  readonly invocation: Invocation;
  readonly id: string;
  /** The task found; null when the service made none. */
  readonly taskId: string | null;
  /** Receives why the task could not be checked with the service; it is adopted nevertheless. */
  unchecked(why: string): void;
}

/** A settled row. */
export interface ResolvedRow {
  /** The task it had before. */
  readonly earlierTaskId: string | null;
  /** False when it is no longer in the input: it is not submitted again. */
  readonly isInFile: boolean;
}

/** Adopts the task, or returns the row to pending. Throws `UsageError` when the row may not be settled this way. */
export async function resolveRow(resolution: Resolution): Promise<ResolvedRow> {
  const { invocation, id, taskId } = resolution;
  await using opened = await openExistingRun(invocation, true);
  const { store } = opened;
  const { checkpoint } = store;
  const [item] = await checkpoint.itemsWithIds([id]);
  if (item === undefined)
    throw new UsageError(`no row has the id ${id}; report.csv lists the uncertain rows`);
  if (store.sharing !== null) await refuseAwaited(store.sharing, item);
  // In a folder this process holds it; in a store the time of its answer is over. So a `submitting` row is left over, and
  // a start would make it uncertain.
  const found =
    item.status === 'submitting'
      ? moveAtRest(item, { type: 'run-started', at: systemClock.now() })
      : item.status === 'pending' && taskId !== null && (await hasForgotten(store.settings))
        ? sentAndForgotten(item)
        : item;
  refuseSettled(found, taskId);
  if (taskId !== null) {
    const other = await checkpoint.itemOfTask(taskId);
    // The task may be that of the row's own earlier attempt: a service can answer a retry with it.
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

/** The row was sent, and its store is an older copy that does not know it: it gets the attempt that the store forgot. */
function sentAndForgotten(item: Item): Item {
  const at = systemClock.now();
  const { quality } = item;
  const claimed = {
    type: 'claimed',
    at,
    token: randomUUID(),
    requestHash: '',
    quality,
    aside: null,
  } as const;
  return moveAtRest(transition(item, claimed, defaultPolicy).item, { type: 'run-started', at });
}

/** The creation of the row may still be on its way: what the user found out about it may change at any moment. */
async function refuseAwaited(sharing: Sharing, { id, key }: Item): Promise<void> {
  const until = await sharing.answerBy(key);
  if (until === null) return;
  const leftMs = until - (await sharing.now());
  if (leftMs <= 0) return;
  const seconds = Math.ceil(leftMs / 1_000);
  throw new UsageError(
    `row ${id} is submitting, and its answer may come for another ${seconds} s; settle it then if it is uncertain`,
  );
}

/** A settled row stays settled: the service itself named its task. */
function refuseSettled(item: Item, taskId: string | null): void {
  const { id, status } = item;
  if (status === 'uncertain' || status === 'lost' || (taskId !== null && mayFindTask(item))) return;
  throw new UsageError(`row ${id} is ${status}, neither uncertain nor lost; there is nothing to resolve`);
}

/** A mistyped id would make the row lost, and its video would never be downloaded. */
async function refuseUnknown(resolution: Resolution, options: Options, taskId: string): Promise<void> {
  const told = await askAboutTask(resolution.invocation, options, taskId);
  if (told.isKnown === false)
    throw new UsageError(
      `the service does not know the task ${taskId} (${told.failure}); check its id; nothing was changed`,
    );
  if (told.isKnown === null) resolution.unchecked(told.why);
}
