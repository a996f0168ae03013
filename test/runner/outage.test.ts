import { describe, expect, it } from 'vitest';
import { defaultPolicy, fixed } from '../../src/money/policy.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { failed, nobody, notSent, type Script, unanswered } from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

/** Nothing reaches the service between these times (ms since the start). */
function outageOf(trial: () => Trial, fromMs: number, toMs: number): Script {
  const isDown = (): boolean => {
    const now = trial().clock.elapsedMs;
    return now >= fromMs && now < toMs;
  };
  return {
    create: () => (isDown() ? notSent : undefined),
    status: () => (isDown() ? unanswered : undefined),
    probe: () => (isDown() ? nobody : undefined),
  };
}

const between =
  (fromMs: number, toMs: number) =>
  (at: number): boolean =>
    at >= fromMs && at < toMs;

describe('a service that is out of reach for a while', () => {
  it('and has an open task is gone on with at the first poll that is answered again', async () => {
    // The first task fails and makes room at the moment when the outage begins.
    await using trial: Trial = await openTrial(namedRows(5));
    const outage = outageOf(() => trial, 30_050, 300_000);
    trial.tasks.follow({
      ...outage,
      status: (task) => {
        const isFirst = task.question === 'Question 1' && trial.clock.elapsedMs >= 30_000;
        return outage.status?.(task) ?? (isFirst ? failed() : undefined);
      },
    });
    expect(await trial.run({ concurrency: 2 })).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(['failed', ...Array(4).fill('completed')]);
    expect(trial.tasks.sentMs().filter(between(30_050, 300_000))).toEqual([30_100]);
    expect(trial.tasks.sentMs('Question 3')[1]).toBe(300_100);
    expect(trial.warnings).toEqual([]);
  });

  it('is asked for free until it is back, with pauses that grow to a minute', async () => {
    await using trial: Trial = await openTrial(namedRows(3));
    trial.tasks.follow(outageOf(() => trial, 330_050, 600_000));
    expect((await trial.run({ concurrency: 1 })).reason).toBe('done');
    expect(trial.tasks.sentMs().filter(between(330_050, 600_000))).toEqual([330_100 + fixed.gatherMs]);
    const asked = trial.tasks.probedMs.filter((at) => at > 330_050);
    const pauses = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
    expect(pauses.slice(0, 3)).toEqual([1_500, 2_250, 3_375]);
    expect(Math.max(...pauses)).toBe(60_000);
    expect(asked.at(-1)).toBeLessThan(660_000);
    expect(await trial.statuses()).toEqual(Array(3).fill('completed'));
  });

  it('for ten seconds, with one row at a time and no open task, costs ten seconds', async () => {
    await using trial: Trial = await openTrial(namedRows(30));
    trial.tasks.follow(outageOf(() => trial, 330_050, 340_050));
    expect(await trial.run({ concurrency: 1 })).toEqual({ reason: 'done', failure: null });
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(30);
    expect(trial.tasks.sentMs('Question 2')[1]).toBeLessThan(350_000);
    expect(trial.tasks.creations).toHaveLength(31);
    expect(trial.warnings).toEqual([]);
  });

  it('counts once, however many creations were on their way', async () => {
    await using trial = await openTrial(namedRows(30), {
      create: (creation) => (creation.sentMs === 3 * (200 + fixed.gatherMs) ? notSent : undefined),
    });
    expect((await trial.run({ concurrency: 30 })).reason).toBe('done');
    expect(trial.tasks.mostInFlight).toBeGreaterThanOrEqual(8);
    expect(trial.tasks.sentMs().filter((at) => at > 700)[0]).toBe(3 * (200 + fixed.gatherMs) + 200 + 1_000);
    expect(trial.warnings).toEqual([]);
  });
});

