/** The room for claims: no number of processes passes the limits of the run together. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NoRoomError } from '../../../src/errors.ts';
import type { Item, Quality } from '../../../src/money/item.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { decideAffordable, decideRoom, uncertainSlotMs, uncertainSlots } from '../../../src/money/tick.ts';
import type { ClaimRoom } from '../../../src/stores/port/checkpoint.ts';
import { at, ending, eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { accepted } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { OpenRun, Runs } from './runs.ts';
import { claim, claimOf, factOf, join, lostFact, sharingOf, wide } from './together.ts';

const hour = 60 * 60_000;

/** From pending to completed at these points, ended then. */
const madeFor = (taskId: string, points: number | null, endedAt = at) => [
  ...accepted(taskId),
  eventOf('task-completed', { at: endedAt, frames: [], ending: { ...ending, points } }),
  events['video-saved'],
];

/** Three processes claim one row after the other, all at once, until there is no room; the number of claims. */
async function race(run: OpenRun, room: Partial<ClaimRoom>): Promise<number> {
  await using second = await join(run);
  await using third = await join(run);
  const claims = (await run.checkpoint.pendingItems({ limit: 100, only: null })).map((item) => claimOf(item));
  let count = 0;
  const work = async ({ checkpoint }: StoreRun): Promise<void> => {
    for (let next = claims.shift(); next !== undefined; next = claims.shift()) {
      try {
        await checkpoint.commit([next], { room: { ...wide, ...room }, facts: [] });
        count += 1;
      } catch (error) {
        if (!(error instanceof NoRoomError)) throw error;
      }
    }
  };
  await Promise.all([run, run, second, second, third, third].map(work));
  return count;
}

