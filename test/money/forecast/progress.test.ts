import { describe, expect, it, test } from 'vitest';
import {
  affordableRows,
  createProgress,
  type ForecastFacts,
  forecast,
  noteProgress,
  rowsForLater,
  rowsOfRun,
  surveyOpen,
} from '../../../src/money/forecast/progress.ts';
import type { Item } from '../../../src/money/item.ts';
import { defaultPolicy, type Policy } from '../../../src/money/policy.ts';
import { applyChange, createLedger, type Ledger } from '../../../src/money/summary.ts';
import { at, itemIn } from '../lives.ts';

/** A run that is watched, and the rows it is made of. */
function watchedRun(pending = 0, policy: Partial<Policy> = {}) {
  const progress = createProgress();
  const ledger: Ledger = createLedger();
  ledger.counts.pending = pending;
  let key = 0;

  function change(before: Item, after: Item, now: number): Item {
    applyChange(ledger, before, after);
    noteProgress(progress, before, after, { ledger, now });
    return after;
  }

  /** A row gets its task at this time. */
  function open(now: number): Item {
    key += 1;
    const before = itemIn('pending', { key });
    const claimed = change(before, itemIn('submitting', { key, submittedAt: now, endedAt: null }), now);
    const task = { key, submittedAt: now, endedAt: null, points: null, taskId: `task-${key}` };
    return change(claimed, itemIn('open', task), now);
  }

  function end(open: Item, now: number, part: Partial<Item> = {}): Item {
    return change(open, { ...open, status: 'downloading', endedAt: now, points: 10, ...part }, now);
  }

  const outlook = (now: number, part: Partial<ForecastFacts> = {}) =>
    forecast(
      progress,
      {
        ledger,
        policy: { ...defaultPolicy, ...policy },
        toSubmit: ledger.counts.pending,
        latestAt: null,
        ...part,
      },
      now,
    );
  return { progress, ledger, change, open, end, outlook };
}

/** A row that an earlier run submitted. */
const restored = (submittedAt: number): Item => itemIn('open', { key: 99, submittedAt, endedAt: null });

describe('the time left', () => {
  it('includes a pause in which nothing is submitted, where rows still wait', () => {
    const run = watchedRun(2);
    run.end(run.open(0), 10_000);
    const { leftMs } = run.outlook(10_000);
    expect(run.outlook(10_000, { pausedMs: 3_600_000 }).leftMs).toBe(Number(leftMs) + 3_600_000);
    expect(run.outlook(10_000, { pausedMs: 3_600_000, toSubmit: 0 }).leftMs).toBe(0);
  });

  it('is unknown until a task of this run has ended', () => {
    const run = watchedRun(10);
    expect(run.outlook(at)).toMatchObject({ taskMs: null, leftMs: null, hasOwnTasks: true });
    const task = run.open(at);
    expect(run.outlook(at + 1_000).leftMs).toBeNull();
    run.end(task, at + 40_000);
    expect(run.outlook(at + 40_000)).toMatchObject({ taskMs: 40_000 });
    expect(run.outlook(at + 40_000).leftMs).toBeGreaterThan(0);
  });

  it('is never told from a task that an earlier run submitted', () => {
    const run = watchedRun();
    run.ledger.counts.open = 2;
    run.end(restored(at - 1_000), at);
    expect(run.outlook(at, { latestAt: at - 1_000 })).toMatchObject({
      taskMs: null,
      leftMs: null,
      hasOwnTasks: false,
    });
  });

  it('counts the rows to come through the slots that are in use, and the last task at its full length', () => {
    const run = watchedRun(12);
    const first = run.open(at);
    run.open(at);
    run.end(first, at + 10_000);
    run.open(at + 10_000);
    // Nine rows follow through two slots at ten seconds a task; the last one takes its ten seconds.
    expect(run.outlook(at + 10_000).leftMs).toBe(8.5 * 5_000 + 10_000);
  });

  it('follows the slots that are really used, not those that might be', () => {
    const run = watchedRun(101, { concurrency: 50 });
    run.end(run.open(at), at + 10_000);
    expect(run.outlook(at + 10_000).leftMs).toBe(99.5 * 10_000 + 10_000);
  });

  it('is the rest of the task that was submitted last once no more are to come', () => {
    const run = watchedRun();
    const tasks = Array.from({ length: 11 }, () => run.open(at));
    tasks.slice(0, 10).forEach((task, index) => {
      run.end(task, at + (index < 9 ? 10_000 : 60_000));
    });
    const outlook = (waitedMs: number) => run.outlook(at + waitedMs, { latestAt: at, toSubmit: 0 }).leftMs;
    expect(outlook(20_000)).toBe(40_000);
    expect(outlook(59_000)).toBe(1_000);
    // Longer than any so far: nothing tells.
    expect(outlook(61_000)).toBeNull();
  });

  it('falls back on the longest task when the last one takes longer than most', () => {
    const run = watchedRun();
    const tasks = Array.from({ length: 21 }, () => run.open(at));
    tasks.slice(0, 20).forEach((task, index) => {
      run.end(task, at + (index < 19 ? 10_000 : 60_000));
    });
    expect(run.outlook(at + 30_000, { latestAt: at, toSubmit: 0 }).leftMs).toBe(30_000);
    expect(run.outlook(at, { toSubmit: 0 }).leftMs).toBe(10_000);
  });

  it('is nothing once no task is open and none is to come', () => {
    const run = watchedRun();
    run.end(run.open(at), at + 5_000);
    expect(run.outlook(at + 5_000, { toSubmit: 0 })).toMatchObject({ leftMs: 0, hasOwnTasks: false });
  });

  it('follows a service that becomes slower', () => {
    const run = watchedRun(1_000);
    for (let index = 0; index < 100; index += 1) run.end(run.open(at), at + 1_000);
    for (let index = 0; index < 100; index += 1) run.end(run.open(at), at + 60_000);
    expect(run.outlook(at).taskMs).toBe(60_000);
  });

  it('lives with a clock that is put back', () => {
    const run = watchedRun(5);
    run.end(run.open(at), at - 60_000);
    expect(run.outlook(at - 60_000)).toMatchObject({ taskMs: 0, leftMs: 0 });
  });
});

