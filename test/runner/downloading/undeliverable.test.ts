/** While no video can be had, no more are paid for. */

import { describe, expect, it } from 'vitest';
import { namedRows } from '../../support/incoming-rows.ts';
import { done, makingMs } from '../../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../../support/virtual-run.ts';

const refusal = { outcome: 'link-refused', failure: 'the link leads to a text, not a file' } as const;

describe('videos that cannot be fetched', () => {
  it.each([1, 4, 10, 40])('stop submitting, with %i tasks at once, after so many', async (concurrency) => {
    await using trial = await openTrial(namedRows(150), { file: () => refusal });
    const most = Math.min(10, concurrency);
    expect(await trial.run({ concurrency })).toEqual({
      reason: 'delivery-breaker',
      failure: refusal.failure,
    });
    // Those that were open already are paid for, too.
    expect(trial.tasks.tasks.size).toBeLessThanOrEqual(most + concurrency + 1);
    expect(trial.warnings).toEqual([expect.stringContaining('nothing more is submitted until one is')]);
    const { counts } = await trial.checkpoint.ledger();
    expect(counts).toEqual({
      ...counts,
      undelivered: trial.tasks.tasks.size,
      pending: 150 - trial.tasks.tasks.size,
    });
  });

  it('stop a later run after one more, and each after that', async () => {
    await using trial = await openTrial(namedRows(60), { file: () => refusal });
    await trial.run({ concurrency: 5 });
    const paid = trial.tasks.tasks.size;
    for (const night of [1, 2, 3]) {
      expect((await trial.run({ concurrency: 5 })).reason).toBe('delivery-breaker');
      expect(trial.tasks.tasks.size).toBe(paid + night);
    }
  });

  it('are all had, and all rows with them, once the host is well again', async () => {
    await using trial: Trial = await openTrial(namedRows(40), { file: () => refusal });
    await trial.run({ concurrency: 5 });
    trial.tasks.follow({});
    expect(await trial.run({ concurrency: 5 })).toEqual({ reason: 'done', failure: null });
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(40);
    expect(trial.tasks.tasks.size).toBe(40);
  });

  it('are waited for in the same run, which continues with the first one', async () => {
    await using trial: Trial = await openTrial(namedRows(40));
    trial.tasks.follow({
      file: () => (trial.clock.elapsedMs < makingMs + 5 * 60_000 ? refusal : undefined),
    });
    expect(await trial.run({ concurrency: 5 })).toEqual({ reason: 'done', failure: null });
    expect(trial.notes).toContain('a video is delivered again; submitting goes on');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(40);
  });

  it('keep back nothing where others are delivered meanwhile', async () => {
    await using trial = await openTrial(namedRows(60), {
      file: ({ link }) => (Number(/task-(\d+)\//.exec(link)?.[1]) % 3 === 0 ? undefined : refusal),
    });
    expect((await trial.run({ concurrency: 10 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 20, undelivered: 40 });
  });

  it('that were given up for good keep no later run from its rows', async () => {
    await using trial: Trial = await openTrial(namedRows(40), {
      file: ({ link }) => (Number(/task-(\d+)\//.exec(link)?.[1]) <= 10 ? refusal : undefined),
    });
    await trial.run({ concurrency: 5 });
    expect((await trial.run({ concurrency: 5 })).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 30, undelivered: 10 });
  });

  it('are those of completed tasks without a video, too', async () => {
    await using trial = await openTrial(namedRows(60), {
      status: (task) => (task.ageMs < makingMs ? undefined : { ...done(task), videoUrl: null }),
    });
    expect(await trial.run({ concurrency: 4 })).toEqual({
      reason: 'delivery-breaker',
      failure: 'the service completed the task without a video',
    });
    expect(trial.tasks.tasks.size).toBeLessThanOrEqual(9);
  });
});
