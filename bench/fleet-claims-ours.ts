/** Claims by the program's own statements, 16 at a time: `URL RUN COUNT WORKERS`. Each worker has its share of the slices. */

import { randomUUID } from 'node:crypto';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { defaultPolicy } from '../src/money/policy.ts';
import { transition } from '../src/money/transition.ts';
import type { ClaimRoom } from '../src/stores/port/checkpoint.ts';
import { sliceCount } from '../src/stores/port/sharing.ts';
import type { Store } from '../src/stores/port/store.ts';
import { placeAt } from './fleet-store.ts';
import { report } from './reporting.ts';

limitNewSpace();

const [url = '', run = '', ...numbers] = process.argv.slice(2);
const [count = 0, workers = 1] = numbers.map(Number);
const limit = 16;

/** Room that never ends: every limit of a run is checked, and none is met. */
const roomOf = (at: number): ClaimRoom => ({
  mostHoldMs: 3_600_000,
  held: 1e6,
  open: 1e6,
  submitting: 1e6,
  submitted: 1e6,
  points: null,
  pricedLateSince: at,
  creations: 0,
  lastSent: null,
  lastFact: Number.MAX_SAFE_INTEGER,
  round: null,
  steering: 0,
  answerBy: at + 90_000,
  at,
});

async function claim({ checkpoint }: Store, worker: number): Promise<void> {
  const slices = Array.from({ length: sliceCount }, (_, slice) => slice).filter(
    (slice) => slice % workers === worker,
  );
  const want = Math.floor(count / workers);
  for (let claimed = 0; claimed < want; ) {
    const found = await checkpoint.pendingItems({ limit, only: null, slices });
    if (found.length === 0) throw new Error('too few rows');
    const at = Date.now();
    const changes = found.map((before) => {
      const event = {
        type: 'claimed',
        at,
        token: randomUUID(),
        requestHash: '0'.repeat(64),
        quality: null,
        aside: null,
      } as const;
      return { before, after: transition(before, event, defaultPolicy).item };
    });
    await checkpoint.commit(changes, { room: roomOf(at), facts: [] });
    claimed += found.length;
  }
}

const stores = await Promise.all(Array.from({ length: workers }, () => placeAt(url, run).open()));
const startedAt = performance.now();
await Promise.all(stores.map(claim));
report('claims', count);
report('ms', performance.now() - startedAt);
for (const store of stores) await store[Symbol.asyncDispose]();