describe('what the pace is taken from', () => {
  it('leaves out creations that made no task, and tasks whose end nobody saw', () => {
    const run = watchedRun();
    for (const part of [
      { status: 'rejected', taskId: null },
      { status: 'uncertain', endedAt: null },
      { status: 'lost', endedAt: null },
    ] as const)
      run.end(run.open(at), at + 1_000, part);
    expect(run.progress.durations).toEqual([]);
    expect(run.progress.watched.size).toBe(0);
  });

  it('leaves out a task that was adopted: nobody knows when it began', () => {
    const run = watchedRun();
    const doubtful = run.end(run.open(at), at + 1_000, { status: 'uncertain', endedAt: null });
    const adopted = run.change(doubtful, { ...doubtful, status: 'open', submittedAt: at + 50_000 }, at);
    run.end(adopted, at + 51_000);
    expect(run.progress.durations).toEqual([]);
  });
});

describe('the points in the end', () => {
  it('are unknown while no price is known', () => {
    const run = watchedRun(10);
    expect(run.outlook(at).totalPoints).toBeNull();
    run.open(at);
    expect(run.outlook(at, { toSubmit: 0 }).totalPoints).toBeNull();
  });

  it('are what is spent when nothing is open or to come, whatever the price', () => {
    expect(watchedRun().outlook(at).totalPoints).toBe(0);
  });

  it('count the rows to come at the mean of this run, failed ones included', () => {
    const run = watchedRun(102);
    run.end(run.open(at), at + 1_000);
    run.end(run.open(at), at + 1_000, { status: 'failed', points: 0 });
    run.end(run.open(at), at + 1_000, { points: null });
    // What the one of unknown price may cost is reserved.
    expect(run.outlook(at + 1_000).totalPoints).toBe(10 + 10 + 99 * 5);
  });

  it('count the rows to come at the most that one cost before, while this run has charged nothing', () => {
    const run = watchedRun(11);
    run.ledger.largestPoints.set('m', 20);
    run.ledger.spent = 40;
    run.end(run.open(at), at + 1_000, { status: 'failed', points: 0 });
    expect(run.outlook(at + 1_000).totalPoints).toBe(40 + 10 * 20);
  });

  it('count open tasks as they are reserved', () => {
    const run = watchedRun();
    run.ledger.largestPoints.set('m', 20);
    run.open(at);
    expect(run.outlook(at, { toSubmit: 0 }).totalPoints).toBe(20);
  });

  it('stay within the cap, and so does the time', () => {
    const run = watchedRun(101, { maxPoints: 35 });
    run.end(run.open(at), at + 10_000);
    const outlook = run.outlook(at + 10_000);
    expect(outlook.totalPoints).toBe(30);
    expect(outlook.leftMs).toBe(1.5 * 10_000 + 10_000);
  });

  it('say how many rows wait once the cap is reached', () => {
    const run = watchedRun(101, { maxPoints: 35 });
    run.end(run.open(at), at + 10_000);
    expect(run.outlook(at + 10_000).stop).toEqual({ why: 'points-cap', rows: 98 });
    expect(run.outlook(at + 10_000, { toSubmit: 2 }).stop).toBeNull();
  });

  it('promise no fractions where a mean is in them, and never more than the cap', () => {
    const run = watchedRun(10, { maxPoints: 15.5 });
    run.end(run.open(at), at + 1_000, { points: 2.25 });
    run.end(run.open(at), at + 1_000, { points: 2 });
    expect(run.outlook(at + 1_000).totalPoints).toBe(15);
    expect(run.outlook(at + 1_000, { toSubmit: 0 }).totalPoints).toBe(4.25);
  });
});

