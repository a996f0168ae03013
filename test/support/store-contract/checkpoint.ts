import { describe, expect, it } from 'vitest';
import { StaleItemError } from '../../../src/errors.ts';
import type { Item } from '../../../src/money/item.ts';
import { defaultPolicy, fixed } from '../../../src/money/policy.ts';
import { createLedger } from '../../../src/money/summary.ts';
import { transition } from '../../../src/money/transition.ts';
import { saveLateTasks } from '../../../src/runner/late-answers/late-tasks.ts';
import type { Checkpoint } from '../../../src/stores/port/checkpoint.ts';
import { at, ending, eventOf, events, fileAt } from '../../money/lives.ts';
import { incomingRows, namedRows, source } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import { carry } from './archive.ts';
import type { Runs } from './runs.ts';

/** More than fit on any page. */
const manyRows = 1_203;

/** What is saved of items, and how it is read again. */
export function describeCheckpoint(runs: Runs): void {
  describe('commit', () => {
    it('keeps every field of an item and of its artifacts', async () => {
      await using run = await runs.open(...namedRows(1));
      const item = await run.live(
        'q1',
        ...accepted('task-1'),
        events['task-progressed'],
        events['frame-saved'],
        eventOf('task-completed', { frames: [{ id: 'f2', url: 'https://x.example/f2' }] }),
        events['video-saved'],
      );
      expect(item.artifacts).toHaveLength(3);
      expect(await run.item('q1')).toEqual(item);
      expect(await run.checkpoint.itemWithKey(item.key)).toEqual(item);
      expect(await run.idsIn('downloading')).toEqual(['q1']);
    });

    it.for([
      ['status', { status: 'open' }],
      ['token', { token: 'another' }],
      ['version', { version: 7 }],
    ] as const)(
      'writes none of its changes when the %s of one item moved on, and names that item',
      async ([, moved]) => {
        await using run = await runs.open(...namedRows(3));
        const before = await run.all();
        const [first, second, third] = before;
        if (first === undefined || second === undefined || third === undefined) throw new Error('no rows');
        const claimed = (item: Item): Item =>
          transition(item, eventOf('claimed', { token: item.id }), defaultPolicy).item;
        const changes = [
          { before: first, after: claimed(first) },
          { before: { ...second, ...moved }, after: claimed(second) },
          { before: third, after: claimed(third) },
        ];
        const ledger = await run.checkpoint.ledger();
        const refusal = await run.checkpoint.commit(changes).catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(StaleItemError);
        expect(refusal).toMatchObject({ keys: [second.key] });
        expect(await run.all()).toEqual(before);
        expect(await run.checkpoint.ledger()).toEqual(ledger);
        expect((await Array.fromAsync(run.checkpoint.reportRows())).flatMap((row) => row.attempts)).toEqual(
          [],
        );
      },
    );

    it('refuses two changes of one item that were decided on the same version, and writes neither', async () => {
      await using run = await runs.open(...namedRows(1));
      const before = await run.live('q1', ...accepted('task-1'), events['task-completed']);
      const after = transition(before, events['video-saved'], defaultPolicy).item;
      const refusal = await run.checkpoint
        .commit([
          { before, after },
          { before, after },
        ])
        .catch((error: unknown) => error);
      expect(refusal).toMatchObject({ name: 'StaleItemError', keys: [before.key] });
      expect(await run.item('q1')).toEqual(before);
    });

    it('refuses a change that was decided on an older version, though status and token are the same', async () => {
      await using run = await runs.open(...namedRows(1));
      const open = await run.live('q1', ...accepted('task-1'));
      const progressed = await run.live('q1', events['task-progressed']);
      expect([progressed.status, progressed.token]).toEqual([open.status, open.token]);
      const after = transition(open, events['task-failed'], defaultPolicy).item;
      await expect(run.checkpoint.commit([{ before: open, after }])).rejects.toMatchObject({
        keys: [open.key],
      });
      expect(await run.item('q1')).toEqual(progressed);
    });

    it('names all items that moved on', async () => {
      await using run = await runs.open(...namedRows(3));
      const changes = (await run.all()).map((before) => ({
        before,
        after: transition(before, eventOf('claimed', { token: before.id }), defaultPolicy).item,
      }));
      await run.live('q1', events.claimed);
      await run.live('q3', events.claimed);
      const [q1, , q3] = await run.all();
      await expect(run.checkpoint.commit(changes)).rejects.toMatchObject({ keys: [q1?.key, q3?.key] });
    });

    it('lets one of two claims of the same row win', async () => {
      await using run = await runs.open(...namedRows(1));
      const before = await run.item('q1');
      const claims = ['t1', 't2'].map((token) => ({
        before,
        after: transition(before, eventOf('claimed', { token }), defaultPolicy).item,
      }));
      const ends = await Promise.allSettled(claims.map((claim) => run.checkpoint.commit([claim])));
      expect(ends.map((end) => end.status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const winner = claims[ends.findIndex((end) => end.status === 'fulfilled')];
      expect((await run.item('q1')).token).toBe(winner?.after.token);
    });

    it('claims no row that left the file after it was chosen', async () => {
      await using run = await runs.open(...namedRows(2));
      const before = await run.item('q2');
      await run.ingest(incomingRows(...namedRows(1)));
      const { item: after } = transition(before, events.claimed, defaultPolicy);
      await expect(run.checkpoint.commit([{ before, after }])).rejects.toMatchObject({ keys: [before.key] });
      expect((await run.item('q2')).status).toBe('pending');
    });

    it('changes nothing when there is nothing to save', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.checkpoint.commit([]);
      expect((await run.item('q1')).status).toBe('pending');
    });

    it('knows the files of an attempt until another one has its video, also of rows that wait', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.live('q2', ...completed('task-2'));
      const file = fileAt('q1/video.mp4');
      const story = [eventOf('task-completed', { frames: [] }), eventOf('video-saved', { file })];
      await run.live('q1', ...accepted('task-1'), ...story, events['retry-ordered']);
      const [waiting] = await run.checkpoint.pendingItems({ limit: 2, only: null });
      expect(waiting?.artifacts).toMatchObject([{ kind: 'video', state: 'saved' }]);
      await run.live('q1', eventOf('claimed', { token: 'again', aside: 'attempt-1' }));
      expect((await run.item('q1')).artifacts).toMatchObject([{ kind: 'earlier-video', state: 'saved' }]);
      await run.live('q1', eventOf('creation-accepted', { taskId: 'task-3' }), ...story);
      expect((await run.item('q1')).artifacts).toMatchObject([
        { kind: 'video', state: 'saved', path: 'q1/video.mp4' },
        { kind: 'earlier-video', ordinal: 1, state: 'saved', path: 'q1/attempt-1/video.mp4' },
      ]);
      expect((await run.item('q2')).artifacts).toHaveLength(1);
    });

    it('replaces what is known of a file', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...completed('task-1'), events['file-damaged']);
      expect((await run.item('q1')).artifacts).toMatchObject([{ state: 'wanted', path: 'sum-1/video.mp4' }]);
      await run.live('q1', eventOf('video-saved', { file: fileAt('q1/video.webm') }));
      expect((await run.item('q1')).artifacts).toMatchObject([{ state: 'saved', path: 'q1/video.webm' }]);
    });
  });

  describe('attempts', () => {
    it('keeps every creation request with its points, and finds an item by any of its tasks', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...completed('task-1'), events['retry-ordered']);
      await run.live('q1', ...accepted('task-2'), events['task-failed']);
      const [row] = await Array.fromAsync(run.checkpoint.reportRows());
      expect(row?.attempts).toMatchObject([
        { attempt: 1, status: 'completed', taskId: 'task-1', points: 10, failure: null },
        { attempt: 2, status: 'failed', taskId: 'task-2', points: 0, failure: 'it cannot be drawn' },
      ]);
      expect((await run.checkpoint.ledger()).spent).toBe(10);
      expect((await run.checkpoint.itemOfTask('task-1'))?.id).toBe('q1');
      expect((await run.checkpoint.itemOfTask('task-2'))?.id).toBe('q1');
      expect(await run.checkpoint.itemOfTask('task-3')).toBeNull();
    });

    it('finds an item by its task in whatever spelling, and gives no task to two rows', async () => {
      await using run = await runs.open(...namedRows(3));
      await run.live('q1', ...accepted('00B5f1'));
      await run.live('q2', events.claimed);
      for (const spelling of ['00B5f1', 'b5f1', '0B5F1']) {
        expect((await run.checkpoint.itemOfTask(spelling))?.taskId).toBe('00B5f1');
        const taken = eventOf('creation-accepted', { taskId: spelling });
        await expect(run.live('q2', taken)).rejects.toThrow(StaleItemError);
      }
      const [row] = await run.checkpoint.itemsWithIds(['q1']);
      await run.live('q1', events['task-failed'], events['retry-ordered'], events.claimed);
      const token = row?.token ?? '';
      expect(await saveLateTasks(run.checkpoint, [{ token, taskId: 'b5F1' }], at)).toHaveLength(1);
      expect(await run.checkpoint.itemOfTask('b5f10')).toBeNull();
    });

    it('counts a task that a later attempt has again in another spelling for that attempt alone', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...completed('00task-1'), events['retry-ordered'], ...accepted('TASK-1'));
      const [row] = await Array.fromAsync(run.checkpoint.reportRows());
      expect(row?.attempts).toMatchObject([
        { attempt: 1, taskId: null, points: 0 },
        { attempt: 2, status: 'open', taskId: 'TASK-1' },
      ]);
    });

    it('counts a task that a later attempt has again for that attempt alone', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.live('q2', ...completed('task-2'));
      await run.live('q1', ...completed('task-1'), events['retry-ordered'], ...accepted('task-1'));
      expect((await run.checkpoint.ledger()).spent).toBe(10);
      await run.live('q1', eventOf('task-completed', { frames: [] }), events['video-saved']);
      expect((await run.checkpoint.ledger()).spent).toBe(20);
      const [row] = await Array.fromAsync(run.checkpoint.reportRows());
      expect(row?.attempts).toMatchObject([
        { attempt: 1, taskId: null, points: 0 },
        { attempt: 2, status: 'completed', taskId: 'task-1', points: 10 },
      ]);
      expect((await run.checkpoint.itemOfTask('task-1'))?.id).toBe('q1');
    });

    it('sums the points of all attempts', async () => {
      await using run = await runs.open(...namedRows(1));
      for (const task of ['task-1', 'task-2', 'task-3']) {
        const cost = eventOf('task-completed', { frames: [], ending: { ...ending, points: 2.5 } });
        await run.live('q1', ...accepted(task), cost, events['video-saved'], events['retry-ordered']);
      }
      expect(await run.checkpoint.ledger()).toMatchObject({
        spent: 7.5,
        largestPoints: new Map([['m', 2.5]]),
      });
    });
  });

  describe('the ledger', () => {
    it('knows prices by quality, what is reserved, and the longest task', async () => {
      await using run = await runs.open(...namedRows(3));
      const claim = (quality: 'h' | 'l') => eventOf('claimed', { quality, token: quality });
      const end = eventOf('task-completed', {
        at: at + 300_000,
        frames: [],
        ending: { ...ending, points: 30 },
      });
      await run.live('q1', claim('h'), events['creation-accepted'], end);
      await run.live('q2', claim('l'));
      await run.live('q3', claim('l'), events['creation-uncertain']);
      expect(await run.checkpoint.ledger()).toMatchObject({
        counts: { ...createLedger().counts, downloading: 1, submitting: 1, uncertain: 1 },
        spent: 30,
        largestPoints: new Map([['h', 30]]),
        reserving: new Map([['l', 2]]),
        longestTaskMs: 300_000,
      });
    });

    it('of an empty checkpoint is empty', async () => {
      await using run = await runs.open();
      expect(await run.checkpoint.ledger()).toEqual(createLedger());
      expect(await Array.fromAsync(run.checkpoint.reportRows())).toEqual([]);
    });
  });

  describe('pages', () => {
    it('bring every item of the statuses once, in input order, however many there are', async () => {
      await using run = await runs.open(...namedRows(manyRows));
      const ids = namedRows(manyRows).map((row) => row.id);
      expect(await run.idsIn('pending')).toEqual(ids);
      await run.live('q7', events.claimed);
      expect(await run.idsIn('submitting', 'pending')).toEqual(['q7', ...ids.filter((id) => id !== 'q7')]);
    });

    it('bring every item once, also where gone rows had the same places in the file', async () => {
      await using run = await runs.open();
      const files = ['a', 'b', 'c'].map((name) =>
        namedRows(250).map(({ id, question }) => ({
          id: `${name}-${id}`,
          question: `${question} of ${name}`,
        })),
      );
      for (const file of files) await run.ingest(incomingRows(...file));
      const ids = files.flat().map(({ id }) => id);
      expect((await run.idsIn('pending')).sort()).toEqual(ids.sort());
    });

    it('miss none when items leave their status while they are read', async () => {
      await using run = await runs.open(...namedRows(manyRows));
      const { checkpoint } = run;
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
      await using run = await runs.open(...namedRows(manyRows));
      await run.live('q2', ...completed('task-2'));
      await run.live('q1', events.claimed, events['creation-uncertain']);
      const left = namedRows(manyRows).slice(3);
      await run.ingest(incomingRows(...left));
      const rows = await Array.fromAsync(run.checkpoint.reportRows());
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
      await using run = await runs.open(...namedRows(3));
      await run.ingest(incomingRows(...namedRows(3).slice(1)));
      expect((await run.checkpoint.ledger()).counts.pending).toBe(2);
      const rows = await Array.fromAsync(run.checkpoint.reportRows());
      expect(rows.map((row) => row.item.id)).toEqual(['q2', 'q3']);
    });
  });

  describe('pending items', () => {
    const all = { limit: 10, only: null } as const;

    it('come in input order, as many as are wanted', async () => {
      await using run = await runs.open(...namedRows(4));
      const { checkpoint } = run;
      await run.live('q2', events.claimed);
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
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', events.claimed, events['creation-not-sent']);
      expect(await run.checkpoint.pendingItems(all)).toEqual([await run.item('q1')]);
    });

    it('tell how long the service asked an earlier run to wait', async () => {
      await using run = await runs.open(...namedRows(3));
      const { checkpoint } = run;
      const refused = eventOf('creation-refused', { passing: true, retryAfterMs: 60_000 });
      for (const id of ['q1', 'q2', 'q3']) await run.live(id, events.claimed, refused);
      await run.live('q3', eventOf('claimed', { token: 't3' }), { ...refused, retryAfterMs: 90_000 });
      expect(await checkpoint.pausedUntil()).toBe(at + 90_000);
      expect((await checkpoint.pendingItems(all)).map((item) => item.id)).toEqual(['q1', 'q2', 'q3']);
      expect(await checkpoint.hasPending({ only: null })).toBe(true);
      expect(await checkpoint.hasPending({ only: ['q3'] })).toBe(true);
      expect(await checkpoint.hasPending({ only: ['nobody'] })).toBe(false);
    });

    it.each([
      ['lasts until it ends', 60_000, 90_000, 90_000],
      ['is not cut short by a shorter one', 90_000, 60_000, 90_000],
      [
        'gives way to a new one where the clock was set back since',
        5 * fixed.retryAfterMaxMs,
        60_000,
        60_000,
      ],
    ])('a pause that the service asked for %s', async (_, first, second, whole) => {
      await using run = await runs.open(...namedRows(2));
      // Of the first refusal the clock was as far ahead as its pause is too long.
      const aheadMs = Math.max(0, first - fixed.retryAfterMaxMs);
      for (const [id, pauseMs, now] of [
        ['q1', first - aheadMs, at + aheadMs],
        ['q2', second, at],
      ] as const) {
        const refused = eventOf('creation-refused', { passing: true, retryAfterMs: pauseMs, at: now });
        await run.live(id, eventOf('claimed', { token: id }), refused);
      }
      expect(await run.checkpoint.pausedUntil()).toBe(at + whole);
    });

    it.each<readonly [string, (run: StoreRun) => Promise<unknown>]>([
      ['edited', (run) => run.ingest(incomingRows({ id: 'q1', question: 'Another' }))],
      ['renumbered', (run) => run.ingest(incomingRows({ id: 'q2', question: 'Question 1' }))],
      ['gone', (run) => run.ingest(incomingRows({ id: 'q2', question: 'Question 2' }))],
      [
        'sent again',
        (run) => run.live('q1', eventOf('claimed', { token: 'again' }), events['creation-accepted']),
      ],
    ])('a pause that the service asked for stays where the row that was refused is %s', async (_, change) => {
      await using run = await runs.open(...namedRows(1));
      const refused = eventOf('creation-refused', { passing: true, retryAfterMs: 60_000 });
      await run.live('q1', events.claimed, refused);
      await change(run);
      expect(await run.checkpoint.pausedUntil()).toBe(at + 60_000);
      await using to = await runs.open();
      await carry(run, to.store);
      expect(await to.checkpoint.pausedUntil()).toBe(at + 60_000);
    });

    it('come after the others where the service refused them for what may concern all', async () => {
      await using run = await runs.open(...namedRows(4));
      const { checkpoint } = run;
      await run.live('q1', events.claimed, events['creation-barred']);
      const ids = async (query: Parameters<Checkpoint['pendingItems']>[0]) =>
        (await checkpoint.pendingItems(query)).map((item) => item.id);
      expect(await ids(all)).toEqual(['q2', 'q3', 'q4', 'q1']);
      expect(await ids({ ...all, limit: 3 })).toEqual(['q2', 'q3', 'q4']);
      expect(await ids({ ...all, only: ['q1', 'q3'] })).toEqual(['q3', 'q1']);
      expect((await run.item('q1')).turn).toBe('last');
    });

    it('come in the order in which they were tried where several were refused so, that none waits behind another for ever', async () => {
      await using run = await runs.open(...namedRows(4));
      const { checkpoint } = run;
      for (const [minutes, id] of ['q3', 'q1', 'q2'].entries())
        await run.live(
          id,
          eventOf('claimed', { token: id, at: at + minutes * 60_000 }),
          events['creation-barred'],
        );
      const ids = async (query: Parameters<Checkpoint['pendingItems']>[0]) =>
        (await checkpoint.pendingItems(query)).map((item) => item.id);
      expect(await ids(all)).toEqual(['q4', 'q3', 'q1', 'q2']);
      expect(await ids({ ...all, limit: 2 })).toEqual(['q4', 'q3']);
      expect(await ids({ ...all, limit: 1, only: ['q1', 'q3'] })).toEqual(['q3']);
      const again = (await run.all()).filter(({ id }) => id !== 'q4');
      await checkpoint.order(
        5,
        [],
        again.map(({ key }) => key),
      );
      expect(await ids({ ...all, retry: 5, limit: 2 })).toEqual(['q3', 'q1']);
    });

    it('are not those that were refused alike, which are found until they had their second chance', async () => {
      await using run = await runs.open(...namedRows(3));
      const { checkpoint } = run;
      const kept = async () => (await checkpoint.refusedAlike()).map((item) => item.id);
      for (const id of ['q1', 'q2', 'q3'])
        await run.live(id, eventOf('claimed', { token: id }), events['creation-refused']);
      expect(await kept()).toEqual([]);
      for (const id of ['q3', 'q1']) await run.live(id, events['refused-alike']);
      expect(await kept()).toEqual(['q1', 'q3']);
      expect(await checkpoint.refusedAlike(1)).toEqual([await run.item('q1')]);
      expect(await checkpoint.hasPending({ only: null })).toBe(false);
      await run.live('q1', events['second-chance-given']);
      expect(await kept()).toEqual(['q3']);
      expect((await checkpoint.pendingItems(all)).map((item) => item.id)).toEqual(['q1']);
      await run.live(
        'q1',
        eventOf('claimed', { token: 'again' }),
        events['creation-refused'],
        events['refused-alike'],
      );
      expect(await kept()).toEqual(['q3']);
    });

    it('are not those of rows that are gone', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.ingest(incomingRows(...namedRows(1)));
      expect((await run.checkpoint.pendingItems(all)).map((item) => item.id)).toEqual(['q1']);
      await run.live('q1', events.claimed);
      expect(await run.checkpoint.hasPending({ only: null })).toBe(false);
      expect(await run.checkpoint.pausedUntil()).toBe(0);
    });
  });
}
