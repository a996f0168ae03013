import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPolicy, fixed, type Policy } from '../../src/money/policy.ts';
import { pauseAt, type Steering, steered, unsteered } from '../../src/money/steering.ts';
import { reservedPoints } from '../../src/money/summary.ts';
import type { SteeringSource } from '../../src/runner/steering.ts';
import { steeringSetting } from '../../src/stores/port/settings.ts';
import { namedRows } from '../support/incoming-rows.ts';
import type { Script } from '../support/scripted-tasks.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

const minute = 60_000;

/** Somebody at another terminal. */
class Terminal implements SteeringSource {
  readonly #trial: Trial;
  #steering: Steering = unsteered;
  #policy: Policy;
  #known = 0;

  constructor(trial: Trial, policy: Partial<Policy> = {}) {
    this.#trial = trial;
    this.#policy = { ...defaultPolicy, ...policy };
  }

  async tune(policy: Partial<Policy>): Promise<void> {
    this.#policy = { ...this.#policy, ...policy };
    await this.#save(steered(this.#steering, { isLimitNew: policy.limit !== undefined }));
  }

  async pause(pause: Steering['pause']): Promise<void> {
    await this.#save(steered(this.#steering, { pause, isLimitNew: false }));
  }

  async #save(steering: Steering): Promise<void> {
    this.#steering = steering;
    await this.#trial.settings.save(steeringSetting, JSON.stringify(steering));
  }

  get policy(): Policy {
    return this.#policy;
  }

  isPaused(now: number): boolean {
    return pauseAt(this.#steering.pause, now) !== null;
  }

  async look() {
    const { number, pause, limitNumber } = this.#steering;
    const isLimitNew = limitNumber > this.#known;
    const policy = number > this.#known ? this.#policy : null;
    this.#known = number;
    return { number, pause, policy, isLimitNew };
  }
}

/** A run that goes while somebody steers it at these times (ms since its start). */
async function steer(
  rows: number,
  policy: Partial<Policy>,
  deeds: Readonly<Record<number, (terminal: Terminal, trial: Trial) => Promise<void>>>,
  script: Script = {},
) {
  await using trial = await openTrial(namedRows(rows), script);
  const terminal = new Terminal(trial, policy);
  const ending = trial.run({ ...policy, steering: terminal });
  for (const [ms, deed] of Object.entries(deeds)) {
    await trial.clock.reach(Number(ms));
    await deed(terminal, trial);
  }
  return {
    ending: await ending,
    sentMs: trial.tasks.sentMs(),
    elapsedMs: trial.clock.elapsedMs,
    statuses: await trial.statuses(),
  };
}

describe('a pause', () => {
  it('submits nothing, polls and downloads what is open, and continues when it has ended', async () => {
    const { ending, sentMs, statuses } = await steer(
      4,
      { concurrency: 1 },
      {
        10000: (terminal, { clock }) => terminal.pause({ until: clock.now() + 60 * minute }),
      },
    );
    expect(ending.reason).toBe('done');
    expect(statuses).toEqual(Array(4).fill('completed'));
    expect(sentMs[0]).toBe(0);
    expect(sentMs[1]).toBeGreaterThanOrEqual(10_000 + 60 * minute);
    expect(sentMs[1]).toBeLessThanOrEqual(12_000 + 60 * minute);
  });

  it('without an end is waited for, and says so, until it is taken away', async () => {
    await using trial = await openTrial(namedRows(2));
    const terminal = new Terminal(trial);
    await terminal.pause({ until: null });
    const runner = trial.createRunner({ steering: terminal });
    const ending = runner.run();
    await trial.clock.reach(600 * minute);
    expect(runner.obstacle).toEqual({ why: 'paused', until: null });
    expect(trial.tasks.sentMs()).toEqual([]);
    await terminal.pause(null);
    expect((await ending).reason).toBe('done');
    expect(trial.tasks.sentMs()).toHaveLength(2);
    expect(trial.tasks.sentMs()[0]).toBeLessThanOrEqual(600 * minute + 2 * fixed.steeringLookMs);
  });

  it('does not keep a run that has nothing left to submit', async () => {
    const { ending, elapsedMs } = await steer(1, {}, { 1000: (terminal) => terminal.pause({ until: null }) });
    expect(ending.reason).toBe('done');
    expect(elapsedMs).toBeLessThan(30 * minute);
  });

  it('ends with the run when it is stopped', async () => {
    await using trial = await openTrial(namedRows(2));
    const terminal = new Terminal(trial);
    await terminal.pause({ until: null });
    const runner = trial.createRunner({ steering: terminal });
    const ending = runner.run();
    await trial.clock.reach(minute);
    runner.stop('interrupted');
    expect((await ending).reason).toBe('interrupted');
  });
});

