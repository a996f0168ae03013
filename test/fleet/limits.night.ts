/** The limits of a run hold for all its workers together: the ledger of the service never passes them. */

import { describe, expect, it } from 'vitest';
import { limitCourseSetting } from '../../src/stores/port/settings.ts';
import { type Fleet, openFleet } from '../support/fleet.ts';

/** Of each of the three limits. */
const rounds = 8;
const workers = 8;
const rows = 80;
/** Points of one video in the service's own quality. */
const price = 10;

/** Eight workers go on until there is nothing left that they may do. */
async function openAll(concurrency: number, ...options: readonly string[]): Promise<Fleet> {
  const service = ['--duration', '300ms'];
  const fleet = await openFleet({ rows, concurrency, poll: '200ms', service, options });
  await fleet.openSeats(workers, '--drain');
  await fleet.drain();
  return fleet;
}

describe(`${workers} workers, ${rounds} times`, () => {
  for (let round = 1; round <= rounds; round += 1) {
    it(`--concurrency is never passed (${round})`, { timeout: 600_000 }, async () => {
      const cap = 3 + (round % 5);
      await using fleet = await openAll(cap);
      expect(await fleet.allFlaws()).toEqual([]);
      const { accepted, max_open } = await fleet.ledger();
      expect(accepted).toBe(rows);
      expect(max_open).toBeLessThanOrEqual(cap);
    });

    it(`--max-points is never passed, and one row alone finds the price (${round})`, {
      timeout: 600_000,
    }, async () => {
      const videos = 20 + round;
      const cap = videos * price + (round % price);
      await using fleet = await openAll(30, '--max-points', String(cap));
      expect(await fleet.allFlaws()).toEqual([]);
      const { points, tasks } = await fleet.ledger();
      expect(points).toBe(videos * price);
      const [first, ...others] = tasks.toSorted((a, b) => a.created_at.localeCompare(b.created_at));
      expect(others.filter(({ created_at }) => created_at < String(first?.finish_at))).toEqual([]);
    });

    it(`--limit is never passed (${round})`, { timeout: 600_000 }, async () => {
      const limit = 17 + round;
      await using fleet = await openAll(30, '--limit', String(limit));
      expect(await fleet.allFlaws()).toEqual([]);
      expect((await fleet.ledger()).accepted).toBe(limit);
    });
  }
});

it('three workers with -j auto find one number together, though one of them dies', {
  timeout: 600_000,
}, async () => {
  await using fleet = await openFleet({
    rows: 120,
    concurrency: '2-12',
    poll: '200ms',
    service: ['--duration', '1s', '--fault', 'capacity=9'],
  });
  await fleet.openSeats(3, '--drain');
  await fleet.until(async () => ((await fleet.counts()).completed ?? 0) > 40);
  await fleet.seats[0]?.kill();
  await fleet.drain();
  expect(await fleet.allFlaws()).toEqual([]);
  const { accepted, max_open } = await fleet.ledger();
  expect(accepted).toBe(120);
  expect(max_open).toBeLessThanOrEqual(9);
  const [course] = await fleet.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [
    limitCourseSetting,
  ]);
  const limits: number[] = JSON.parse(course?.value ?? '').steps.map(([, limit]: [number, number]) => limit);
  // The worker that decides may be named only after the first creation was accepted.
  expect([2, 3]).toContain(limits[0]);
  expect(Math.max(...limits)).toBeGreaterThan(2);
  expect(Math.max(...limits)).toBeLessThanOrEqual(12);
});
