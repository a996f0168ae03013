/** Several processes on one run, and claims as each of them makes them. */

import type { Item } from '../../../src/money/item.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { transition } from '../../../src/money/transition.ts';
import type { Change, ClaimRoom, CreationFact } from '../../../src/stores/port/checkpoint.ts';
import type { Sharing } from '../../../src/stores/port/sharing.ts';
import type { Store } from '../../../src/stores/port/store.ts';
import { at, type EventOf, eventOf } from '../../money/lives.ts';
import { runOver, type StoreRun } from '../store-run.ts';
import type { OpenRun } from './runs.ts';

/** A further process that works on the run. */
export async function join(run: Pick<OpenRun, 'place'>): Promise<StoreRun & AsyncDisposable> {
  const store = await run.place.open();
  return { ...runOver(store), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

export function sharingOf({ store }: { readonly store: Store }): Sharing {
  if (store.sharing === null) throw new Error('the store is not shared');
  return store.sharing;
}

/** Room for anything. */
export const wide: ClaimRoom = {
  held: 1_000,
  mostHoldMs: 24 * 3_600_000,
  open: Number.POSITIVE_INFINITY,
  submitting: Number.POSITIVE_INFINITY,
  submitted: null,
  points: null,
  pricedLateSince: 0,
  creations: 0,
  lastSent: null,
  lastFact: 0,
  round: null,
  steering: 0,
  answerBy: at + 90_000,
  at,
};

/** The claim of a pending item. */
export function claimOf(before: Item, part: Partial<EventOf<'claimed'>> = {}): Change {
  const event = eventOf('claimed', { token: `token of ${before.id}`, quality: null, ...part });
  return { before, after: transition(before, event, defaultPolicy).item };
}

/** Claims the rows with these ids in one commit. */
export async function claim(
  run: StoreRun,
  ids: readonly string[],
  room: Partial<ClaimRoom> = {},
  facts: readonly CreationFact[] = [],
): Promise<void> {
  const items = await run.checkpoint.itemsWithIds(ids);
  await run.checkpoint.commit(
    items.map((item) => claimOf(item)),
    { room: { ...wide, ...room }, facts },
  );
}

/** A creation that ended so. */
export function factOf(type: 'creation-accepted' | 'creation-refused'): CreationFact {
  const event =
    type === 'creation-accepted' ? eventOf(type, { taskId: 'task-1' }) : eventOf(type, { failure: 'busy' });
  return { type: 'creation', event, names: ['q1'], startedAt: at, at: at + 1_000 };
}

export const lostFact: CreationFact = { type: 'lost', failure: 'no such task', at };
