import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ItemEvent } from '../../src/money/event.ts';
import { type Quality, qualities } from '../../src/money/item.ts';
import { defaultPolicy, fixed, type Policy } from '../../src/money/policy.ts';
import { applyChange, createLedger, effectiveQuality, type Ledger } from '../../src/money/summary.ts';
import { decideAffordable, decideRoom, nearBudget, nextTickAt } from '../../src/money/tick.ts';
import { at, eventOf, events, itemIn, move, silentEnding } from './lives.ts';

const quality = fc.option(fc.constantFrom(...qualities));
const few = fc.nat(20);
const halves = (max: number) => fc.nat(2 * max).map((points) => points / 2);
const byQuality = (value: fc.Arbitrary<number>) =>
  fc
    .dictionary(fc.constantFrom(...qualities), value)
    .map((entries) => new Map(Object.entries(entries) as [Quality, number][]));

/** Any ledger that a checkpoint may hold, also one of a run with other options. */
const ledgers: fc.Arbitrary<Ledger> = fc
  .record({
    counts: fc.record({ submitting: fc.nat(18), open: few, uncertain: few }),
    held: few,
    spent: halves(100),
    largestPoints: byQuality(halves(20).filter((points) => points > 0)),
    reserving: byQuality(few),
    unpriced: few,
    longestTaskMs: fc.option(few),
  })
  .map((ledger) => ({ ...ledger, counts: { ...createLedger().counts, ...ledger.counts } }));

const policies = fc
  .record({
    concurrency: fc.integer({ min: 1, max: 60 }),
    limit: fc.option(few),
    quality,
  })
  .map((part): Policy => ({ ...defaultPolicy, ...part }));

const slots = fc.record({
  uncertain: few,
  submittedRows: few,
  fetching: few,
  window: fc.integer({ min: 1, max: 16 }),
  openLimit: fc.oneof(fc.double({ min: 1, max: 30, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)),
});

test('the open tasks never exceed the cap by what room allows, nor do creations in flight or rows of this run', () => {
  fc.assert(
    fc.property(policies, ledgers, slots, (policy, ledger, free) => {
      const { uncertain, submittedRows, fetching, window, openLimit } = free;
      const room = decideRoom(policy, ledger, free);
      const { submitting, open } = ledger.counts;
      const fits = (more: number): boolean =>
        submitting + open + uncertain + more <= policy.concurrency &&
        submitting + open + more <= openLimit &&
        submitting + more <= window &&
        fetching + more <= policy.concurrency + fixed.downloadLine &&
        submittedRows + more <= (policy.limit ?? Number.POSITIVE_INFINITY);
      expect(Number.isInteger(room) && room >= 0).toBe(true);
      if (room > 0) expect(fits(room)).toBe(true);
      expect(fits(room + 1)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

/** What a row of this quality costs at most, as far as anybody knows; null while nobody does. */
function priceOf(ledger: Ledger, wanted: Quality | null): number | null {
  return ledger.largestPoints.get(effectiveQuality(wanted)) ?? null;
}

test('spent and reserved points never exceed the budget by what is affordable, and as many rows go as it bears', () => {
  const candidates = fc.array(quality.map((wanted) => itemIn('pending', { quality: wanted })));
  fc.assert(
    fc.property(policies, halves(200), ledgers, candidates, (rest, maxPoints, ledger, rows) => {
      const policy = { ...rest, maxPoints };
      const affordable = decideAffordable(policy, ledger, rows);
      const reserving = [...ledger.reserving].flatMap(([each, count]) =>
        Array.from({ length: count }, () => priceOf(ledger, each)),
      );
      const prices = rows.map((row) => priceOf(ledger, row.quality ?? policy.quality));
      const cost = (count: number): number =>
        [...reserving, ...prices.slice(0, count)].reduce<number>(
          (sum, price) => sum + (price ?? 0),
          ledger.spent,
        );
      if (reserving.includes(null)) expect(affordable).toBe(0);
      else if (affordable > 0 && prices[0] === null) {
        // Nobody knows what it costs: it goes alone, and never without any room.
        expect(affordable).toBe(1);
        expect(cost(0)).toBeLessThan(maxPoints);
      } else {
        expect(prices.slice(0, affordable)).not.toContain(null);
        if (affordable > 0) expect(cost(affordable)).toBeLessThanOrEqual(maxPoints);
        if (affordable < rows.length && prices[affordable] !== null)
          expect(cost(affordable + 1)).toBeGreaterThan(maxPoints);
        const dearest = Math.max(0, ...ledger.largestPoints.values());
        if (prices[0] === null) expect(cost(0) >= maxPoints || cost(0) + dearest > maxPoints).toBe(true);
      }
      expect(decideAffordable({ ...policy, maxPoints: null }, ledger, rows)).toBe(rows.length);
    }),
    { numRuns: 1_000 },
  );
});

/** What may become of a row once it is claimed. */
const outcomes = ['completed', 'completed', 'failed', 'refused', 'uncertain', 'waits'] as const;

function storyOf(outcome: (typeof outcomes)[number], cost: number): readonly ItemEvent[] {
  const end = { ending: { ...silentEnding, points: cost } };
  switch (outcome) {
    case 'completed':
      return [events.claimed, events['creation-accepted'], eventOf('task-completed', end)];
    case 'failed':
      return [events.claimed, events['creation-accepted'], events['task-failed']];
    case 'refused':
      return [events.claimed, events['creation-refused']];
    case 'uncertain':
      return [events.claimed, events['creation-uncertain']];
    case 'waits':
      return [events.claimed, events['creation-accepted']];
  }
}

test('a whole run at one price is never charged more than its budget, whatever its uncertain tasks come to', () => {
  const fewOutcomes = fc.array(fc.constantFrom(...outcomes), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(60), fewOutcomes, (cost, extra, lives) => {
      const maxPoints = cost + extra;
      const policy: Policy = { ...defaultPolicy, maxPoints };
      const ledger = createLedger();
      let charged = 0;
      for (const [key, outcome] of lives.entries()) {
        let row = itemIn('pending', { key });
        if (decideAffordable(policy, ledger, [row, row]) === 0) continue;
        for (const event of storyOf(outcome, cost)) {
          const { item } = move(row, event);
          applyChange(ledger, row, item);
          row = item;
        }
        // The worst case: whatever may be a task is one, and is charged.
        if (outcome !== 'failed' && outcome !== 'refused') charged += cost;
      }
      expect(charged).toBeLessThanOrEqual(maxPoints);
      if (ledger.spent > 0) expect(nearBudget(policy, ledger) !== null).toBe(charged >= 0.8 * maxPoints);
    }),
  );
});

test('ticks never overlap, never wait longer than one interval and never pile up', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(7_200_000)), (pauses) => {
      let now = at;
      let last: number | null = null;
      for (const pause of pauses) {
        now += pause;
        const next = nextTickAt(last, now, defaultPolicy);
        expect(next).toBeLessThanOrEqual(now + defaultPolicy.pollIntervalMs);
        if (last !== null && next > now) expect(next - last).toBe(defaultPolicy.pollIntervalMs);
        if (next > now) continue;
        last = now;
        expect(nextTickAt(last, now, defaultPolicy)).toBe(now + defaultPolicy.pollIntervalMs);
      }
    }),
  );
});
