import { expect, it } from 'vitest';
import { Dice } from '../sim/dice.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { makingMs, notFound, refused } from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const price = 10;

/**
 * A day of a service that refuses every second creation, takes another number of tasks at once each hour and does not know its own
 * tasks for minutes, over a computer that is restarted, put to sleep and has its clock set.
 */
it('a busy day over 2,000 rows costs time, and no row, no task and no point above the cap', {
  timeout: 300_000,
}, async () => {
  const rows = 2_000;
  const maxPoints = 1_500 * price;
  const dice = new Dice(7, 'busy day');
  const capacities = Array.from({ length: 400 }, () => dice.pick([0, 2, 5, 20, 20]));
  let forgetfulUntilMs = 0;
  let refusals = 0;
  await using trial = await openTrial(namedRows(rows), {
    create: ({ sentMs }) => {
      const open = [...trial.tasks.tasks.values()].filter(({ ageMs }) => ageMs < makingMs).length;
      const capacity = capacities[Math.floor(sentMs / hourMs)] ?? 20;
      if (open < capacity && dice.chance(0.5)) return undefined;
      refusals += 1;
      const retryAfterMs = dice.chance(0.2) ? dice.integer(1, 120) * 1_000 : null;
      return refused(
        `The video generation interface response is abnormal: 429 - request ${sentMs}`,
        true,
        retryAfterMs,
      );
    },
    status: () => {
      if (trial.clock.elapsedMs < forgetfulUntilMs) return notFound;
      if (dice.chance(0.0005)) forgetfulUntilMs = trial.clock.elapsedMs + 9 * minuteMs;
      return undefined;
    },
  });
  let runs = 0;
  for (let reason = ''; reason !== 'points-cap'; runs++) {
    expect(runs).toBeLessThan(200);
    const runner = trial.createRunner({ concurrency: 20, maxPoints, taskTimeoutMs: 6 * hourMs });
    const ending = runner.run();
    const trouble = dice.pick(['restart', 'restart', 'sleep', 'forward', 'back']);
    const over = new AbortController();
    const meddle = trial.clock.wait(dice.integer(20, 120) * minuteMs, over.signal).then(async () => {
      if (over.signal.aborted) return;
      if (trouble === 'sleep') trial.clock.sleep(8 * hourMs);
      if (trouble === 'forward') trial.clock.set(26 * hourMs);
      if (trouble === 'back') trial.clock.set(-26 * hourMs);
      await trial.clock.wait(10 * minuteMs, over.signal);
      runner.stop('interrupted');
    });
    reason = (await ending).reason;
    over.abort();
    await meddle;
    expect(['interrupted', 'busy', 'points-cap']).toContain(reason);
    expect(trial.tasks.tasks.size * price).toBeLessThanOrEqual(maxPoints);
  }
  const { counts, spent } = await trial.checkpoint.ledger();
  expect(counts).toMatchObject({ completed: 1_500, pending: 500, rejected: 0, lost: 0, uncertain: 0 });
  expect(spent).toBe(maxPoints);
  expect(refusals).toBeGreaterThan(500);
});