export function describeRoom(runs: Runs): void {
  describe('the room for claims', () => {
    it.each([
      ['held', { held: 5 }],
      ['open', { open: 5.9 }],
      ['submitting', { submitting: 5 }],
      ['submitted', { submitted: 5 }],
    ] as const)('is not passed by several processes: %s', async (_, room) => {
      await using run = await runs.open(...namedRows(24));
      expect(await race(run, room)).toBe(5);
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 19, submitting: 5 });
    });

    it('counts what others hold: open rows, and uncertain ones as long as they may be tasks', async () => {
      await using run = await runs.open(...namedRows(12));
      await run.live('q1', ...accepted('task-1'));
      await run.live('q2', eventOf('claimed', { token: 'q2' }), events['creation-uncertain']);
      await expect(claim(run, ['q3', 'q4'], { held: 3 })).rejects.toThrow(NoRoomError);
      await claim(run, ['q3'], { held: 3 });
      // By then the creation of q2 is no task any more: none took that long, as far as is known.
      await claim(run, ['q4'], { held: 3, at: at + hour });
      // Nor is it where a known task would not hold its slot any more, however long the longest took.
      await run.live('q12', ...madeFor('task-12', 10, at + 48 * hour));
      await expect(claim(run, ['q11'], { held: 4, at: at + hour })).rejects.toThrow(NoRoomError);
      await claim(run, ['q11'], { held: 4, at: at + hour, mostHoldMs: hour });
      // Uncertain rows are no tasks that the service has accepted.
      await claim(run, ['q5'], { open: 5 });
      await expect(claim(run, ['q6'], { open: 5 })).rejects.toThrow(NoRoomError);
    });

    it('is for points: one row at a time while no price is known, then as many as the price allows', async () => {
      await using run = await runs.open(...namedRows(24));
      expect(await race(run, { points: 100 })).toBe(1);
      const [submitting] = await Array.fromAsync(run.checkpoint.items(['submitting']));
      const id = submitting?.id ?? '';
      await run.live(id, ...madeFor('task-1', 10).slice(1));
      // 10 are spent; 3 more are 40.
      expect(await race(run, { points: 45 })).toBe(3);
      expect(await race(run, { points: 45 })).toBe(0);
      expect(await race(run, { points: 50 })).toBe(1);
    });

    it('reserves the price of videos that cost nothing yet, while it may come late', async () => {
      await using run = await runs.open(...namedRows(4));
      await run.live('q1', ...madeFor('task-1', 10));
      await run.live('q2', ...madeFor('task-2', 0, at + 1_000));
      await expect(claim(run, ['q3'], { points: 25, pricedLateSince: at })).rejects.toThrow(NoRoomError);
      await claim(run, ['q3'], { points: 25, pricedLateSince: at + 1_001 });
      await claim(run, ['q4'], { points: 40, pricedLateSince: at });
    });

    it('is refused where a bad fact came that its process does not know', async () => {
      await using run = await runs.open(...namedRows(6));
      await using other = await join(run);
      await other.checkpoint.commit([], { room: null, facts: [factOf('creation-accepted')] });
      await claim(run, ['q1'], { lastFact: 0 });
      await other.checkpoint.commit([], { room: null, facts: [factOf('creation-refused')] });
      await expect(claim(run, ['q2'], { lastFact: 1 })).rejects.toThrow(NoRoomError);
      await claim(run, ['q2'], { lastFact: 2 });
      await other.checkpoint.commit([], { room: null, facts: [lostFact] });
      await expect(claim(run, ['q3'], { lastFact: 2 })).rejects.toThrow(NoRoomError);
      // The facts of the commit itself are known to its process.
      await claim(run, ['q3'], { lastFact: 3 }, [factOf('creation-refused')]);
    });

    it('is refused by a store that knows fewer creations than its process does: it is an older copy', async () => {
      await using run = await runs.open(...namedRows(3));
      await claim(run, ['q1'], { creations: 0 });
      await claim(run, ['q2'], { creations: 1 });
      await expect(claim(run, ['q3'], { creations: 3 })).rejects.toThrow(NoRoomError);
      expect((await run.item('q3')).status).toBe('pending');
    });

    it('is asked for claims alone, and what finds none is not saved at all', async () => {
      await using run = await runs.open(...namedRows(3));
      const open = await run.live('q1', ...accepted('task-1'));
      const { change } = await sharingOf(run).look();
      const failed = { before: open, after: { ...open, status: 'failed' as const, version: 9, points: 0 } };
      const [q2] = await run.checkpoint.itemsWithIds(['q2']);
      const none = { ...wide, held: 0 };
      const both = [failed, claimOf(q2 as Item)];
      const refused = run.checkpoint.commit(both, { room: none, facts: [factOf('creation-refused')] });
      await expect(refused).rejects.toThrow(NoRoomError);
      expect(await run.item('q1')).toEqual(open);
      expect(await sharingOf(run).facts(0)).toEqual([]);
      expect((await sharingOf(run).look()).change).toBe(change);
      await run.checkpoint.commit([failed], { room: none, facts: [] });
      expect((await run.item('q1')).status).toBe('failed');
    });

    it('is what the core decides, in any state of the run', async () => {
      const anyQuality = fc.constantFrom<Quality | null>('h', 'm', 'l', null);
      const anyLife = fc.record({
        type: fc.constantFrom('submitting', 'open', 'uncertain', 'priced', 'unpriced', 'lost'),
        quality: anyQuality,
        points: fc.constantFrom(0.1, 0.2, 2.5, 10),
      });
      const limit = fc.option(fc.nat(8));
      const anyCase = fc.record({
        lives: fc.array(anyLife, { maxLength: 8 }),
        claims: fc.array(anyQuality, { minLength: 1, maxLength: 3 }),
        concurrency: fc.nat(10),
        window: fc.nat(6),
        openLimit: fc.constantFrom(1, 2.5, 4, 6, Number.POSITIVE_INFINITY),
        limit,
        maxPoints: fc.option(fc.constantFrom(0.3, 0.6, 5, 10, 20, 22.5, 40)),
        decidedAt: fc.constantFrom(at, at + 20 * 60_000, at + hour),
        taskTimeoutMs: fc.constantFrom(10 * 60_000, 6 * hour),
      });
      await fc.assert(
        fc.asyncProperty(anyCase, async ({ lives, claims, decidedAt, window, openLimit, ...limits }) => {
          await using run = await runs.openScratch();
          const { checkpoint } = run;
          const sharing = sharingOf(run);
          await run.ingest(incomingRows(...namedRows(12)));
          for (const [place, { type, quality, points }] of lives.entries()) {
            const id = `q${place + 1}`;
            const started = [eventOf('claimed', { quality, token: id })];
            const open = [...started, eventOf('creation-accepted', { taskId: `task-${id}` })];
            const end = (cost: number | null) =>
              eventOf('task-completed', { frames: [], ending: { ...ending, points: cost } });
            const story = {
              submitting: started,
              open,
              uncertain: [...started, events['creation-uncertain']],
              priced: [...open, end(points), events['video-saved']],
              unpriced: [...open, end(null), events['video-saved']],
              lost: [...open, events['task-overdue']],
            };
            await run.live(id, ...story[type]);
          }
          const ledger = await checkpoint.ledger();
          const policy = { ...defaultPolicy, ...limits };
          const holdMs = uncertainSlotMs(ledger, policy);
          const uncertain = uncertainSlots(await checkpoint.uncertainPlaces(), holdMs, decidedAt).length;
          const { submittedRows } = await sharing.look();
          const pending = await checkpoint.pendingItems({ limit: claims.length, only: null });
          const candidates = pending.map((item, place) => ({ ...item, quality: claims[place] ?? null }));
          const slots = { window, openLimit, uncertain, submittedRows, fetching: 0 };
          const places = decideRoom(policy, ledger, slots);
          const hasRoom =
            claims.length <= places && claims.length <= decideAffordable(policy, ledger, candidates);
          const room: ClaimRoom = {
            held: policy.concurrency,
            mostHoldMs: policy.taskTimeoutMs,
            open: openLimit,
            submitting: window,
            submitted: policy.limit,
            points: policy.maxPoints,
            pricedLateSince: decidedAt + hour,
            lastFact: 0,
            creations: 0,
            lastSent: null,
            round: null,
            steering: 0,
            answerBy: decidedAt + 90_000,
            at: decidedAt,
          };
          const changes = pending.map((item, place) =>
            claimOf(item, { quality: claims[place] ?? null, at: decidedAt }),
          );
          const commit = checkpoint.commit(changes, { room, facts: [] });
          const found = await commit.then(
            () => true,
            (error: unknown) => {
              if (!(error instanceof NoRoomError)) throw error;
              expect(error.left?.places ?? null).toBe(places < claims.length ? places : null);
              return false;
            },
          );
          expect(found).toBe(hasRoom);
        }),
        { numRuns: runs.tries(400) },
      );
    });
  });
}
