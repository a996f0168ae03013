import { describe, expect, it } from 'vitest';
import { fixed } from '../../../src/money/policy.ts';
import { namedRows } from '../../support/incoming-rows.ts';
import { done, failed, forQuestions, refused, uncertain } from '../../support/scripted-tasks.ts';
import { openTrial } from '../../support/virtual-run.ts';

describe('the points cap', () => {
  it('lets one row through alone while no price is known, then as many as it has room for', async () => {
    await using trial = await openTrial(namedRows(8));
    expect(await trial.run({ maxPoints: 35 })).toEqual({ reason: 'points-cap', failure: null });
    const [first = 0, ...others] = trial.tasks.sentMs();
    expect(first).toBe(0);
    expect(others).toEqual(Array(2).fill(330_100 + fixed.gatherMs));
    expect((await trial.checkpoint.ledger()).spent).toBe(30);
  });

  it('warns once at 80 % and once when it is reached', async () => {
    await using trial = await openTrial(namedRows(8));
    await trial.run({ maxPoints: 50 });
    expect(trial.warnings).toEqual([
      'spent and reserved points have reached 80 % of the cap (40 of 50)',
      'the points cap is reached (50 spent); nothing more is submitted',
    ]);
  });

  it('counts what earlier runs spent, and knows their price', async () => {
    await using trial = await openTrial(namedRows(8));
    await trial.run({ maxPoints: 10 });
    const before = trial.clock.elapsedMs;
    await trial.run({ maxPoints: 40 });
    const warm = before + 200 + fixed.gatherMs;
    expect(trial.tasks.sentMs()).toEqual([0, before, warm, warm]);
    expect((await trial.checkpoint.ledger()).spent).toBe(40);
  });

  it('lets another row through when a task turned out cheaper than was reserved for it', async () => {
    await using trial = await openTrial(namedRows(8), {
      status: (task) => (task.question === 'Question 2' && task.ageMs > 60_000 ? failed() : undefined),
    });
    await trial.run({ maxPoints: 30 });
    expect((await trial.statuses()).slice(0, 5)).toEqual([
      'completed',
      'failed',
      'completed',
      'completed',
      'pending',
    ]);
  });

  it('counts uncertain creations as charged', async () => {
    await using trial = await openTrial(
      namedRows(5),
      forQuestions([2], () => uncertain),
    );
    expect((await trial.run({ maxPoints: 20 })).reason).toBe('points-cap');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({
      completed: 1,
      uncertain: 1,
      pending: 3,
    });
    expect(trial.warnings.at(-1)).toBe(
      'the points cap is reached (10 spent, 10 more reserved by tasks that may still be charged); nothing more is submitted',
    );
  });

  it('of nothing sends nothing', async () => {
    await using trial = await openTrial(namedRows(2));
    expect((await trial.run({ maxPoints: 0 })).reason).toBe('points-cap');
    expect(trial.tasks.creations).toEqual([]);
  });
});

describe('a run that shall not do everything', () => {
  it('stops submitting after so many rows ended badly', async () => {
    await using trial = await openTrial(namedRows(6), { status: () => failed() });
    expect((await trial.run({ concurrency: 1, haltAfter: 2 })).reason).toBe('halt');
    expect(trial.tasks.creations).toHaveLength(2);
    expect(trial.warnings).toEqual(['2 rows ended badly; nothing more is submitted (--halt)']);
  });

  it('submits so many rows and leaves the rest to the next one', async () => {
    await using trial = await openTrial(namedRows(5));
    expect((await trial.run({ limit: 2 })).reason).toBe('limit');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 2, pending: 3 });
    expect((await trial.run({ limit: 3 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(5);
  });

  it('does not count a creation that was refused and is sent again', async () => {
    await using trial = await openTrial(namedRows(3), {
      create: ({ attempt }) => (attempt === 1 ? refused('503', true) : undefined),
    });
    await trial.run({ limit: 1 });
    expect(await trial.statuses()).toEqual(['completed', 'pending', 'pending']);
  });

  it('resumes what is open in addition to the rows that the limit allows', async () => {
    await using trial = await openTrial(namedRows(3));
    const first = trial.createRunner({ limit: 1 });
    const ending = first.run();
    await trial.clock.reach(1_000);
    first.stop('interrupted');
    await ending;
    await trial.run({ limit: 1 });
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'pending']);
  });

  it('submits only the rows that are named', async () => {
    await using trial = await openTrial(namedRows(5));
    expect((await trial.run({ only: ['q4', 'q2'] })).reason).toBe('part');
    expect(await trial.statuses()).toEqual(['pending', 'completed', 'pending', 'completed', 'pending']);
    expect((await trial.run({ only: ['q1', 'q3', 'q5'] })).reason).toBe('done');
  });

  it('looks at a few of many named rows at a time, and comes back to one that was refused for now', async () => {
    await using trial = await openTrial(namedRows(1_300), {
      create: ({ question, attempt }) =>
        question === 'Question 2' && attempt === 1 ? refused('busy', true) : undefined,
      status: (task) => done(task),
    });
    const asked: number[] = [];
    const { pendingItems } = trial.checkpoint;
    trial.checkpoint.pendingItems = (query) => {
      asked.push(query.only?.length ?? Number.POSITIVE_INFINITY);
      return pendingItems.call(trial.checkpoint, query);
    };
    const only = Array.from({ length: 1_200 }, (_, at) => `q${at + 1}`);
    await trial.run({ only, concurrency: 100 });
    const counts = (await trial.checkpoint.ledger()).counts;
    expect([counts.completed, counts.pending]).toEqual([1_200, 100]);
    expect(Math.max(...asked)).toBe(500);
  });
});
