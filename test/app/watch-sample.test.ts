import { describe, expect, it } from 'vitest';
import { openFolder } from '../../src/app/output-folder.ts';
import { readSampleStanding, readWatchSample, saveWatchSample } from '../../src/app/watch-sample.ts';
import type { ItemEvent } from '../../src/money/event.ts';
import { at, eventOf, fileAt } from '../money/lives.ts';
import { incomingRows, namedRows } from '../support/incoming-rows.ts';
import { completed } from '../support/saved-lives.ts';
import { markOf } from '../support/store-contract/reviews.ts';
import { runOver } from '../support/store-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** When the sample was drawn: after every first attempt, before every second. */
const drawnAt = at + 1000;

/** Makes a completed row again, to its end or not. */
function again(id: string, ...end: readonly ItemEvent[]): readonly ItemEvent[] {
  return [
    eventOf('retry-ordered', { at: drawnAt + 1 }),
    eventOf('claimed', { token: `again ${id}`, quality: null, at: drawnAt + 1 }),
    eventOf('creation-accepted', { taskId: `again ${id}`, at: drawnAt + 2 }),
    ...end,
  ];
}

const madeTo = (path: string): readonly ItemEvent[] => [
  eventOf('task-completed', { frames: [], at: drawnAt + 3 }),
  eventOf('video-saved', { file: fileAt(path), at: drawnAt + 4 }),
];

async function openRun(count: number) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const store = stack.use(await openFolder(folder.path));
  const run = runOver(store);
  await run.ingest(incomingRows(...namedRows(count)));
  for (let row = 1; row <= count; row += 1) await run.live(`q${row}`, ...completed(`task ${row}`));
  const keys = new Map((await run.all()).map(({ id, key }) => [id, key]));
  const kept = stack.move();
  return {
    run,
    store,
    keyOf: (id: string) => keys.get(id) ?? -1,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

describe('the rows of a sample', () => {
  it('count with the video that stands for each, whatever becomes of the row', async () => {
    await using opened = await openRun(8);
    const { run, store, keyOf } = opened;
    expect(await readSampleStanding(store, 0.95)).toBeNull();
    const ids = ['q6', 'q3', 'q1', 'q5', 'q2', 'q4'];
    const keys = [...ids.map(keyOf), 999_999];
    const sample = { seed: 1, at: drawnAt, population: 8, size: 7, keys };
    expect(await saveWatchSample(store.settings, { sample, instead: null }, drawnAt)).toBe(true);
    await store.reviews.saveMarks([
      markOf(keyOf('q1'), { mark: 'good' }),
      markOf(keyOf('q2'), { mark: 'bad' }),
      markOf(keyOf('q3'), { mark: 'bad' }),
      markOf(keyOf('q4'), { mark: 'good' }),
      markOf(keyOf('q4'), { mark: 'bad', reviewer: 'Ben' }),
      markOf(keyOf('q5'), { mark: 'good' }),
      markOf(keyOf('q6'), { mark: 'good' }),
      markOf(keyOf('q7'), { mark: 'bad' }),
    ]);
    expect(await readSampleStanding(store, 0.95)).toMatchObject({ watched: 6, bad: 3, madeAgain: 0 });
    // One is being made again, one was, one was too but its first video stands, one has left the input.
    await run.live('q2', ...again('q2'));
    await run.live('q3', ...again('q3', ...madeTo('q3/video.mp4')));
    await run.live('q5', ...again('q5', ...madeTo('q5/video.mp4')));
    await store.reviews.prefer(new Map([[keyOf('q5'), 1]]));
    // It is not drawn: of its new video nothing is known.
    await run.live('q8', ...again('q8', ...madeTo('q8/video.mp4')));
    await run.ingest(incomingRows(...namedRows(5)));
    expect(await readSampleStanding(store, 0.95)).toEqual({
      ...{ population: 8, size: 7, confidence: 0.95, watched: 5, bad: 2 },
      ...{ madeAgain: 1, toWatchAgain: 1, others: 1, othersAgain: 1, mostBad: 1, left: 2 },
    });
  });

  it('are read in pages, where there are many', async () => {
    await using opened = await openRun(3);
    const { store, keyOf } = opened;
    const unknown = Array.from({ length: 1200 }, (_, key) => 10_000 + key);
    const keys = [keyOf('q1'), keyOf('q2'), ...unknown, keyOf('q3')];
    const sample = { seed: 1, at: drawnAt, population: 2000, size: keys.length, keys };
    await saveWatchSample(store.settings, { sample, instead: null }, drawnAt);
    await store.reviews.saveMarks(['q1', 'q2', 'q3'].map((id) => markOf(keyOf(id), { mark: 'good' })));
    expect(await readSampleStanding(store, 0.95)).toMatchObject({ size: 1203, watched: 2 });
  });

  it('were drawn no later than now, by the clock of the store', async () => {
    await using opened = await openRun(1);
    const { store, keyOf } = opened;
    const sample = { seed: 1, at: drawnAt + 60_000, population: 1, size: 1, keys: [keyOf('q1')] };
    expect(await saveWatchSample(store.settings, { sample, instead: null }, drawnAt)).toBe(true);
    expect(await readWatchSample(store)).toEqual({ ...sample, at: drawnAt });
  });
});
