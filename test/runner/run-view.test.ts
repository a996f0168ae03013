import { describe, expect, it } from 'vitest';
import { fixed } from '../../src/money/policy.ts';
import type { Obstacle } from '../../src/ports.ts';
import { namedRows } from '../support/incoming-rows.ts';
import {
  acceptedButLost,
  failed,
  forQuestions,
  inProgress,
  makingMs,
  notSent,
  refused,
  type Script,
  unanswered,
} from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

type Settings = Parameters<Trial['createRunner']>[0];

/** Looks at a run of so many rows when this time (ms) has passed, and stops it. */
async function lookAfter(ms: number, rows: number, settings: Settings, script: Script = {}) {
  await using trial = await openTrial(namedRows(rows), script);
  const runner = trial.createRunner(settings);
  const ending = runner.run();
  await trial.clock.reach(ms);
  const { toSubmit, obstacle, ledger } = runner;
  const seen = {
    toSubmit,
    hold: sinceStart(obstacle, trial.clock.startedAt),
    pending: ledger.counts.pending,
  };
  runner.stop('interrupted');
  const stopped = runner.obstacle;
  await ending;
  return { ...seen, stopped };
}

/** The same with times since the start (ms). */
function sinceStart(hold: Obstacle | null, startedAt: number): Obstacle | null {
  if (hold !== null && 'until' in hold && hold.until !== null)
    return { ...hold, until: hold.until - startedAt };
  return hold?.why === 'silence' ? { ...hold, since: hold.since - startedAt } : hold;
}

describe('what is still to be submitted', () => {
  it('is what is pending', async () => {
    const seen = await lookAfter(1_000, 20, { concurrency: 5 });
    expect(seen).toMatchObject({ toSubmit: 15, hold: null, pending: 15 });
  });

  it('is what --limit leaves', async () => {
    expect(await lookAfter(1_000, 20, { concurrency: 5, limit: 8 })).toMatchObject({
      toSubmit: 3,
      hold: null,
    });
  });

  it('is what --only names', async () => {
    const only = ['q1', 'q2', 'q7', 'q9'];
    expect(await lookAfter(1_000, 20, { concurrency: 3, only })).toMatchObject({ toSubmit: 1, pending: 17 });
  });

  it('is nothing where nothing may be submitted', async () => {
    const seen = await lookAfter(0, 20, { submits: false });
    expect(seen).toMatchObject({ toSubmit: 0, hold: { why: 'closed', reason: 'collected' } });
  });
});

describe('what keeps a run', () => {
  it('is its end, once it is stopped', async () => {
    const { stopped } = await lookAfter(1_000, 1, {});
    expect(stopped).toEqual({ why: 'stopping', reason: 'interrupted' });
  });

  it('is --limit, once as many rows are submitted', async () => {
    const { hold } = await lookAfter(1_000, 20, { limit: 8 });
    expect(hold).toEqual({ why: 'closed', reason: 'limit' });
  });

  it('is the wait for videos that cannot be had, once nothing else goes on', async () => {
    const refusal = { outcome: 'link-refused', failure: 'no video' } as const;
    const file = ({ link }: { link: string }) => (/task-1\//.test(link) ? refusal : undefined);
    const late = makingMs + 60_000;
    const { hold } = await lookAfter(late, 3, { concurrency: 5 }, { file });
    expect(hold).toMatchObject({ why: 'videos', count: 1 });
    const until = hold?.why === 'videos' ? hold.until : 0;
    expect(until).toBeGreaterThan(makingMs);
    expect(until).toBeLessThan(late + fixed.linkAskMs);
    expect((await lookAfter(late, 3, { concurrency: 5, limit: 2 }, { file })).hold).toMatchObject({
      count: 1,
    });
    const none = await lookAfter(late, 3, { concurrency: 1 }, { file });
    expect(none.hold).toEqual({ why: 'closed', reason: 'delivery-breaker' });
  });

  it('is --halt, once as many rows ended badly', async () => {
    const script = { status: () => failed() };
    const { hold, toSubmit } = await lookAfter(5_000, 40, { haltAfter: 2 }, { ...script });
    expect(hold).toEqual({ why: 'closed', reason: 'halt' });
    expect(toSubmit).toBe(0);
  });

  it('is a breaker', async () => {
    const open = { create: () => refused('no points left'), status: () => inProgress() };
    const { hold } = await lookAfter(5_000, 20, { concurrency: 1 }, open);
    // Nothing else is left to do then, and the run is over.
    expect(hold).toEqual({ why: 'closed', reason: 'refusal-breaker' });
  });

  it('is a pause that the service asked for', async () => {
    const busy = forQuestions([1], () => refused('429', true, 60_000));
    const { hold, toSubmit } = await lookAfter(1_000, 5, { concurrency: 1 }, busy);
    expect(hold).toEqual({ why: 'pause', until: 60_200, failure: '429' });
    expect(toSubmit).toBe(5);
  });

  it('is a pause after a creation that did not reach the service', async () => {
    const { hold } = await lookAfter(
      1_000,
      5,
      { concurrency: 1 },
      forQuestions([1], () => notSent),
    );
    expect(hold).toEqual({ why: 'pause', until: 1_200, failure: 'connection refused' });
  });

  it('are uncertain rows of an earlier run that occupy all places, until the first of those is free', async () => {
    await using trial = await openTrial(namedRows(5), forQuestions([1, 2], acceptedButLost));
    await trial.run({ concurrency: 2 });
    const runner = trial.createRunner({ concurrency: 2 });
    const ending = runner.run();
    await trial.clock.reach(60_000);
    expect(sinceStart(runner.obstacle, trial.clock.startedAt)).toEqual({
      why: 'uncertain',
      held: 2,
      of: 2,
      until: fixed.uncertainHoldMs,
      id: 'q1',
    });
    await ending;
    expect(trial.tasks.sentMs('Question 3')).toEqual([fixed.uncertainHoldMs]);
  });

  it('is the free question, while nobody answers it', async () => {
    const away = { outcome: 'unreachable', failure: 'no answer', obstacle: null } as const;
    const { hold } = await lookAfter(1_500, 5, {}, { probe: () => away });
    expect(hold).toEqual({ why: 'pause', until: 2_500, failure: 'no answer' });
  });

  it('is a service that takes no more tasks at once', async () => {
    const { hold } = await lookAfter(
      10_000,
      5,
      {},
      forQuestions([2, 3], () => refused('429', true)),
    );
    expect(hold).toEqual({ why: 'service', open: 1 });
  });

  it('is the budget, until the price of the first task is known', async () => {
    const { hold, toSubmit } = await lookAfter(60_000, 5, { maxPoints: 1_000 });
    expect(hold).toEqual({ why: 'budget' });
    expect(toSubmit).toBe(4);
  });

  it('is the silence of the service, since it began', async () => {
    const script = { status: (task: { ageMs: number }) => (task.ageMs < 25_000 ? inProgress() : unanswered) };
    const { hold } = await lookAfter(95_000, 1, {}, script);
    expect(hold).toEqual({ why: 'silence', since: 30_100 });
  });

  it('is the pause that the service asked for when it was polled', async () => {
    const { hold } = await lookAfter(
      1_000,
      1,
      {},
      { status: () => ({ ...unanswered, retryAfterMs: 45_000 }) },
    );
    expect(hold).toEqual({ why: 'poll-pause', until: 45_300 });
  });
});
