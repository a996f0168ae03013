import { expect, it } from 'vitest';
import { fixed } from '../../../src/money/policy.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import {
  done,
  forQuestions,
  inProgress,
  nobody,
  notSent,
  type Script,
  type Task,
} from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

/** Three times as many tasks as there are connections, and a few. */
const taskCount = 100;
const beatMs = 30_000;

/** When tasks were asked about from the first beat on, in turns: how often at each time (ms since the start). */
function turnsOf({ tasks }: Trial, untilMs: number): Record<number, number> {
  const turns: Record<number, number> = {};
  for (const { queriedMs } of tasks.tasks.values())
    for (const at of queriedMs) if (at >= beatMs && at < untilMs) turns[at] = (turns[at] ?? 0) + 1;
  return turns;
}

const numberOf = ({ question }: Task): number => Number(question.replace('Question ', ''));

it('tasks beyond the connections are asked about in turns, each once a beat', async () => {
  await using trial = await openTrial(namedRows(taskCount));
  await trial.run({ concurrency: taskCount });
  const { pollConnections } = fixed;
  expect(turnsOf(trial, 2 * beatMs)).toEqual({
    [beatMs]: pollConnections,
    [beatMs + 100]: pollConnections,
    [beatMs + 200]: pollConnections,
    [beatMs + 300]: taskCount - 3 * pollConnections,
  });
  for (const { queriedMs } of trial.tasks.tasks.values()) {
    // Before the tasks end: links that wait for their turn are asked for once more.
    const beats = queriedMs
      .filter((at) => at >= beatMs && at < 9 * beatMs)
      .map((at) => Math.floor(at / beatMs));
    expect(beats).toEqual(beats.map((_, i) => i + 1));
  }
});

it('a beat that comes before the last turn of the one before waits for it', async () => {
  await using trial = await openTrial(namedRows(taskCount), {
    status: (task) => (task.ageMs < 20_000 ? inProgress() : done(task)),
  });
  await trial.run({ concurrency: taskCount, pollIntervalMs: 250 });
  const settledMs = 10_000;
  const asked = [...trial.tasks.tasks.values()].map(({ queriedMs }) =>
    queriedMs.filter((at) => at >= settledMs && at < settledMs + 4_000),
  );
  // A sweep of four turns of 100 ms each, one right after the other.
  for (const queriedMs of asked) expect(queriedMs).toHaveLength(10);
});

it('a sweep ends with the run: no further task is asked about', async () => {
  await using trial = await openTrial(namedRows(taskCount));
  const runner = trial.createRunner({ concurrency: taskCount });
  const ending = runner.run();
  await trial.clock.reach(beatMs + 150);
  runner.stop('interrupted');
  await ending;
  expect(turnsOf(trial, 2 * beatMs)).toEqual({
    [beatMs]: fixed.pollConnections,
    [beatMs + 100]: fixed.pollConnections,
  });
});

it('a task that a callback has settled is not asked about again when its turn comes', async () => {
  await using trial = await openTrial(namedRows(taskCount), {
    status: (task) => (numberOf(task) === taskCount && task.ageMs > 20_000 ? done(task) : undefined),
  });
  const runner = trial.createRunner({ concurrency: taskCount });
  const ending = runner.run();
  await trial.clock.reach(beatMs + 10);
  await runner.noteCallback((await trial.item(`q${taskCount}`)).key, null);
  await ending;
  const [last] = trial.tasks.tasksOf(`Question ${taskCount}`);
  expect(last?.queriedMs.filter((at) => at >= beatMs)).toEqual([beatMs + 10]);
});

it('rows that wait for a service out of reach continue at the first answer of a sweep, not at its end', async () => {
  const open = 64;
  let isReachable = false;
  const outage = forQuestions([open + 1], () => notSent);
  const script: Script = {
    create: (creation) => (isReachable ? undefined : outage.create?.(creation)),
    // There for the first rows, then away.
    probe: () => (isReachable || trial.tasks.creations.length === 0 ? undefined : nobody),
    statusMs: (task) => (task.queriedMs.length > 1 && numberOf(task) > 32 ? 20_000 : 100),
  };
  await using trial = await openTrial(namedRows(open + 1), script);
  const ending = trial.run({ concurrency: taskCount });
  await trial.clock.reach(beatMs - 1_000);
  isReachable = true;
  const before = trial.tasks.sentMs(`Question ${open + 1}`).length;
  await ending;
  expect(before).toBe(1);
  expect(trial.tasks.probedMs.filter((at) => at > 0 && at < beatMs).length).toBeGreaterThan(3);
  expect(trial.tasks.sentMs(`Question ${open + 1}`).slice(before)).toEqual([beatMs + 100]);
});

it('an item that is settled while a start still reads, and is met again as it was, is loaded once', async () => {
  await using trial = await openTrial(namedRows(1));
  const first = trial.createRunner();
  const stopped = first.run();
  await trial.clock.reach(5_000);
  first.stop('interrupted');
  await stopped;
  const open = await trial.item('q1');
  expect(open.status).toBe('open');
  const { checkpoint } = trial;
  const items = checkpoint.items.bind(checkpoint);
  checkpoint.items = async function* (statuses, scope) {
    yield* items(statuses, scope);
    if (statuses.includes('downloading')) yield { ...open, status: 'downloading' };
  };
  expect((await trial.run()).reason).toBe('done');
  expect(await trial.statuses()).toEqual(['completed']);
});
