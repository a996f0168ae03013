/** An import while processes work has the same result as one that began when they had done their work. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import type { IngestOptions } from '../../../src/stores/port/import.ts';
import { openScratchStore } from '../../../src/stores/sqlite/sqlite-store.ts';
import { eventOf, events } from '../../money/lives.ts';
import { incomingRows, type WrittenRow } from '../../support/incoming-rows.ts';
import { isNightly, nightSeed } from '../../support/nightly.ts';
import { accepted, completed } from '../../support/saved-lives.ts';
import { plainImport, runOver, type StoreRun } from '../../support/store-run.ts';
import { startPlaces } from './place.ts';

const places = await startPlaces();

const stories = {
  claimed: (name: string) => [eventOf('claimed', { token: name, quality: null })],
  open: (name: string) => accepted(name),
  completed: (name: string) => completed(name),
  failed: (name: string) => [...accepted(name), events['task-failed']],
  refused: (name: string) => [eventOf('claimed', { token: name, quality: null }), events['creation-refused']],
} as const satisfies Readonly<Record<string, (name: string) => readonly ItemEvent[]>>;

type Story = keyof typeof stories;
const story = fc.constantFrom(...(Object.keys(stories) as Story[]));

/** Few texts and ids, so that rows meet. */
const files = fc.uniqueArray(
  fc.record({
    id: fc.option(fc.constantFrom('a', 'b', 'c', 'd')),
    question: fc.constantFrom('A', 'B', 'C', 'D', 'E'),
  }),
  { minLength: 1, maxLength: 6, comparator: (one, other) => one.id !== null && one.id === other.id },
);
const lives = fc.uniqueArray(fc.tuple(fc.nat({ max: 5 }), story), { maxLength: 3, selector: ([at]) => at });

const rowsOf = (file: readonly { id: string | null; question: string }[]): WrittenRow[] =>
  file.map(({ id, question }) => (id === null ? { question } : { id, question }));

/** What is paid for and what for, whatever the rows are called: rows of one text may take each other's place. */
async function outcome({ checkpoint, all }: StoreRun): Promise<readonly string[]> {
  const gone = new Set((await all()).map(({ key }) => key));
  for await (const { key } of checkpoint.items(
    ['pending', 'invalid', 'rejected', 'submitting', 'open', 'downloading', 'completed', 'failed'],
    'inFile',
  ))
    gone.delete(key);
  const rows = (await all()).map(async ({ key, status, attempt }) => {
    const { input } = await checkpoint.input(key);
    const isEdited = (await checkpoint.editOf(key)) !== null;
    return `${input.question} ${status} ${attempt}${isEdited ? ' edited' : ''}${gone.has(key) ? ' gone' : ''}`;
  });
  return (await Promise.all(rows)).sort();
}

async function live(
  run: StoreRun,
  lived: readonly (readonly [number, Story])[],
  when: string,
): Promise<void> {
  const items = await run.all();
  for (const [at, name] of lived) {
    const item = items[at];
    if (item?.status === 'pending') await run.live(item.id, ...stories[name](`${when} ${at}`));
  }
}

it('whatever is sent, refused or ended between its match and its lock', {
  timeout: isNightly ? 900_000 : 60_000,
}, async () => {
  let compared = 0;
  const property = fc.asyncProperty(
    files,
    files,
    lives,
    lives,
    fc.boolean(),
    async (first, second, before, meanwhile, add) => {
      const how: IngestOptions = { ...plainImport, add };
      await using store = await places.openScratch();
      const run = runOver(store);
      await run.ingest(incomingRows(...rowsOf(first)));
      await live(run, before, 'before');
      await using ingest = await store.openIngest();
      await ingest.add(incomingRows(...rowsOf(second)));
      if ((await ingest.match(how)).length > 0) return;
      await ingest.plan({ ...how, only: null });
      await live(run, meanwhile, 'meanwhile');
      try {
        await ingest.apply(how);
      } catch (error) {
        if (error instanceof UsageError) return;
        throw error;
      }
      await using plain = openScratchStore();
      const later = runOver(plain);
      await later.ingest(incomingRows(...rowsOf(first)));
      await live(later, before, 'before');
      await live(later, meanwhile, 'meanwhile');
      await later.ingest(incomingRows(...rowsOf(second)), how);
      compared += 1;
      expect(await outcome(run)).toEqual(await outcome(later));
    },
  );
  await fc.assert(property, { seed: nightSeed, numRuns: isNightly ? 1_500 : 24 });
  expect(compared).toBeGreaterThan(8);
});
