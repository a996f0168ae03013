import { describe, expect, it } from 'vitest';
import { fixed } from '../../src/money/policy.ts';
import { CallbackPolls } from '../../src/runner/polling/callback-polls.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { done, inProgress, type StatusFact } from '../support/scripted-tasks.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { openTrial } from '../support/virtual-run.ts';

/** A run of one row that is made for 60 seconds and polled once an hour; `early` answers its first question, `say` hints at it. */
async function openSlow(statusMs: number, early: StatusFact = inProgress()) {
  const trial = await openTrial(namedRows(1), {
    status: (task) => (task.ageMs < 5_000 ? early : task.ageMs < 60_000 ? inProgress() : done(task)),
    statusMs: () => statusMs,
  });
  const runner = trial.createRunner({ pollIntervalMs: 3_600_000 });
  const ending = runner.run();
  await trial.clock.reach(10_000);
  const { key } = await trial.item('q1');
  const queriedMs = (): readonly number[] => trial.tasks.tasks.get('task-1')?.queriedMs ?? [];
  return Object.assign(trial, { ending, queriedMs, say: () => void runner.noteCallback(key, null) });
}

/** The service does not want to be asked for 40 seconds. */
const refused: StatusFact = { type: 'poll-unanswered', failure: 'HTTP 429', retryAfterMs: 40_000 };

describe('a flood of callbacks about an open row', () => {
  it.for([1, 100, 2_500])('asks the service once a pause, when an answer takes %i ms', async (statusMs) => {
    await using trial = await openSlow(statusMs);
    for (let at = 10_010; at < 70_000; at += 10) {
      trial.say();
      await trial.clock.reach(at);
    }
    await trial.ending;
    expect(trial.clock.elapsedMs).toBeLessThan(90_000);
    const asked = trial.queriedMs();
    const pauses = asked.slice(2).map((at, i) => at - (asked[i + 1] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(Math.max(fixed.callbackPauseMs, statusMs));
    expect(asked.length).toBeGreaterThan(60_000 / (statusMs + 2 * fixed.callbackPauseMs));
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('does not lose the last one: an answer on its way may be older than the news', async () => {
    await using trial = await openSlow(5_000);
    await trial.clock.reach(56_000);
    trial.say();
    // The question of 56 s finds the task in the making and is still on its way.
    await trial.clock.reach(60_500);
    trial.say();
    await trial.ending;
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.clock.elapsedMs).toBeLessThan(120_000);
  });

  it('is not passed on to a service that asked for a rest', async () => {
    await using trial = await openSlow(100, refused);
    for (let at = 10_000; at < 50_000; at += 100) {
      trial.say();
      await trial.clock.reach(at);
    }
    expect(trial.queriedMs().filter((at) => at > 1_000 && at < 40_000)).toEqual([]);
    await trial.clock.reach(61_000);
    trial.say();
    await trial.ending;
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.clock.elapsedMs).toBeLessThan(90_000);
  });
});

describe('a flood of names for the task of an uncertain row', () => {
  it('is tried one by one, with a pause between them, and no more than a few', async () => {
    const clock = new VirtualClock(0);
    const tried: { readonly taskId: string; readonly at: number }[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    const polls = new CallbackPolls(clock, {
      poll: () => {},
      logLost: () => {},
      tryTask: async (_key, taskId) => {
        tried.push({ taskId, at: clock.now() });
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await clock.wait(300);
        atOnce -= 1;
      },
    });
    await Promise.all(Array.from({ length: 2_000 }, (_, i) => polls.noteNamedTask(1, `task-${i % 500}`)));
    expect(mostAtOnce).toBe(1);
    expect(tried.map(({ taskId }) => taskId)).toEqual(
      Array.from({ length: fixed.callbackTasks }, (_, i) => `task-${i}`),
    );
    expect(tried.map(({ at }) => at)).toEqual(tried.map((_, i) => i * (300 + fixed.callbackPauseMs)));
  });

  it('does not keep another row waiting, nor a later name', async () => {
    const clock = new VirtualClock(0);
    const tried: string[] = [];
    const polls = new CallbackPolls(clock, {
      poll: () => {},
      logLost: () => {},
      tryTask: async (key, taskId) => void tried.push(`${key} ${taskId}`),
    });
    await Promise.all([polls.noteNamedTask(1, 'a'), polls.noteNamedTask(2, 'b')]);
    await polls.noteNamedTask(1, 'c');
    expect(tried).toEqual(['1 a', '2 b', '1 c']);
  });
});