describe('a run that is tuned', () => {
  it('opens more tasks at once within two seconds', async () => {
    const { sentMs } = await steer(
      6,
      { concurrency: 1 },
      { 10000: (terminal) => terminal.tune({ concurrency: 6 }) },
    );
    expect(sentMs[0]).toBe(0);
    for (const ms of sentMs.slice(1)) {
      expect(ms).toBeGreaterThanOrEqual(10_000);
      expect(ms).toBeLessThanOrEqual(12_000);
    }
    expect(sentMs).toHaveLength(6);
  });

  it('submits nothing while more is open than the new number, and ends nothing', async () => {
    await using trial = await openTrial(namedRows(8));
    const terminal = new Terminal(trial, { concurrency: 4 });
    const runner = trial.createRunner({ concurrency: 4, steering: terminal });
    const ending = runner.run();
    await trial.clock.reach(10_000);
    await terminal.tune({ concurrency: 1 });
    const open: number[] = [];
    trial.checkpoint.onCommit = (changes) => {
      if (changes.some(({ after }) => after.status === 'submitting'))
        open.push(runner.ledger.counts.open + runner.ledger.counts.submitting);
    };
    expect((await ending).reason).toBe('done');
    expect(runner.policy.concurrency).toBe(1);
    expect(
      trial.tasks
        .sentMs()
        .slice(0, 4)
        .every((ms) => ms < 10_000),
    ).toBe(true);
    expect(open.every((count) => count === 0)).toBe(true);
    expect(await trial.statuses()).toEqual(Array(8).fill('completed'));
  });

  it('continues within a higher cap on points, or without one', async () => {
    for (const maxPoints of [60, null]) {
      const { ending, statuses } = await steer(
        6,
        { maxPoints: 20, concurrency: 1 },
        {
          500000: (terminal) => terminal.tune({ maxPoints }),
        },
      );
      expect(ending.reason).toBe('done');
      expect(statuses).toEqual(Array(6).fill('completed'));
    }
  });

  it('submits nothing more above a lower cap on points', async () => {
    const { ending, sentMs } = await steer(
      9,
      { concurrency: 1 },
      {
        400000: (terminal) => terminal.tune({ maxPoints: 20 }),
      },
    );
    expect(ending.reason).toBe('points-cap');
    expect(sentMs.filter((ms) => ms > 400_000)).toEqual([]);
  });

  it('counts a limit from then on', async () => {
    const { ending, sentMs } = await steer(
      9,
      { concurrency: 1 },
      {
        400000: (terminal) => terminal.tune({ limit: 2 }),
      },
    );
    expect(ending.reason).toBe('limit');
    expect(sentMs.filter((ms) => ms > 400_000)).toHaveLength(2);
  });

  it('has no limit any more when it is taken away', async () => {
    const { ending, sentMs } = await steer(
      5,
      { limit: 2 },
      { 10000: (terminal) => terminal.tune({ limit: null }) },
    );
    expect(ending.reason).toBe('done');
    expect(sentMs).toHaveLength(5);
  });

  it('polls at the new interval', async () => {
    await using trial = await openTrial(namedRows(1), { status: () => undefined });
    const terminal = new Terminal(trial, { pollIntervalMs: 100 * minute });
    const ending = trial.run({ pollIntervalMs: 100 * minute, steering: terminal });
    await trial.clock.reach(10_000);
    await terminal.tune({ pollIntervalMs: 30_000 });
    expect((await ending).reason).toBe('done');
    expect(trial.clock.elapsedMs).toBeLessThan(30 * minute);
  });
});

it('no claim passes the numbers in force when it is saved, whenever they change', async () => {
  const deed = fc.record({
    atMs: fc.integer({ min: 0, max: 30 * minute }),
    concurrency: fc.integer({ min: 1, max: 8 }),
    maxPoints: fc.option(fc.integer({ min: 0, max: 150 })),
    isInCommit: fc.boolean(),
    pauseMs: fc.option(fc.integer({ min: 1, max: 20 * minute }), { freq: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 5 }), async (deeds) => {
      await using trial = await openTrial(namedRows(12));
      const terminal = new Terminal(trial, { concurrency: 4 });
      const runner = trial.createRunner({ concurrency: 4, steering: terminal });
      let waiting = deeds.toSorted((a, b) => a.atMs - b.atMs);
      const carryOut = async ({ concurrency, maxPoints, pauseMs }: (typeof deeds)[number]): Promise<void> => {
        await terminal.tune({ concurrency, maxPoints });
        await terminal.pause(pauseMs === null ? null : { until: trial.clock.now() + pauseMs });
      };
      // Between the decision and its commit, where nothing but the store can notice.
      trial.checkpoint.beforeCommit = async () => {
        const due = waiting.filter(({ atMs, isInCommit }) => isInCommit && atMs <= trial.clock.elapsedMs);
        waiting = waiting.filter((each) => !due.includes(each));
        for (const each of due) await carryOut(each);
      };
      const flaws: string[] = [];
      const counts: Promise<void>[] = [];
      trial.checkpoint.onCommit = (changes) => {
        if (
          !changes.some(({ before, after }) => before.status === 'pending' && after.status === 'submitting')
        )
          return;
        const { concurrency, maxPoints } = terminal.policy;
        if (terminal.isPaused(trial.clock.now())) flaws.push('a claim in a pause');
        // Counted as it is called.
        const counted = trial.onDisk.ledger().then((ledger) => {
          const { submitting, open } = ledger.counts;
          if (submitting + open > concurrency)
            flaws.push(`${submitting + open} are open, with ${concurrency}`);
          const reserved = reservedPoints(ledger);
          if (maxPoints !== null && reserved !== null && ledger.spent + reserved > maxPoints)
            flaws.push(`${ledger.spent} are spent and ${reserved} reserved, with ${maxPoints}`);
        });
        counts.push(counted);
      };
      const ending = runner.run();
      for (const each of deeds.toSorted((a, b) => a.atMs - b.atMs)) {
        if (each.isInCommit) continue;
        await Promise.race([trial.clock.reach(each.atMs), ending]);
        await carryOut(each);
      }
      await ending;
      await Promise.all(counts);
      expect(flaws).toEqual([]);
    }),
    { numRuns: 12 },
  );
});
