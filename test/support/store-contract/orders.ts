import { describe, expect, it } from 'vitest';
import { countEnded, type EndedOrder, endedOrders, endOrders } from '../../../src/app/offers/ended-finals.ts';
import { StaleItemError } from '../../../src/errors.ts';
import { moveAtRest } from '../../../src/money/at-rest.ts';
import { allWaiting } from '../../../src/money/paid-rows.ts';
import { at, eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

/** The row failed, and the retry of this round orders a new attempt. */
async function orderFailed(run: StoreRun, id: string, round: number, task = `task-${id}`): Promise<void> {
  const before = await run.live(id, ...accepted(task), events['task-failed']);
  const after = moveAtRest(before, { type: 'retry-ordered', at });
  await run.checkpoint.order(round, [{ before, after }], []);
}

async function waiting({ checkpoint }: StoreRun, retry: number, limit = 9): Promise<readonly string[]> {
  return (await checkpoint.pendingItems({ only: null, retry, limit })).map(({ id }) => id);
}

const none = { h: 0, m: 0, l: 0, none: 0 };

/** What retries ordered, and which rows a retry takes. */
export function describeOrders(runs: Runs): void {
  describe('rows that a retry ordered', () => {
    it('are told from those that wait for their first attempt, and from those of another retry', async () => {
      await using run = await runs.open(...namedRows(5));
      await orderFailed(run, 'q4', 1);
      await orderFailed(run, 'q2', 1);
      await orderFailed(run, 'q5', 2);
      expect(await waiting(run, 1)).toEqual(['q2', 'q4']);
      expect(await waiting(run, 1, 1)).toHaveLength(1);
      expect(await waiting(run, 2)).toEqual(['q5']);
      expect(await waiting(run, 3)).toEqual([]);
      const { checkpoint, store } = run;
      expect(await checkpoint.orderedCount(1)).toBe(2);
      expect(await checkpoint.hasPending({ only: null, retry: 1 })).toBe(true);
      expect(await checkpoint.hasPending({ only: null, retry: 3 })).toBe(false);
      expect(await store.totals.pendingQualities({ only: null, retry: 1 })).toMatchObject({ none: 2 });
      expect(await store.totals.pendingLengths({ only: null, retry: 1 }, 1)).toMatchObject([{ rows: 2 }]);
      expect(await store.totals.unsent()).toEqual([
        { round: 2, rows: { ...none, none: 1 } },
        { round: 1, rows: { ...none, none: 2 } },
      ]);
      expect((await checkpoint.pendingItems({ only: null, limit: 9 })).map(({ id }) => id)).toEqual(
        namedRows(5).map(({ id }) => id),
      );
    });

    it('stay so until their attempt comes to something', async () => {
      await using run = await runs.open(...namedRows(1));
      await orderFailed(run, 'q1', 1);
      await run.live('q1', eventOf('claimed', { token: 't2' }));
      expect(await waiting(run, 1)).toEqual([]);
      await run.live('q1', eventOf('creation-refused', { passing: true }));
      expect(await waiting(run, 1)).toEqual(['q1']);
      await run.live(
        'q1',
        eventOf('claimed', { token: 't3' }),
        events['creation-uncertain'],
        events['not-created'],
      );
      expect(await waiting(run, 1)).toEqual(['q1']);
      await run.live('q1', ...accepted('task-2'), events['task-overdue'], events['not-created']);
      expect(await waiting(run, 1)).toEqual([]);
      expect(await run.store.totals.unsent()).toEqual([]);
    });

    it('are ordered again by another retry, and only while they wait', async () => {
      await using run = await runs.open(...namedRows(2));
      await orderFailed(run, 'q1', 1);
      const open = await run.live('q2', ...accepted('task-2'));
      await run.checkpoint.order(2, [], [(await run.item('q1')).key, open.key]);
      expect(await waiting(run, 1)).toEqual([]);
      expect(await waiting(run, 2)).toEqual(['q1']);
      await run.live('q2', events['task-failed'], events['retry-ordered']);
      expect(await waiting(run, 2)).toEqual(['q1']);
    });

    it('have the quality of a final until it falls away', async () => {
      await using run = await runs.open(...namedRows(2));
      const before = await run.live('q1', ...completed('task-1'));
      const { key } = before;
      const after = moveAtRest(before, { type: 'retry-ordered', at, quality: 'h' });
      const finals = new Map([[key, { quality: 'h', draft: 1 } as const]]);
      const passed = eventOf('creation-refused', { passing: true });
      await run.checkpoint.order(1, [{ before, after }], [], { finals });
      const { checkpoint, store } = run;
      expect(await store.totals.pendingQualities({ only: null, retry: 1 })).toEqual({ ...none, h: 1 });
      expect(await checkpoint.input(key)).toMatchObject({ quality: 'h' });
      const standing = { preferred: 1, final: { quality: 'h', draft: 1, since: 2, isDraftStanding: true } };
      expect(await checkpoint.reportRowsOf([key])).toMatchObject([standing]);
      expect(await store.reviews.standing()).toEqual(new Map([[key, 1]]));
      expect(await store.reviews.preferences()).toEqual(new Map());
      await run.live('q1', eventOf('claimed', { token: 't2', quality: 'h' }), passed);
      expect(await checkpoint.input(key)).toMatchObject({ quality: 'h' });
      const same = incomingRows(...namedRows(2));
      const more = incomingRows(...namedRows(3));
      expect((await run.plan(same)).now).toEqual({ ...none, h: 1, none: 1 });
      expect((await run.plan(more)).now).toEqual({ ...none, h: 1, none: 2 });
      expect((await run.plan(more.slice(1), { add: true })).now).toEqual({ ...none, h: 1, none: 2 });
      const bad = await run.plan(same, { ended: [key] });
      expect(bad).toMatchObject({ now: { ...none, none: 1 }, endedFinals: [{ id: 'q1', why: 'bad' }] });
      expect(bad).toMatchObject({ toSubmit: 1, kept: { completed: 1, pending: 0 } });
      const others = incomingRows({ id: 'q1', question: 'another' }, ...namedRows(2).slice(1));
      const plan = await run.plan(others);
      expect(plan).toMatchObject({ now: { ...none, none: 1 }, endedFinals: [{ id: 'q1', why: 'changed' }] });
      expect(plan).toMatchObject({ changedUnsent: 0, changedSentIds: ['q1'], rerunnable: 1, toSubmit: 1 });
      expect((await run.plan(others, { rerunChanged: true })).now).toEqual({ ...none, none: 2 });
      await run.ingest(others);
      expect(await checkpoint.editOf(key)).toEqual({ quality: null, failure: null });
      const [ended] = await endedOrders(store);
      expect(ended).toMatchObject({ id: 'q1', why: 'changed', before: { attempt: 2, status: 'pending' } });
      expect(await countEnded(store, [ended as EndedOrder], allWaiting)).toEqual({ ...none, h: 1 });
      await endOrders(store);
      expect(await run.item('q1')).toMatchObject({ status: 'completed', taskId: 'task-1', quality: null });
      expect(await checkpoint.input(key)).toMatchObject({ quality: null });
      expect(await checkpoint.reportRowsOf([key])).toMatchObject([{ preferred: null, final: null }]);
      expect(await checkpoint.orderedCount(1)).toBe(0);
      expect(await store.reviews.finals()).toEqual(new Map());
    });

    it('have their new text where a changed final is to be paid for', async () => {
      await using run = await runs.open(...namedRows(1));
      const before = await run.live('q1', ...completed('task-1'));
      const { key } = before;
      const after = moveAtRest(before, { type: 'retry-ordered', at, quality: 'h' });
      const finals = new Map([[key, { quality: 'h', draft: 1 } as const]]);
      await run.checkpoint.order(1, [{ before, after }], [], { finals });
      await run.ingest(incomingRows({ id: 'q1', question: 'another' }), { rerunChanged: true });
      expect(await run.item('q1')).toMatchObject({ status: 'pending', quality: null });
      expect(await run.checkpoint.input(key)).toMatchObject({
        quality: null,
        input: { question: 'another' },
      });
    });

    it('are ordered all or none', async () => {
      await using run = await runs.open(...namedRows(2));
      const before = await run.live('q1', ...accepted('task-1'), events['task-failed']);
      const other = await run.live('q2', ...accepted('task-2'), events['task-failed']);
      const ordered = moveAtRest(before, { type: 'retry-ordered', at });
      await run.live('q2', events['retry-ordered']);
      const changes = [
        { before, after: ordered },
        { before: other, after: moveAtRest(other, { type: 'retry-ordered', at }) },
      ];
      await expect(run.checkpoint.order(1, changes, [])).rejects.toBeInstanceOf(StaleItemError);
      expect(await run.item('q1')).toEqual(before);
      expect(await waiting(run, 1)).toEqual([]);
    });

    it('are left out once they have left the file', async () => {
      await using run = await runs.open(...namedRows(2));
      await orderFailed(run, 'q2', 1);
      await run.ingest(incomingRows(...namedRows(1)));
      expect(await waiting(run, 1)).toEqual([]);
      expect(await run.store.totals.unsent()).toEqual([]);
    });
  });

  describe('rows that a retry would take', () => {
    it('are those of the file that can be sent, with the quality that they have there now', async () => {
      await using run = await runs.open(...namedRows(5));
      for (const id of ['q1', 'q2', 'q3', 'q5'])
        await run.live(id, ...accepted(`task-${id}`), events['task-failed']);
      await run.live('q4', ...accepted('task-q4'), events['task-overdue']);
      const edits = { q2: { question: 'other', quality: 'h' }, q3: { question: '' } };
      const edited = namedRows(4).map((row) => ({ ...row, ...Object(edits)[row.id ?? ''] }));
      await run.ingest(incomingRows(...edited));
      expect(await run.store.totals.retryable()).toEqual({
        failed: { ...none, h: 1, none: 1 },
        rejected: none,
        lost: { ...none, none: 1 },
      });
      const { groups } = await run.store.totals.failureGroups();
      expect(groups.find(({ status }) => status === 'failed')).toMatchObject({ count: 4, inFile: 2 });
    });

    it('ended in a round or before it, where one is named', async () => {
      await using run = await runs.open(...namedRows(3));
      const failed = async (until: number) =>
        (await Array.fromAsync(run.checkpoint.items(['failed'], 'inFile', until))).map(({ id }) => id);
      for (const [round, id] of ['q1', 'q2', 'q3'].entries()) {
        await run.store.settings.save('rounds', String(round));
        await run.live(id, ...accepted(`task-${id}`), events['task-failed']);
      }
      expect(await failed(0)).toEqual(['q1']);
      expect(await failed(1)).toEqual(['q1', 'q2']);
      await run.store.settings.save('rounds', '4');
      await run.live('q1', events['retry-ordered'], ...accepted('task-again'), events['task-failed']);
      expect(await failed(2)).toEqual(['q2', 'q3']);
      expect(await failed(4)).toEqual(['q1', 'q2', 'q3']);
    });
  });
}
