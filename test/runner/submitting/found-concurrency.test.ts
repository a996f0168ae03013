import { expect, it } from 'vitest';
import { addLimitStep } from '../../../src/money/breakers/limit-steps.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { FoundLimit } from '../../../src/runner/submitting/found-limit.ts';
import { limitCourseSetting } from '../../../src/stores/port/settings.ts';
import { ending } from '../../money/lives.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import { createMemorySettings } from '../../support/memory-settings.ts';
import { makingMs, refused, type Script } from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

const search = { searchFrom: 4, concurrency: 64 };

/** Takes so many tasks at once. */
function capped(cap: number): Script {
  const takenMs: number[] = [];
  return {
    create: ({ sentMs }) => {
      if (takenMs.filter((at) => sentMs < at + makingMs + 200).length >= cap)
        return refused('HTTP 429: too many', true);
      takenMs.push(sentMs);
      return undefined;
    },
  };
}

const stepsOf = async ({ settings }: Trial): Promise<readonly (readonly [number, number])[]> =>
  JSON.parse((await settings.get(limitCourseSetting)) ?? 'null').steps;

it('a service that takes twelve tasks at once is given twelve, and every change is said and saved', async () => {
  await using trial: Trial = await openTrial(namedRows(240));
  trial.tasks.follow(capped(12));
  expect((await trial.run(search)).reason).toBe('done');
  expect(trial.tasks.mostOpen).toBe(12);
  const limits = (await stepsOf(trial)).map(([, limit]) => limit);
  expect(limits.slice(0, 9)).toEqual([4, 5, 6, 7, 8, 10, 12, 15, 8]);
  expect(trial.notes.slice(0, 9)).toEqual([
    ...[5, 6, 7, 8, 10, 12, 15].map((limit) => `concurrency is now ${limit}`),
    'the service refuses creations for now (HTTP 429: too many): they are sent when it accepts them again',
    'concurrency is now 8: the service refuses creations for now (HTTP 429: too many)',
  ]);
  // 240 tasks in 20 rounds of twelve would be the best.
  expect(trial.clock.elapsedMs).toBeLessThan(24 * makingMs);
  expect(trial.tasks.creations.length - 240).toBeLessThan(8);
});

it('continues from what was found, unless the range is another one', async () => {
  await using trial: Trial = await openTrial(namedRows(60));
  trial.tasks.follow(capped(6));
  await trial.run({ ...search, limit: 40 });
  const last = (await stepsOf(trial)).at(-1)?.[1];
  expect(last).toBeGreaterThan(4);
  const next = trial.createRunner({ ...search, limit: 10 });
  const ending = next.run();
  await trial.clock.reach(trial.clock.elapsedMs + 1);
  expect(next.concurrency).toBe(last);
  await ending;
  const other = trial.createRunner({ searchFrom: 2, concurrency: 64 });
  expect(other.concurrency).toBe(2);
  await other.run();
});

it('is never above the most that the user allows', async () => {
  await using trial = await openTrial(namedRows(200));
  await trial.run({ searchFrom: 1, concurrency: 9 });
  expect(trial.tasks.mostOpen).toBe(9);
  expect(trial.notes.at(-1)).toBe('concurrency is now 9');
});

it('does not grow while the budget leaves slots free', async () => {
  await using trial = await openTrial(namedRows(40));
  const price = ending.points ?? 0;
  await trial.run({ ...search, maxPoints: 20 * price, limit: 1 });
  await trial.run({ ...search, maxPoints: 3.5 * price });
  expect(trial.tasks.tasks.size).toBe(3);
  expect(trial.notes.filter((text) => text.startsWith('concurrency'))).toEqual([]);
});

it('a number alone searches for nothing and saves nothing', async () => {
  await using trial: Trial = await openTrial(namedRows(20));
  trial.tasks.follow(capped(5));
  await trial.run({ concurrency: 10 });
  expect(await trial.settings.get(limitCourseSetting)).toBeNull();
  expect(trial.notes.filter((text) => text.startsWith('concurrency'))).toEqual([]);
});

it('two workers that save at the same time lose no step', async () => {
  const settings = createMemorySettings();
  const log = { info: () => {}, warn: (...words: unknown[]) => expect(words).toEqual([]) };
  const [one, other] = [new FoundLimit({ settings, log }), new FoundLimit({ settings, log })];
  const policy = { ...defaultPolicy, ...search };
  one.save(5, 1, policy);
  other.save(6, 2, policy);
  await Promise.all([one.idle(), other.idle()]);
  const first = addLimitStep(null, [1, 5], policy);
  expect(await settings.get(limitCourseSetting)).toBe(JSON.stringify(addLimitStep(first, [2, 6], policy)));
});
