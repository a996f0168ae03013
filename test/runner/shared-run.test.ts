/** What a worker of a shared run makes of what the others may have: its slices, and the store itself. */

import { expect, it } from 'vitest';
import type { Placement } from '../../src/ports.ts';
import type { StoreMemory } from '../../src/runner/context.ts';
import { sliceCount } from '../../src/stores/port/sharing.ts';
import { SharedBook } from '../sim/fleet/shared-book.ts';
import { sharingOver } from '../sim/fleet/shared-store.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { noMemory } from '../support/no-memory.ts';
import { done, inProgress, makingMs, unanswered } from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

const allSlices = new Set(Array.from({ length: sliceCount }, (_, slice) => slice));

/** A worker of a shared run in this trial. */
function joinTrial(
  trial: Trial,
  slices: () => ReadonlySet<number> = () => allSlices,
  memory: StoreMemory = noMemory,
) {
  const placement: Placement = {
    get slices() {
      return slices();
    },
    isKeeper: true,
    onChange: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const book = new SharedBook(trial.db);
  trial.checkpoint.save = async (changes, extras) => {
    book.commit('worker', changes, extras);
    return { isAnswered: true };
  };
  const sharing = sharingOver(book, 'worker', trial.checkpoint);
  return trial.createRunner({ shared: { sharing, placement, stays: false, round: book.round, memory } });
}

it('a row whose slice was away between two looks is polled again, and its video is fetched', async () => {
  let slices: ReadonlySet<number> = allSlices;
  let wasAway = false;
  await using trial = await openTrial(namedRows(1), {
    status: ({ ageMs }) => {
      if (ageMs < 60_000 || wasAway) return undefined;
      wasAway = true;
      slices = new Set();
      // Back before the worker looks the next time, and after the end of this poll.
      void trial.clock.wait(300).then(() => {
        slices = allSlices;
      });
      return inProgress();
    },
  });
  const runner = joinTrial(trial, () => slices);
  const ending = runner.run();
  await trial.clock.reach(makingMs + 120_000);
  expect(wasAway).toBe(true);
  expect(await trial.item('q1')).toMatchObject({ status: 'completed' });
  expect(await ending).toMatchObject({ reason: 'done' });
});

it('a row whose slice was away while it waited for its frames is decided once, when the wait is over', async () => {
  let slices: ReadonlySet<number> = allSlices;
  await using trial = await openTrial(namedRows(1), {
    // Once the task has ended, the service answers no more.
    status: ({ ageMs, ...task }) =>
      ageMs < 60_000 ? inProgress() : ageMs < 100_000 ? done(task, ['1']) : unanswered,
    file: ({ link }) =>
      link.startsWith('frames') ? { outcome: 'unanswered', failure: 'HTTP 503' } : undefined,
  });
  const ending = joinTrial(trial, () => slices).run();
  await trial.clock.reach(100_000);
  expect(await trial.item('q1')).toMatchObject({ status: 'downloading' });
  slices = new Set();
  await trial.clock.wait(10_000);
  slices = allSlices;
  await trial.clock.wait(10_000);
  // Whatever waits is over at one moment.
  trial.clock.sleep(600_000);
  expect(await ending).toMatchObject({ reason: 'done' });
  expect(await trial.item('q1')).toMatchObject({ status: 'completed' });
});

it('a store that knows fewer creations than this process does is paid nothing, also between two looks', async () => {
  await using trial = await openTrial(namedRows(1));
  const memory = { ...noMemory, least: 1 };
  const runner = joinTrial(trial, () => allSlices, memory);
  const ending = runner.run();
  await trial.clock.reach(10_000);
  expect(trial.tasks.creations).toEqual([]);
  memory.least = 0;
  expect(await ending).toMatchObject({ reason: 'done' });
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', attempt: 1 });
});
