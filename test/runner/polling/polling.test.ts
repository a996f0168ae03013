import { describe, expect, it } from 'vitest';
import { namedRows } from '../../support/incoming-rows.ts';
import {
  done,
  failed,
  inProgress,
  notFound,
  type StatusFact,
  type Task,
  unanswered,
} from '../../support/scripted-tasks.ts';
import { openTrial } from '../../support/virtual-run.ts';

const hourMs = 3_600_000;

describe('polling', () => {
  it('asks once right after the creation and then once a tick', async () => {
    await using trial = await openTrial(namedRows(2));
    await trial.run();
    const ticks = Array.from({ length: 11 }, (_, at) => (at + 1) * 30_000);
    for (const { madeMs, queriedMs } of trial.tasks.tasks.values())
      expect(queriedMs).toEqual([madeMs, ...ticks]);
  });

  it('never asks about a task twice at once, however short the tick is', async () => {
    await using trial = await openTrial(namedRows(3));
    await trial.run({ pollIntervalMs: 10 });
    for (const { queriedMs } of trial.tasks.tasks.values()) {
      const gaps = queriedMs.slice(1).map((at, i) => at - (queriedMs[i] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(100);
    }
  });

  it('waits with the next tick for the slowest answer to this one', async () => {
    await using trial = await openTrial(namedRows(2), {
      statusMs: (task) => (task.question === 'Question 1' && task.queriedMs.length === 2 ? 70_000 : 100),
    });
    await trial.run();
    const [other] = trial.tasks.tasksOf('Question 2');
    expect(other?.queriedMs.slice(0, 4)).toEqual([other?.madeMs, 30_000, 100_000, 130_000]);
  });

  it('makes up for a long sleep with one sweep', async () => {
    const makingMs = 8 * hourMs + 150_000;
    await using trial = await openTrial(namedRows(2), {
      status: (task) => (task.ageMs < makingMs ? inProgress() : done(task)),
    });
    const ending = trial.run({ taskTimeoutMs: 24 * hourMs });
    await trial.clock.reach(65_000);
    trial.clock.sleep(8 * hourMs);
    expect(await ending).toEqual({ reason: 'done', failure: null });
    const wokenMs = 8 * hourMs + 65_000;
    for (const { madeMs, queriedMs } of trial.tasks.tasks.values()) {
      expect(queriedMs.filter((at) => at < wokenMs)).toEqual([madeMs, 30_000, 60_000]);
      const after = queriedMs.filter((at) => at >= wokenMs);
      expect(after).toEqual(after.map((_, i) => wokenMs + i * 30_000));
    }
  });

  it('changes nothing where it brings no answer, and asks again at the next tick', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => ([2, 3, 4, 5].includes(task.queriedMs.length) ? unanswered : undefined),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(task?.queriedMs.slice(0, 6)).toEqual([200, 30_000, 60_000, 90_000, 120_000, 150_000]);
  });

  it.for([
    ['for as long as the service asks', 45_000, 45_000],
    ['for a minute where what the service asks for is unclear', 'unclear', 60_000],
    [
      'for a minute at most, also where the service asks for a week: what is paid for waits',
      604_800_000,
      60_000,
    ],
  ] as const)('pauses %s', async ([, retryAfterMs, pauseMs]) => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) =>
        task.queriedMs.length === 2 ? { type: 'poll-unanswered', failure: '429', retryAfterMs } : undefined,
    });
    await trial.run();
    const [task] = trial.tasks.tasksOf('Question 1');
    const againMs = 30_100 + pauseMs;
    expect(task?.queriedMs.slice(0, 4)).toEqual([200, 30_000, againMs, againMs + 30_000]);
  });

  it('treats a state that is not documented as one that continues, and warns once', async () => {
    await using trial = await openTrial(namedRows(2), {
      status: (task) =>
        task.ageMs < 180_000
          ? {
              type: 'task-progressed',
              frames: [],
              unknownState: `QUEUED, POSITION ${975 - task.queriedMs.length}`,
            }
          : done(task),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
    expect(trial.warnings).toEqual([
      'the service reports a state that is not documented, "QUEUED, POSITION 974"; it counts as open',
    ]);
  });

  it('treats what ended under a state that is not documented as what it is, and warns once of each', async () => {
    const ends = (task: Task): StatusFact =>
      task.question === 'Question 1' || task.question === 'Question 2' ? done(task) : failed();
    await using trial = await openTrial(namedRows(4), {
      status: (task) => ({ ...ends(task), unknownState: `ENDED ${task.taskId}` }),
    });
    await trial.run({ concurrency: 1 });
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'failed', 'failed']);
    expect(trial.warnings).toEqual([
      'the service reports a state that is not documented, "ENDED task-1"; a video came with it, so it counts as COMPLETED',
      'the service reports a state that is not documented, "ENDED task-3"; only a text came with it, for 0 points, so it counts as FAILED',
    ]);
    for (const { queriedMs } of trial.tasks.tasks.values()) expect(queriedMs).toHaveLength(1);
  });
});

describe('a task that is not to be had', () => {
  it.for([
    ['for ten minutes, however short the tick is', 30_000, 21],
    ['at three ticks in a row, however long the tick is', 900_000, 3],
  ] as const)('is lost when the service does not know it %s', async ([, pollIntervalMs, tickCount]) => {
    await using trial = await openTrial(namedRows(1), { status: () => notFound });
    await trial.run({ pollIntervalMs });
    expect(await trial.item('q1')).toMatchObject({
      status: 'lost',
      failure: 'Server error: Task not found',
      points: null,
    });
    const ticks = Array.from({ length: tickCount }, (_, at) => (at + 1) * pollIntervalMs);
    expect(trial.tasks.tasksOf('Question 1')[0]?.queriedMs).toEqual([200, ...ticks]);
  });

  it('is not lost while the service knows it in between', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => (task.queriedMs.length % 3 === 0 ? undefined : notFound),
    });
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('is lost when it takes too long, keeps its id, and is asked about once more at the next start', async () => {
    await using trial = await openTrial(namedRows(1), { status: () => inProgress() });
    await trial.run({ taskTimeoutMs: 600_000 });
    const lost = await trial.item('q1');
    expect(lost).toMatchObject({
      status: 'lost',
      taskId: 'task-1',
      failure: 'the task did not end within 10 minutes (--task-timeout); the service last said "IN_PROGRESS"',
    });
    const [task] = trial.tasks.tasksOf('Question 1');
    const queryCount = task?.queriedMs.length ?? 0;
    await trial.run({ taskTimeoutMs: 600_000 });
    expect(await trial.item('q1')).toEqual(lost);
    expect(task?.queriedMs).toHaveLength(queryCount + 1);
    trial.tasks.follow({});
    await trial.run({ taskTimeoutMs: 600_000 });
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('is asked about before it is given up, when the computer slept longer than the timeout', async () => {
    await using trial = await openTrial(namedRows(1));
    const ending = trial.run({ taskTimeoutMs: hourMs });
    await trial.clock.reach(65_000);
    trial.clock.sleep(8 * hourMs);
    await ending;
    expect(await trial.statuses()).toEqual(['completed']);
  });
});
