import { describe, expect, it } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import { events } from '../money/lives.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { liveOn } from '../support/saved-lives.ts';
import { done, keyRefused, refusedToAll } from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

describe('a stop', () => {
  it('waits for the creations on their way, so that none becomes uncertain', async () => {
    await using trial = await openTrial(namedRows(40));
    const runner = trial.createRunner({ concurrency: 40 });
    const ending = runner.run();
    // One, two, four and eight went before: now sixteen are on their way.
    await trial.clock.reach(900);
    expect(runner.ledger.counts).toMatchObject({ open: 15, submitting: 16 });
    runner.stop('interrupted');
    expect(await ending).toEqual({ reason: 'interrupted', failure: null });
    expect(trial.clock.elapsedMs).toBe(Math.max(...trial.tasks.sentMs()) + 200);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ open: 31, pending: 9, uncertain: 0 });
    const polled = [...trial.tasks.tasks.values()].filter((task) => task.queriedMs.length > 0);
    expect(polled).toHaveLength(15);
  });

  it('takes creations back that are claimed and have not left', async () => {
    await using trial = await openTrial(namedRows(3));
    const runner = trial.createRunner();
    trial.checkpoint.onCommit = (changes) => {
      if (changes.some(({ after }) => after.id === 'q2' && after.status === 'submitting'))
        runner.stop('interrupted');
    };
    await runner.run();
    expect(trial.tasks.sentMs()).toEqual([0]);
    expect(await trial.statuses()).toEqual(['open', 'pending', 'pending']);
  });

  it('cuts polls and downloads, and the next run continues without paying', async () => {
    await using trial = await openTrial(namedRows(2));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(330_200);
    expect(await trial.statuses()).toEqual(['downloading', 'downloading']);
    runner.stop('terminated');
    expect((await ending).reason).toBe('terminated');
    expect(trial.clock.elapsedMs).toBe(330_200);
    expect(await trial.statuses()).toEqual(['downloading', 'downloading']);
    expect((await trial.run()).reason).toBe('done');
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
    expect(trial.tasks.creations).toHaveLength(2);
  });

  it('counts once: the first reason stays', async () => {
    await using trial = await openTrial(namedRows(1));
    const runner = trial.createRunner();
    const ending = runner.run();
    await trial.clock.reach(1_000);
    runner.stop('interrupted');
    runner.stop('terminated');
    expect((await ending).reason).toBe('interrupted');
  });

  it('by a refused key on a poll leaves tasks open, and the next run goes on', async () => {
    await using trial: Trial = await openTrial(namedRows(3), {
      status: (task) => (task.queriedMs.length > 1 ? keyRefused : undefined),
      probe: () => (trial.tasks.creations.length > 0 ? refusedToAll : undefined),
    });
    expect(await trial.run({ concurrency: 2 })).toEqual({
      reason: 'key-refused',
      failure: 'Unauthorized: Invalid API key',
    });
    expect(await trial.statuses()).toEqual(['open', 'open', 'pending']);
    trial.tasks.follow({});
    await trial.run();
    expect(await trial.statuses()).toEqual(['completed', 'completed', 'completed']);
    expect(trial.tasks.creations).toHaveLength(3);
  });
});

describe('a start after a crash', () => {
  it('makes a creation that was on its way uncertain, and never sends it again', async () => {
    await using trial = await openTrial(namedRows(2));
    await liveOn(trial.checkpoint, 'q1', events.claimed);
    await trial.run();
    await trial.run();
    expect(await trial.item('q1')).toMatchObject({ status: 'uncertain', attempt: 1, points: null });
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
    expect(trial.tasks.creations.map((creation) => creation.question)).toEqual(['Question 2']);
  });

  it('resumes more rows than fit on a page', async () => {
    const rows = namedRows(1_203);
    await using trial = await openTrial(rows, { status: done });
    for (const { id = '' } of rows) await liveOn(trial.checkpoint, id, { ...events.claimed, token: id });
    await trial.run();
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ submitting: 0, uncertain: 1_203 });
  });
});

describe('a checkpoint that cannot be written', () => {
  const full = new DiskError('the disk is full');

  it('before a creation keeps it from being sent', async () => {
    await using trial = await openTrial(namedRows(2));
    trial.checkpoint.failure = full;
    await expect(trial.run()).rejects.toBe(full);
    expect(trial.tasks.creations).toEqual([]);
    expect(await trial.statuses()).toEqual(['pending', 'pending']);
  });

  it('after one ends the run and names the task, and the row is uncertain at the next start', async () => {
    await using trial = await openTrial(namedRows(2));
    trial.tasks.follow({
      create: () => {
        trial.checkpoint.failure = full;
        return undefined;
      },
    });
    await expect(trial.run({ concurrency: 1 })).rejects.toThrow(
      'the disk is full; these tasks were accepted but could not be saved; settle them with `batch resolve`: ' +
        'row q1: --task-id task-1',
    );
    trial.checkpoint.failure = null;
    trial.tasks.follow({});
    await trial.run();
    expect(await trial.statuses()).toEqual(['uncertain', 'completed']);
  });
});
