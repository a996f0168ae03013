import { describe, expect, it } from 'vitest';
import { namedRows } from '../../support/incoming-rows.ts';
import { type CreationFact, forQuestions, uncertain } from '../../support/scripted-tasks.ts';
import { openTrial } from '../../support/virtual-run.ts';

const page = { outcome: 'foreign', failure: 'a page answered: Welcome to nginx!' } as const;
const odd = { outcome: 'odd', failure: 'HTTP 404' } as const;
const noKey = {
  outcome: 'refused',
  failure: 'Unauthorized: Invalid API key',
  endsRun: 'key-refused',
} as const;

const answeredByPage: CreationFact = {
  type: 'creation-uncertain',
  failure: 'HTTP 200 without a readable task id',
  origin: 'page',
};
const bare: CreationFact = { type: 'creation-barred', failure: 'HTTP 404', bar: 'gateway' };

describe('the free question who is there', () => {
  it('is asked once, before the first creation', async () => {
    await using trial = await openTrial(namedRows(30));
    trial.tasks.follow({
      probe: () => {
        expect(trial.tasks.creations).toEqual([]);
        return undefined;
      },
    });
    expect((await trial.run()).reason).toBe('done');
    expect(trial.tasks.probedMs).toEqual([0]);
  });

  it('is not asked by a run that does not submit', async () => {
    await using trial = await openTrial(namedRows(3));
    await trial.run({ submits: false });
    expect(trial.tasks.probedMs).toEqual([]);
  });

  it('is not asked where no row waits', async () => {
    await using trial = await openTrial(namedRows(3));
    await trial.run({ limit: 2 });
    await trial.run({ only: ['q1', 'q2'] });
    expect(trial.tasks.probedMs).toHaveLength(1);
    await trial.run({ maxPoints: 0 });
    expect(trial.tasks.creations).toHaveLength(2);
  });

  it.for([
    ['a page answers', page, 'wrong-service', page.failure],
    ['the key is refused', noKey, 'key-refused', noKey.failure],
  ] as const)('ends the run before anything is sent where %s', async ([, answer, reason, failure]) => {
    await using trial = await openTrial(namedRows(20), { probe: () => answer });
    expect(await trial.run()).toEqual({ reason, failure });
    expect(trial.tasks.creations).toEqual([]);
    expect(trial.tasks.probedMs).toEqual([0]);
    expect((await trial.checkpoint.ledger()).counts.pending).toBe(20);
  });

  it('that ends the run leaves open tasks as they are', async () => {
    await using trial = await openTrial(namedRows(2));
    const runner = trial.createRunner({ limit: 1 });
    const stopped = runner.run();
    await trial.clock.reach(1_000);
    runner.stop('interrupted');
    await stopped;
    trial.tasks.follow({ probe: () => page });
    await trial.run();
    expect(trial.tasks.creations).toHaveLength(1);
    expect(await trial.statuses()).toEqual(['open', 'pending']);
  });

  it('is answered oddly by what may be the service: that is said, the first creation goes alone, and the run goes on', async () => {
    await using trial = await openTrial(namedRows(20), { probe: () => odd });
    expect((await trial.run()).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts.completed).toBe(20);
    expect(trial.warnings).toEqual([
      'the server at --base-url may not be the service: asked about a task that cannot exist, it answered "HTTP 404"; the first creation goes alone',
    ]);
    const [first, second] = trial.tasks.sentMs();
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(200);
    expect(trial.tasks.probedMs).toEqual([0]);
  });

  it('costs one row where an odd answer was not the service’s', async () => {
    await using trial = await openTrial(namedRows(20), { probe: () => odd, create: () => bare });
    expect(await trial.run()).toEqual({ reason: 'foreign-answer', failure: 'HTTP 404' });
    expect(trial.tasks.creations).toHaveLength(1);
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ pending: 20, rejected: 0 });
  });

  it('costs one row where an odd answer was part of an outage', async () => {
    await using trial = await openTrial(namedRows(20), {
      probe: () => ({ ...odd, failure: 'HTTP 500' }),
      create: () => uncertain,
    });
    expect((await trial.run()).reason).toBe('uncertain-breaker');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ pending: 19, uncertain: 1 });
  });

  it('is asked again after an uncertain creation, before the next one', async () => {
    await using trial = await openTrial(
      namedRows(6),
      forQuestions([2, 4], () => uncertain),
    );
    await trial.run({ concurrency: 3 });
    const { probedMs } = trial.tasks;
    expect(probedMs).toHaveLength(3);
    for (const id of [2, 4]) {
      const [sentMs = 0] = trial.tasks.sentMs(`Question ${id}`);
      const next = Math.min(...trial.tasks.sentMs().filter((at) => at > sentMs + 200));
      expect(probedMs.some((at) => at >= sentMs + 200 && at <= next)).toBe(true);
    }
  });

  it('keeps the next creation back while nobody answers it after an uncertain one', async () => {
    let isAway = false;
    await using trial = await openTrial(namedRows(6), {
      create: ({ question, sentMs }) => {
        isAway = question === 'Question 2' && sentMs < 10_000;
        return isAway ? uncertain : undefined;
      },
      probe: () => (isAway ? { ...odd, failure: 'HTTP 502' } : undefined),
    });
    const runner = trial.createRunner({ concurrency: 1 });
    const run = runner.run();
    await trial.clock.reach(400_000);
    expect(trial.tasks.creations).toHaveLength(2);
    isAway = false;
    await run;
  });
});

describe('a page that answers a creation in the middle of a run', () => {
  it('leaves its row in doubt, and the others continue where the service answers the free question', async () => {
    await using trial = await openTrial(
      namedRows(20),
      forQuestions([5], () => answeredByPage),
    );
    expect(await trial.run({ concurrency: 2 })).toEqual({ reason: 'done', failure: null });
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 19, uncertain: 1 });
    expect(trial.tasks.probedMs).toHaveLength(2);
  });

  it('is an outage where a page answers the free question too: nothing more is sent until the service is back', async () => {
    let isAway = false;
    await using trial = await openTrial(namedRows(20), {
      create: ({ question }) => {
        if (question !== 'Question 5') return undefined;
        isAway = true;
        return answeredByPage;
      },
      probe: () => (isAway ? page : undefined),
    });
    const run = trial.createRunner({ concurrency: 3 }).run();
    let now = 0;
    for (; !isAway; now += 10_000) await trial.clock.reach(now);
    const sent = trial.tasks.creations.length;
    await trial.clock.reach(now + 300_000);
    expect(trial.tasks.creations).toHaveLength(sent);
    isAway = false;
    expect((await run).reason).toBe('done');
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 19, uncertain: 1 });
  });

  it('and refuses concerns that row alone where the service answers the free question', async () => {
    await using trial = await openTrial(
      namedRows(20),
      forQuestions([3], () => bare),
    );
    expect(await trial.run({ concurrency: 1 })).toEqual({ reason: 'done', failure: null });
    expect((await trial.checkpoint.ledger()).counts).toMatchObject({ completed: 19, rejected: 1 });
    expect(trial.tasks.probedMs).toHaveLength(2);
  });
});