describe('a service that stays out of reach', () => {
  it('ends the run after --outage-timeout, with every row as it was', async () => {
    await using trial: Trial = await openTrial(namedRows(20));
    trial.tasks.follow(outageOf(() => trial, 330_050, Number.POSITIVE_INFINITY));
    expect(await trial.run({ concurrency: 1 })).toEqual({
      reason: 'unreachable',
      failure: 'connection refused',
    });
    const { outageTimeoutMs } = defaultPolicy;
    expect(trial.clock.elapsedMs).toBeGreaterThanOrEqual(330_110 + outageTimeoutMs);
    expect(trial.clock.elapsedMs).toBeLessThan(330_110 + outageTimeoutMs + 61_000);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 1, pending: 19 });
    expect(trial.warnings).toEqual([
      'the service cannot be reached; nothing more is submitted: connection refused',
    ]);
    trial.tasks.follow({});
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.tasks.size).toBe(20);
  });

  it('and has open tasks is polled until it is back, and submitting goes on', async () => {
    await using trial: Trial = await openTrial(namedRows(4));
    trial.tasks.follow(outageOf(() => trial, 300, 3_600_000));
    expect(await trial.run()).toEqual({ reason: 'done', failure: null });
    expect(await trial.statuses()).toEqual(Array(4).fill('completed'));
    expect(trial.warnings).toEqual([
      'the service cannot be reached; nothing more is submitted: connection refused',
    ]);
    expect(trial.notes).toEqual([
      'the service answers no status request; polling goes on at every tick: no answer came',
      'the service answers again; submitting goes on',
    ]);
  });

  it('is waited for from the start for as long as the user lets it, says so, and nothing is sent', async () => {
    await using trial = await openTrial(namedRows(20), { create: () => notSent, probe: () => nobody });
    expect(await trial.run()).toEqual({ reason: 'unreachable', failure: 'connection refused' });
    expect(trial.tasks.creations).toEqual([]);
    expect(trial.warnings[0]).toBe('connection refused; trying again until --outage-timeout is over');
    expect(trial.clock.elapsedMs).toBeGreaterThanOrEqual(defaultPolicy.outageTimeoutMs);
    expect(trial.clock.elapsedMs).toBeLessThanOrEqual(defaultPolicy.outageTimeoutMs + 60_000);
    expect((await trial.checkpoint.ledger()).counts.pending).toBe(20);
  });

  it('is a wrong address where there is no such host', async () => {
    await using trial = await openTrial(namedRows(20), { probe: () => ({ ...nobody, obstacle: 'no-host' }) });
    expect(await trial.run()).toEqual({ reason: 'wrong-service', failure: 'connection refused' });
    expect(trial.tasks.creations).toEqual([]);
    expect(trial.clock.elapsedMs).toBeLessThanOrEqual(30_000);
  });

  it('is an outage where there is no such host any more, and it made tasks for the run there', async () => {
    await using trial = await openTrial(namedRows(3));
    await trial.run({ limit: 1 });
    trial.tasks.follow({ probe: () => ({ ...nobody, obstacle: 'no-host' }) });
    const beganMs = trial.clock.elapsedMs;
    expect((await trial.run({ isSameService: true })).reason).toBe('unreachable');
    expect(trial.clock.elapsedMs - beganMs).toBeGreaterThanOrEqual(defaultPolicy.outageTimeoutMs);
    expect(trial.warnings[0]).toBe('connection refused; trying again until --outage-timeout is over');
    expect((await trial.run({ isSameService: false })).reason).toBe('wrong-service');
    expect(trial.tasks.creations).toHaveLength(1);
  });

  it('for creations alone ends the run too, though everything else is answered', async () => {
    await using trial = await openTrial(namedRows(20), { create: () => notSent });
    expect(await trial.run()).toEqual({ reason: 'unreachable', failure: 'connection refused' });
    expect(trial.clock.elapsedMs).toBeLessThan(2 * defaultPolicy.outageTimeoutMs);
    expect(trial.tasks.creations.length).toBeLessThan(30);
    expect((await trial.checkpoint.ledger()).counts.pending).toBe(20);
  });
});
