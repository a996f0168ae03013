/** What every checkpoint promises, whatever it stands on. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item, ItemEvent, Status } from '../../src/core/item.ts';
import { defaultPolicy } from '../../src/core/policy.ts';
import type { IncomingRow } from '../../src/core/question.ts';
import { applyChange, createLedger, type Ledger } from '../../src/core/summary.ts';
import { isLegal, transition } from '../../src/core/transition.ts';
import { StaleItemError } from '../../src/errors.ts';
import type { Checkpoint } from '../../src/store.ts';
import { eventArbitrary } from '../core/any-event.ts';
import { at, ending, eventOf, events, fileAt } from '../core/lives.ts';
import { incomingRows, namedRows, source, type WrittenRow } from './incoming-rows.ts';
import { accepted, completed, itemNamed, liveOn } from './saved-lives.ts';

/** A checkpoint that holds nothing yet, with what a test needs beside the port. */
export interface CheckpointUnderTest extends AsyncDisposable {
  readonly checkpoint: Checkpoint;
  /** Makes these rows the input: new ones are pending, those that are not among them any more are gone. */
  ingest(rows: readonly IncomingRow[]): Promise<void>;
}

/** More than fit on any page. */
const manyRows = 1_203;

/** Runs the suite; `open` makes an empty checkpoint. */
export function describeCheckpoint(name: string, open: () => Promise<CheckpointUnderTest>): void {
  async function openWith(...rows: readonly WrittenRow[]) {
    const opened = await open();
    await opened.ingest(incomingRows(...rows));
    const { checkpoint } = opened;
    return Object.assign(opened, {
      item: (id: string) => itemNamed(checkpoint, id),
      live: (id: string, ...story: readonly ItemEvent[]) => liveOn(checkpoint, id, ...story),
      idsIn: async (...statuses: readonly Status[]) =>
        (await Array.fromAsync(checkpoint.items(statuses))).map((item) => item.id),
    });
  }

  describe(`${name}: commit`, () => {
    it('keeps every field of an item and of its artifacts', async () => {
      await using opened = await openWith(...namedRows(1));
      const item = await opened.live(
        'q1',
        ...accepted('task-1'),
        events['task-progressed'],
        events['frame-saved'],
        eventOf('task-completed', { frames: [{ id: 'f2', url: 'https://x.example/f2' }] }),
        events['video-saved'],
      );
      expect(item.artifacts).toHaveLength(3);
      expect(await opened.item('q1')).toEqual(item);
      expect(await opened.checkpoint.itemWithKey(item.key)).toEqual(item);
      expect(await opened.idsIn('downloading')).toEqual(['q1']);
    });

    it.for([
      ['status', { status: 'open' }],
      ['token', { token: 'another' }],
    ] as const)('writes none of its changes when the %s of one item moved on', async ([, moved]) => {
      await using opened = await openWith(...namedRows(2));
      const first = await opened.item('q1');
      const second = await opened.item('q2');
      const claimed = (item: Item): Item => transition(item, events.claimed, defaultPolicy).item;
      const changes = [
        { before: first, after: claimed(first) },
        { before: { ...second, ...moved }, after: claimed(second) },
      ];
      const before = await opened.checkpoint.ledger();
      await expect(opened.checkpoint.commit(changes)).rejects.toThrow(StaleItemError);
      expect([await opened.item('q1'), await opened.item('q2')]).toEqual([first, second]);
      expect(await opened.checkpoint.ledger()).toEqual(before);
    });

    it('lets one of two claims of the same row win', async () => {
      await using opened = await openWith(...namedRows(1));
      const before = await opened.item('q1');
      const claims = ['t1', 't2'].map((token) => ({
        before,
        after: transition(before, eventOf('claimed', { token }), defaultPolicy).item,
      }));
      const ends = await Promise.allSettled(claims.map((claim) => opened.checkpoint.commit([claim])));
      expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'rejected']);
      expect((await opened.item('q1')).token).toBe('t1');
    });

    it('changes nothing when there is nothing to save', async () => {
      await using opened = await openWith(...namedRows(1));
      await opened.checkpoint.commit([]);
      expect((await opened.item('q1')).status).toBe('pending');
    });

    it('knows the files of an attempt until another one has its video, also of rows that wait', async () => {
      await using opened = await openWith(...namedRows(2));
      await opened.live('q2', ...completed('task-2'));
      await opened.live('q1', ...completed('task-1'), events['retry-ordered']);
      const [waiting] = await opened.checkpoint.pendingItems({ limit: 2, only: null });
      expect(waiting?.artifacts).toMatchObject([{ kind: 'video', state: 'saved' }]);
      await opened.live('q1', eventOf('claimed', { token: 'again', aside: 'attempt-1' }));
      expect((await opened.item('q1')).artifacts).toMatchObject([{ kind: 'earlier', state: 'saved' }]);
      const made = completed('task-3').filter(({ type }) => type !== 'claimed');
      await opened.live('q1', ...made);
      expect((await opened.item('q1')).artifacts).toMatchObject([{ kind: 'video', state: 'saved' }]);
      expect((await opened.item('q2')).artifacts).toHaveLength(1);
    });

    it('replaces what is known of a file', async () => {
      await using opened = await openWith(...namedRows(1));
      await opened.live('q1', ...completed('task-1'), events['file-damaged']);
      expect((await opened.item('q1')).artifacts).toMatchObject([
        { state: 'wanted', path: 'sum-1/video.mp4' },
      ]);
      await opened.live('q1', eventOf('video-saved', { file: fileAt('q1/video.webm') }));
      expect((await opened.item('q1')).artifacts).toMatchObject([{ state: 'saved', path: 'q1/video.webm' }]);
    });
  });

  describe(`${name}: attempts`, () => {
    it('keeps every creation request with its points, and finds an item by any of its tasks', async () => {
      await using opened = await openWith(...namedRows(1));
      await opened.live('q1', ...completed('task-1'), events['retry-ordered']);
      await opened.live('q1', ...accepted('task-2'), events['task-failed']);
      const [row] = await Array.fromAsync(opened.checkpoint.reportRows());
      expect(row?.attempts).toMatchObject([
        { attempt: 1, status: 'completed', taskId: 'task-1', points: 10, failure: null },
        { attempt: 2, status: 'failed', taskId: 'task-2', points: 0, failure: 'it cannot be drawn' },
      ]);
      expect((await opened.checkpoint.ledger()).spent).toBe(10);
      expect((await opened.checkpoint.itemOfTask('task-1'))?.id).toBe('q1');
      expect((await opened.checkpoint.itemOfTask('task-2'))?.id).toBe('q1');
      expect(await opened.checkpoint.itemOfTask('task-3')).toBeNull();
    });

    it('counts a task that a later attempt has again for that attempt alone', async () => {
      await using opened = await openWith(...namedRows(2));
      await opened.live('q2', ...completed('task-2'));
      await opened.live('q1', ...completed('task-1'), events['retry-ordered'], ...accepted('task-1'));
      expect((await opened.checkpoint.ledger()).spent).toBe(10);
      await opened.live('q1', eventOf('task-completed', { frames: [] }), events['video-saved']);
      expect((await opened.checkpoint.ledger()).spent).toBe(20);
      const [row] = await Array.fromAsync(opened.checkpoint.reportRows());
      expect(row?.attempts).toMatchObject([
        { attempt: 1, taskId: null, points: 0 },
        { attempt: 2, status: 'completed', taskId: 'task-1', points: 10 },
      ]);
      expect((await opened.checkpoint.itemOfTask('task-1'))?.id).toBe('q1');
    });

    it('sums the points of all attempts', async () => {
      await using opened = await openWith(...namedRows(1));
      for (const task of ['task-1', 'task-2', 'task-3']) {
        const cost = eventOf('task-completed', { frames: [], ending: { ...ending, points: 2.5 } });
        await opened.live('q1', ...accepted(task), cost, events['video-saved'], events['retry-ordered']);
      }
      expect(await opened.checkpoint.ledger()).toMatchObject({
        spent: 7.5,
        largestPoints: new Map([['m', 2.5]]),
      });
    });
  });

  describe(`${name}: the ledger`, () => {
    /** Items in statuses that reserve nothing are not worth a line. */
    const plain = ({ largestPoints, reserving, ...ledger }: Ledger) => ({
      ...ledger,
      reserving: new Map([...reserving].filter(([, count]) => count > 0)),
    });

    it('is after any history what adding up its changes gives', async () => {
      const story = fc.array(fc.record({ row: fc.nat(3), event: eventArbitrary }), {
        maxLength: 60,
        size: 'max',
      });
      await fc.assert(
        fc.asyncProperty(story, async (happenings) => {
          await using opened = await openWith(...namedRows(4));
          const { checkpoint } = opened;
          const items = await checkpoint.itemsWithIds(['q1', 'q2', 'q3', 'q4']);
          const summed = await checkpoint.ledger();
          for (const { row, event } of happenings) {
            const before = items[row];
            if (before === undefined || !isLegal(before.status, event.type)) continue;
            const after = transition(before, event, defaultPolicy).item;
            await checkpoint.commit([{ before, after }]);
            applyChange(summed, before, after);
            items[row] = after;
          }
          expect(await checkpoint.itemsWithIds(['q1', 'q2', 'q3', 'q4'])).toEqual(items);
          const saved = await checkpoint.ledger();
          expect(plain(saved)).toEqual(plain(summed));
          // A service that corrects its points downward leaves the higher price known only to those who saw it.
          for (const [quality, points] of saved.largestPoints)
            expect(summed.largestPoints.get(quality)).toBeGreaterThanOrEqual(points);
        }),
        { numRuns: 40 },
      );
    });

    it('knows prices by quality, what is reserved, and the longest task', async () => {
      await using opened = await openWith(...namedRows(3));
      const claim = (quality: 'h' | 'l') => eventOf('claimed', { quality, token: quality });
      const end = eventOf('task-completed', {
        at: at + 300_000,
        frames: [],
        ending: { ...ending, points: 30 },
      });
      await opened.live('q1', claim('h'), events['creation-accepted'], end);
      await opened.live('q2', claim('l'));
      await opened.live('q3', claim('l'), events['creation-uncertain']);
      expect(await opened.checkpoint.ledger()).toMatchObject({
        counts: { ...createLedger().counts, downloading: 1, submitting: 1, uncertain: 1 },
        spent: 30,
        largestPoints: new Map([['h', 30]]),
        reserving: new Map([['l', 2]]),
        longestTaskMs: 300_000,
      });
    });

    it('of an empty checkpoint is empty', async () => {
      await using opened = await openWith();
      expect(await opened.checkpoint.ledger()).toEqual(createLedger());
      expect(await Array.fromAsync(opened.checkpoint.reportRows())).toEqual([]);
    });
  });

  describe(`${name}: pages`, () => {
    it('bring every item of the statuses once, in input order, however many there are', async () => {
      await using opened = await openWith(...namedRows(manyRows));
      const ids = namedRows(manyRows).map((row) => row.id);
      expect(await opened.idsIn('pending')).toEqual(ids);
      await opened.live('q7', events.claimed);
      expect(await opened.idsIn('submitting', 'pending')).toEqual(['q7', ...ids.filter((id) => id !== 'q7')]);
    });

    it('bring every item once, also where gone rows had the same places in the file', async () => {
      await using opened = await openWith();
      const files = ['a', 'b', 'c'].map((name) =>
        namedRows(250).map(({ id, question }) => ({
          id: `${name}-${id}`,
          question: `${question} of ${name}`,
        })),
      );
      for (const file of files) await opened.ingest(incomingRows(...file));
      const ids = files.flat().map(({ id }) => id);
      expect((await opened.idsIn('pending')).sort()).toEqual(ids.sort());
    });

    it('miss none when items leave their status while they are read', async () => {
      await using opened = await openWith(...namedRows(manyRows));
      const { checkpoint } = opened;
      const seen: string[] = [];
      for await (const before of checkpoint.items(['pending'])) {
        seen.push(before.id);
        const after = transition(before, eventOf('claimed', { token: before.id }), defaultPolicy).item;
        await checkpoint.commit([{ before, after }]);
      }
      expect(new Set(seen).size).toBe(manyRows);
      expect((await checkpoint.ledger()).counts).toMatchObject({ pending: 0, submitting: manyRows });
    });

    it('of the report come in input order, the rows that are gone last', async () => {
      await using opened = await openWith(...namedRows(manyRows));
      await opened.live('q2', ...completed('task-2'));
      await opened.live('q1', events.claimed, events['creation-uncertain']);
      const left = namedRows(manyRows).slice(3);
      await opened.ingest(incomingRows(...left));
      const rows = await Array.fromAsync(opened.checkpoint.reportRows());
      expect(rows.map((row) => row.item.id)).toEqual([...left.map((row) => row.id), 'q1', 'q2']);
      expect(rows.filter((row) => row.gone).map((row) => row.item.id)).toEqual(['q1', 'q2']);
      expect(rows.at(-1)).toMatchObject({
        input: { id: 'q2', question: 'Question 2' },
        source,
        attempts: [{ taskId: 'task-2' }],
        item: { artifacts: [{ kind: 'video' }] },
      });
    });

    it('do not count a row that is gone and was never sent', async () => {
      await using opened = await openWith(...namedRows(3));
      await opened.ingest(incomingRows(...namedRows(3).slice(1)));
      expect((await opened.checkpoint.ledger()).counts.pending).toBe(2);
      const rows = await Array.fromAsync(opened.checkpoint.reportRows());
      expect(rows.map((row) => row.item.id)).toEqual(['q2', 'q3']);
    });
  });

  describe(`${name}: pending items`, () => {
    const all = { limit: 10, only: null } as const;

    it('come in input order, as many as are wanted', async () => {
      await using opened = await openWith(...namedRows(4));
      const { checkpoint } = opened;
      await opened.live('q2', events.claimed);
      const ids = async (query: Parameters<Checkpoint['pendingItems']>[0]) =>
        (await checkpoint.pendingItems(query)).map((item) => item.id);
      expect(await ids(all)).toEqual(['q1', 'q3', 'q4']);
      expect(await ids({ ...all, limit: 2 })).toEqual(['q1', 'q3']);
      expect(await ids({ ...all, limit: 0 })).toEqual([]);
      expect(await ids({ ...all, only: ['q4', 'q2', 'nobody', 'q3'] })).toEqual(['q3', 'q4']);
      expect(await ids({ ...all, only: ['q4', 'q3'], limit: 1 })).toEqual(['q3']);
      expect(await ids({ ...all, only: [] })).toEqual([]);
    });

    it('are whole items', async () => {
      await using opened = await openWith(...namedRows(1));
      await opened.live('q1', events.claimed, events['creation-not-sent']);
      expect(await opened.checkpoint.pendingItems(all)).toEqual([await opened.item('q1')]);
    });

    it('tell how long the service asked an earlier run to wait', async () => {
      await using opened = await openWith(...namedRows(3));
      const { checkpoint } = opened;
      const refused = eventOf('creation-refused', { passing: true, retryAfterMs: 60_000 });
      for (const id of ['q1', 'q2', 'q3']) await opened.live(id, events.claimed, refused);
      await opened.live('q3', eventOf('claimed', { token: 't3' }), { ...refused, retryAfterMs: 90_000 });
      expect(await checkpoint.pausedUntil()).toBe(at + 90_000);
      expect((await checkpoint.pendingItems(all)).map((item) => item.id)).toEqual(['q1', 'q2', 'q3']);
      expect(await checkpoint.hasPending(null)).toBe(true);
      expect(await checkpoint.hasPending(['q3'])).toBe(true);
      expect(await checkpoint.hasPending(['nobody'])).toBe(false);
    });

    it('are not those of rows that are gone', async () => {
      await using opened = await openWith(...namedRows(2));
      await opened.ingest(incomingRows(...namedRows(1)));
      expect((await opened.checkpoint.pendingItems(all)).map((item) => item.id)).toEqual(['q1']);
      await opened.live('q1', events.claimed);
      expect(await opened.checkpoint.hasPending(null)).toBe(false);
      expect(await opened.checkpoint.pausedUntil()).toBe(0);
    });
  });

  describe(`${name}: what else it knows`, () => {
    it('gives a row back as it was read, with how to read it', async () => {
      const written = { id: 'q1', question: ' 1 + 1 =  ', note: 'my own' };
      await using opened = await openWith(written);
      const { key } = await opened.item('q1');
      expect(await opened.checkpoint.input(key)).toEqual({ input: written, source });
    });

    it('finds items by key and by ids, and says so when there is none', async () => {
      await using opened = await openWith(...namedRows(3));
      const { checkpoint } = opened;
      const found = await checkpoint.itemsWithIds(['q3', 'nobody', 'q1']);
      expect(found.map((item) => item.id)).toEqual(['q1', 'q3']);
      expect(await checkpoint.itemWithKey(999)).toBeNull();
    });

    it('knows since when creations are uncertain', async () => {
      await using opened = await openWith(...namedRows(3));
      for (const [id, sentAt] of [
        ['q1', at],
        ['q2', at + 5_000],
      ] as const) {
        await opened.live(id, eventOf('claimed', { at: sentAt, token: id }), events['creation-uncertain']);
      }
      await opened.live('q3', events.claimed);
      expect(await opened.checkpoint.uncertainPlaces()).toEqual([
        { id: 'q1', at },
        { id: 'q2', at: at + 5_000 },
      ]);
    });
  });
}
