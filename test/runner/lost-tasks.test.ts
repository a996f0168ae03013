import { describe, expect, it } from 'vitest';
import { fixed } from '../../src/money/policy.ts';
import { namedRows } from '../support/incoming-rows.ts';
import {
  done,
  inProgress,
  makingMs,
  notFound,
  refused,
  type Task,
  unanswered,
} from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const tickMs = 30_000;

const numberOf = ({ question }: Task): number => Number(question.replace('Question ', ''));

describe('tasks that become lost in a row', () => {
  it('stop submitting at the third without one that is known', async () => {
    await using trial = await openTrial(namedRows(20), { status: () => notFound });
    expect(await trial.run({ concurrency: 1 })).toEqual({
      reason: 'lost-breaker',
      failure: 'Server error: Task not found',
    });
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ lost: 3, pending: 17 });
    expect(trial.warnings).toEqual([
      'the service does not know several tasks in a row that it accepted; nothing more is submitted: Server error: Task not found',
    ]);
  });

  it('do not stop submitting while the service knows others in between', async () => {
    await using trial = await openTrial(namedRows(12), {
      status: (task) => (numberOf(task) % 2 === 0 ? undefined : notFound),
    });
    expect((await trial.run({ concurrency: 1 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ lost: 6, completed: 6 });
  });

  it('are no reason any more once the service knows a task again: submitting goes on', async () => {
    // The service says nothing of the fourth until after the three others are lost.
    const backMs = 12 * minuteMs;
    await using trial = await openTrial(namedRows(8), {
      status: (task) => {
        if (numberOf(task) > 4) return undefined;
        const isBack = (task.queriedMs.at(-1) ?? 0) >= backMs;
        if (numberOf(task) === 4) return isBack ? undefined : unanswered;
        return notFound;
      },
    });
    expect((await trial.run({ concurrency: 4 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ lost: 3, completed: 5 });
    expect(trial.tasks.sentMs('Question 5')[0]).toBeGreaterThanOrEqual(backMs);
    expect(trial.notes).toContain('the service knows its tasks again; submitting goes on');
  });
});

it('a task that the service knows when a callback has it asked is not lost by what earlier ticks brought', async () => {
  const calledMs = 305_000;
  await using trial = await openTrial(namedRows(1), {
    status: (task) => {
      const at = task.queriedMs.at(-1) ?? 0;
      if (task.ageMs > hourMs) return done(task);
      return at >= calledMs && at < calledMs + 1_000 ? inProgress() : notFound;
    },
  });
  const runner = trial.createRunner();
  const ended = runner.run();
  await trial.clock.reach(calledMs);
  await runner.noteCallback((await trial.item('q1')).key, null);
  await trial.clock.reach(calledMs + 9 * minuteMs);
  expect(await trial.statuses()).toEqual(['open']);
  await trial.clock.reach(calledMs + 12 * minuteMs);
  expect(await trial.statuses()).toEqual(['lost']);
  await ended;
});

describe('a lost row', () => {
  /** When the first task is lost, and when it is asked about next: at the thirtieth tick. */
  const lostMs = 630_000;
  const askedMs = 29 * tickMs;
  /** The second task keeps the run going. */
  const long = (task: Task) => (task.ageMs < hourMs ? inProgress() : done(task));

  it('is asked about again at each tenth tick while the run goes', async () => {
    await using trial = await openTrial(namedRows(2), {
      status: (task) => (numberOf(task) === 1 ? notFound : long(task)),
    });
    await trial.run();
    const [task] = trial.tasks.tasksOf('Question 1');
    const later = task?.queriedMs.filter((at) => at > lostMs).slice(0, 3);
    expect(later).toEqual([askedMs, askedMs + 10 * tickMs, askedMs + 20 * tickMs]);
    expect(await trial.statuses()).toEqual(['lost', 'completed']);
  });

  it('is completed when the service knows its task again, and nothing is paid again', async () => {
    await using trial = await openTrial(namedRows(2), {
      status: (task) => {
        if (numberOf(task) === 2) return long(task);
        return (task.queriedMs.at(-1) ?? 0) > lostMs ? done(task) : notFound;
      },
    });
    const ended = trial.run();
    await trial.clock.reach(lostMs + 1_000);
    expect(await trial.statuses()).toEqual(['lost', 'open']);
    await trial.clock.reach(askedMs + 1_000);
    expect(await trial.statuses()).toEqual(['completed', 'open']);
    await ended;
    expect(trial.tasks.creations).toHaveLength(2);
    expect((await trial.item('q1')).points).toBe(10);
  });

  it('is open again when its task is still being made, and is asked about at every tick', async () => {
    await using trial = await openTrial(namedRows(2), {
      status: (task) => {
        if (numberOf(task) === 2) return long(task);
        if ((task.queriedMs.at(-1) ?? 0) <= lostMs) return notFound;
        return task.ageMs < 20 * minuteMs ? inProgress() : done(task);
      },
    });
    const ended = trial.run();
    await trial.clock.reach(askedMs + 1_000);
    expect(await trial.item('q1')).toMatchObject({ status: 'open', failure: null });
    await ended;
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(task?.queriedMs.filter((at) => at > askedMs)[0]).toBe(askedMs + tickMs);
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
  });
});

describe('--task-timeout', () => {
  const taskTimeoutMs = 10 * minuteMs;

  it('ends the wait once the service has said at two ticks that the task continues past it', async () => {
    await using trial = await openTrial(namedRows(1), { status: () => inProgress() });
    await trial.run({ taskTimeoutMs });
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(task?.queriedMs.filter((at) => at > taskTimeoutMs)).toEqual([
      taskTimeoutMs + tickMs,
      taskTimeoutMs + 2 * tickMs,
    ]);
    expect(await trial.item('q1')).toMatchObject({
      status: 'lost',
      failure: 'the task did not end within 10 minutes (--task-timeout); the service last said "IN_PROGRESS"',
    });
  });

  it('names the state that the service reported last, documented or not', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: ({ queriedMs }) => ({
        type: 'task-progressed',
        frames: [],
        unknownState: `QUEUED_${queriedMs.length}`,
      }),
    });
    await trial.run({ taskTimeoutMs });
    const [task] = trial.tasks.tasksOf('Question 1');
    expect((await trial.item('q1')).failure).toBe(
      `the task did not end within 10 minutes (--task-timeout); the service last said "QUEUED_${task?.queriedMs.length}"`,
    );
  });

  it('says of a task whose answers could not be read that it is so, with what was answered last', async () => {
    const failure = 'HTTP 200, but the body is not JSON; answer: <p>{}</p>';
    await using trial = await openTrial(namedRows(1), {
      status: () => ({
        type: 'poll-unanswered',
        failure,
        retryAfterMs: null,
        isWhole: true,
        isUnread: true,
      }),
    });
    await trial.run({ taskTimeoutMs });
    expect(await trial.item('q1')).toMatchObject({
      status: 'lost',
      failure: `the task did not end within 10 minutes (--task-timeout); the service's answers could not be read: ${failure}`,
    });
    trial.tasks.follow({});
    await trial.run({ taskTimeoutMs });
    expect(await trial.statuses()).toEqual(['completed']);
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('brings home what was lost under a state that counted as open, once it comes with a video', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: () => ({ type: 'task-progressed', frames: [], unknownState: 'SUCCEEDED' }),
    });
    await trial.run({ taskTimeoutMs });
    expect(await trial.statuses()).toEqual(['lost']);
    trial.tasks.follow({ status: (task) => ({ ...done(task), unknownState: 'SUCCEEDED' }) });
    await trial.run({ taskTimeoutMs });
    expect(await trial.item('q1')).toMatchObject({ status: 'completed', failure: null });
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('begins with the creation that was accepted, however long ago one was refused in passing', async () => {
    await using trial = await openTrial(namedRows(3), { create: () => refused('HTTP 429', true) });
    expect((await trial.run({ outageTimeoutMs: minuteMs })).reason).toBe('busy');
    trial.clock.set(3 * hourMs);
    trial.tasks.follow({ status: (task) => (task.ageMs < 45 * minuteMs ? inProgress() : done(task)) });
    await trial.run({ taskTimeoutMs: hourMs });
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
    expect(trial.notes.filter((note) => note.includes('lost'))).toEqual([]);
  });

  it('does not run out while the service says nothing', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => {
        if (task.ageMs < 5 * minuteMs) return inProgress();
        return task.ageMs < 3 * hourMs ? unanswered : done(task);
      },
    });
    expect((await trial.run({ taskTimeoutMs })).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('counts only while the service answers: what it was away for, it may say that the task goes on', async () => {
    const silence = { from: 5 * minuteMs, until: 3 * hourMs };
    await using trial = await openTrial(namedRows(1), {
      status: (task) => {
        if (task.ageMs > silence.until + 4 * minuteMs) return done(task);
        return task.ageMs > silence.from && task.ageMs < silence.until ? unanswered : inProgress();
      },
    });
    await trial.run({ taskTimeoutMs });
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('is never over by the wall clock alone, where an earlier run left the task', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => (task.queriedMs.length > 40 ? done(task) : inProgress()),
    });
    const runner = trial.createRunner({ taskTimeoutMs: hourMs });
    const stopped = runner.run();
    await trial.clock.reach(65_000);
    runner.stop('interrupted');
    await stopped;
    trial.clock.set(dayMs);
    await trial.run({ taskTimeoutMs: hourMs });
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it('needs two words in a row: one tick past it without an answer changes nothing', async () => {
    await using trial = await openTrial(namedRows(1), {
      status: (task) => (task.ageMs > taskTimeoutMs + tickMs ? done(task) : inProgress()),
    });
    await trial.run({ taskTimeoutMs });
    expect(await trial.statuses()).toEqual(['completed']);
  });

  it.for([
    ['a sleep of eight hours', (clock: { sleep(ms: number): void }) => clock.sleep(8 * hourMs)],
    ['a clock that is set forward by a day', (clock: { set(ms: number): void }) => clock.set(dayMs)],
  ] as const)('loses no task to %s that the service has finished', async ([, jump]) => {
    await using trial = await openTrial(namedRows(5));
    const ending = trial.run({ taskTimeoutMs, concurrency: 3 });
    await trial.clock.reach(65_000);
    jump(trial.clock);
    expect((await ending).reason).toBe('done');
    expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
    expect(trial.tasks.creations).toHaveLength(5);
  });

  it('does not run out for a task that continues, where the clock is set forward by a day', async () => {
    await using trial = await openTrial(namedRows(1));
    const ending = trial.run({ taskTimeoutMs });
    await trial.clock.reach(65_000);
    trial.clock.set(dayMs);
    await ending;
    const [task] = trial.tasks.tasksOf('Question 1');
    expect(await trial.statuses()).toEqual(['completed']);
    expect(task?.queriedMs.at(-1)).toBe(makingMs + tickMs);
  });

  it('loses no finished task of an earlier run to a clock that was set forward between the runs', async () => {
    await using trial = await openTrial(namedRows(1));
    const runner = trial.createRunner({ taskTimeoutMs });
    const stopped = runner.run();
    await trial.clock.reach(makingMs + 1_000);
    runner.stop('interrupted');
    await stopped;
    trial.clock.set(dayMs);
    await trial.run({ taskTimeoutMs });
    expect(await trial.statuses()).toEqual(['completed']);
  });
});

describe('a clock that is put back by a day', () => {
  it('keeps neither open tasks nor rows that wait', async () => {
    await using trial = await openTrial(namedRows(4), {
      status: (task) => (task.queriedMs.length === 2 ? { ...unanswered, retryAfterMs: minuteMs } : undefined),
    });
    const ending = trial.run({ concurrency: 2 });
    await trial.clock.reach(31_000);
    trial.clock.set(-dayMs);
    expect((await ending).reason).toBe('done');
    expect(new Set(await trial.statuses())).toEqual(new Set(['completed']));
    expect(trial.clock.elapsedMs).toBeLessThan(hourMs);
  });

  it('keeps no row for an uncertain one that seems to be of tomorrow', async () => {
    await using trial = await openTrial(namedRows(2), {
      create: ({ question, make }) => {
        if (question !== 'Question 1') return undefined;
        make();
        return { type: 'creation-uncertain', failure: 'the connection was lost', origin: 'service' };
      },
    });
    await trial.run({ concurrency: 1 });
    trial.clock.set(-dayMs);
    await trial.run({ concurrency: 1 });
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
    expect(trial.clock.elapsedMs).toBeLessThan(fixed.uncertainHoldMs);
  });
});