describe('--halt', () => {
  /** Of these rows every second one ends badly, and two more are under way. */
  function halvedRun(ended: number, haltAfter: number | null) {
    const run = watchedRun(1_000, { haltAfter });
    for (let row = 0; row < ended; row += 1)
      run.end(run.open(at), at + 1_000, { status: row % 2 === 0 ? 'downloading' : 'failed' });
    run.open(at);
    run.open(at);
    return run;
  }

  it('comes first where so large a share of the rows ends badly', () => {
    const { leftMs, stop } = halvedRun(20, 30).outlook(at + 1_000);
    // Ten of thirty are bad: forty more rows, of which two are under way.
    expect(stop).toEqual({ why: 'halt', rows: 978 - 38 });
    expect(leftMs).toBeLessThan(Number(halvedRun(20, null).outlook(at + 1_000).leftMs));
    expect(halvedRun(20, 10).outlook(at).stop).toEqual({ why: 'halt', rows: 978 });
  });

  it('is not foreseen from one or two rows, nor where the rows end before', () => {
    expect(halvedRun(4, 30).outlook(at).stop).toBeNull();
    expect(halvedRun(20, 1_000).outlook(at).stop).toBeNull();
  });

  it('counts bad rows that others had submitted', () => {
    const run = watchedRun(10, { haltAfter: 4 });
    for (let key = 50; key < 53; key += 1)
      run.change(itemIn('downloading', { key }), itemIn('undelivered', { key }), at);
    expect(run.outlook(at).stop).toEqual({ why: 'halt', rows: 9 });
  });
});

test('points with fractions leave room for as many rows as they pay for', () => {
  expect(affordableRows(5, 0, { cap: 0.3, spent: 0, each: 0.1 })).toBe(3);
  expect(affordableRows(5, 0.1, { cap: 0.7, spent: 0.2, each: 0.1 })).toBe(4);
});

test('the rows of a run are those that its time and points stand for; a row that comes back is one of them', () => {
  const ledger = createLedger();
  Object.assign(ledger.counts, { completed: 5, open: 10, pending: 985 });
  expect([rowsForLater(ledger, 5), rowsOfRun(ledger, 5)]).toEqual([980, 20]);
  expect([rowsForLater(ledger, 986), rowsOfRun(ledger, 986)]).toEqual([0, 1_000]);
});

test('the survey finds the slowest open items in whatever order they come, and the latest', () => {
  const items = [3, 1, 4, 2, 5].map((order) => itemIn('open', { id: `q${order}`, submittedAt: at + order }));
  const { slowest, latestAt } = surveyOpen(items, 3);
  expect(slowest.map(({ id }) => id)).toEqual(['q1', 'q2', 'q3']);
  expect(latestAt).toBe(at + 5);
  expect(surveyOpen([], 3)).toEqual({ slowest: [], latestAt: null });
});
