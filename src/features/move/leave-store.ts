/** What a run leaves behind in a store that machines share: first its processes end, and all that they know is saved. */

import { hostname } from 'node:os';
import { sep } from 'node:path';
import type { Invocation } from '../../app/options/invocation.ts';
import { holdScratch, scratchBase, takeLeftTasks } from '../../app/scratch.ts';
import { clockOf, systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import type { Item } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import { type Sharing, sliceCount, type WorkerMark } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import { MachineMemory, openKeptMemory, settleStore } from '../fleet/older-store.ts';

/** Everything that processes know goes into the store; from then on nothing changes there. */
export async function leave(store: Store, invocation: Invocation): Promise<void> {
  const { sharing } = store;
  if (sharing === null) throw new Error('this run is in a folder');
  await refuseActive(sharing);
  const base = scratchBase(invocation, store);
  using scratch = holdScratch(base);
  const clock = await clockOf(sharing);
  const now = clock.now();
  const known = await takeLeftTasks(base, scratch, store.checkpoint, now);
  const log = { info: () => {}, warn: () => {} };
  const kept = openKeptMemory(scratch, base);
  using memory = new MachineMemory({ store, sharing, kept, known, clock, log });
  await settleStore(memory, sharing, clock);
  const slices = Array.from({ length: sliceCount }, (_, slice) => slice);
  await settle(store, await sharing.unanswered(slices, now), now);
}

async function refuseActive(sharing: Sharing): Promise<void> {
  const others = (await sharing.workers()).filter(({ name, isHeard }) => isHeard && name !== sharing.worker);
  if (others.length === 0) return;
  const listed = others.map(({ host, pid }) => `${pid} on ${host}`).join(', ');
  throw new UsageError(
    `${others.length === 1 ? '1 process works' : `${others.length} processes work`} on this run (${listed}); stop them, and type the same command again (one that died is missed after ${fixed.workerSilenceMs / 1_000} s)`,
  );
}

/** What processes on this machine kept below `base` was taken along. */
export async function silentElsewhere({ sharing }: Store, base: string): Promise<readonly WorkerMark[]> {
  const workers = (await sharing?.workers()) ?? [];
  const isHere = ({ host, scratch }: WorkerMark): boolean =>
    host === hostname() && scratch?.startsWith(`${base}${sep}`) === true;
  return workers.filter((worker) => !worker.isHeard && worker.scratch !== null && !isHere(worker));
}

/** Nobody sends these creations any more, so whether they made a task is not known. */
export async function settle(
  { checkpoint }: Store,
  items: AsyncIterable<Item> | Iterable<Item>,
  at = systemClock.now(),
): Promise<void> {
  const changes: { before: Item; after: Item }[] = [];
  for await (const before of items)
    changes.push({ before, after: moveAtRest(before, { type: 'run-started', at }) });
  await checkpoint.commit(changes);
}
