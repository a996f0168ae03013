import { describe, expect, it } from 'vitest';
import { namedRows } from '../../support/incoming-rows.ts';
import { acceptedButLost, forQuestions, makingMs, unanswered } from '../../support/scripted-tasks.ts';
import { openTrial } from '../../support/virtual-run.ts';

describe('slots', () => {
  it('are never more than the cap', async () => {
    await using trial = await openTrial(namedRows(12));
    await trial.run({ concurrency: 3 });
    expect(trial.tasks.mostOpen).toBe(3);
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(12);
  });

  it('are occupied by uncertain creations for as long as their tasks may be in the making', async () => {
    await using trial = await openTrial(namedRows(12), forQuestions([2, 3, 7], acceptedButLost));
    await trial.run({ concurrency: 3 });
    expect(trial.tasks.mostOpen).toBe(3);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 9, uncertain: 3 });
  });

  it('are occupied by the uncertain creations of a run before', async () => {
    await using trial = await openTrial(namedRows(3), forQuestions([1, 2], acceptedButLost));
    await trial.run({ limit: 2, concurrency: 2 });
    expect(trial.clock.elapsedMs).toBeLessThan(1_000);
    await trial.run({ concurrency: 2 });
    expect(trial.tasks.sentMs('Question 3')).toEqual([30 * 60_000]);
  });

  it('are occupied by open tasks of a run before, also where those are more than the cap', async () => {
    await using trial = await openTrial(namedRows(5));
    const first = trial.createRunner({ concurrency: 4 });
    const ending = first.run();
    await trial.clock.reach(1_000);
    first.stop('interrupted');
    await ending;
    await trial.run({ concurrency: 2 });
    const ended = [...trial.tasks.tasks.values()].slice(0, 4).map((task) => task.madeMs + makingMs);
    expect(trial.tasks.sentMs('Question 5')[0]).toBeGreaterThanOrEqual(Math.max(...ended));
  });

  it('are occupied by lost tasks that turn out to be open: those are asked about before anything is sent', async () => {
    await using trial = await openTrial(namedRows(2));
    await trial.run({ taskTimeoutMs: 60_000, limit: 1 });
    expect(await trial.statuses()).toEqual(['lost', 'pending']);
    await trial.run({ concurrency: 1 });
    expect(await trial.statuses()).toEqual(['completed', 'completed']);
    expect(trial.tasks.mostOpen).toBe(1);
  });

  it('are not occupied by lost tasks about which there is no answer', async () => {
    await using trial = await openTrial(namedRows(2));
    await trial.run({ taskTimeoutMs: 60_000, limit: 1 });
    trial.tasks.follow({ status: (task) => (task.question === 'Question 1' ? unanswered : undefined) });
    await trial.run({ concurrency: 1 });
    expect(await trial.statuses()).toEqual(['lost', 'completed']);
  });

  it('are not more than 16 creations at once, whatever the cap', async () => {
    await using trial = await openTrial(namedRows(40));
    await trial.run({ concurrency: 40 });
    expect(trial.tasks.mostInFlight).toBe(16);
    expect(trial.tasks.mostOpen).toBe(40);
  });
});
