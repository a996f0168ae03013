/** What the processes of a shared run learn of each other. */

import { describe, expect, it } from 'vitest';
import { NoRoomError } from '../../../src/errors.ts';
import { type Item, statuses } from '../../../src/money/item.ts';
import { saveLateTasks } from '../../../src/runner/late-answers/late-tasks.ts';
import { sliceCount, type WorkerNote } from '../../../src/stores/port/sharing.ts';
import { at, eventOf, events } from '../../money/lives.ts';
import { namedRows } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { Runs } from './runs.ts';
import { claim, claimOf, factOf, join, lostFact, sharingOf, wide } from './together.ts';

const allSlices = Array.from({ length: sliceCount }, (_, slice) => slice);

const note: WorkerNote = {
  host: 'here',
  pid: 7,
  slices: [],
  rows: {},
  version: '1.0.0',
  scratch: null,
};

export function describeSharing(runs: Runs): void {
  describe('a look at the run as a whole', () => {
    it('shows what all processes did', async () => {
      await using run = await runs.open(...namedRows(5));
      await using other = await join(run);
      await run.live('q1', ...completed('task-1'));
      await other.live('q2', ...accepted('task-2'));
      await claim(other, ['q3'], {}, [lostFact, factOf('creation-accepted')]);
      const state = await sharingOf(run).look();
      expect(state).toEqual(await sharingOf(other).look());
      expect(state).toMatchObject({
        ledger: await run.checkpoint.ledger(),
        submittedRows: 3,
        badRows: 0,
        creations: 3,
        lastFact: 2,
        roundFact: 0,
      });
      expect(state.ledger.counts).toMatchObject({ pending: 2, submitting: 1, open: 1, completed: 1 });
    });

    it('sees the number of changes grow with each, and with no refused one', async () => {
      await using run = await runs.open(...namedRows(2));
      const { look } = sharingOf(run);
      const before = await run.item('q1');
      const { change } = await look();
      await run.live('q1', events.claimed);
      const next = (await look()).change;
      expect(next).toBeGreaterThan(change);
      await expect(run.checkpoint.commit([claimOf(before)])).rejects.toThrow();
      expect((await look()).change).toBe(next);
    });
  });

  describe('a round', () => {
    it('counts what is submitted and what ends badly from its beginning', async () => {
      await using run = await runs.open(...namedRows(6));
      const sharing = sharingOf(run);
      const first = (await sharing.look()).round;
      await run.live('q1', ...accepted('task-1'), events['task-failed']);
      await run.live('q2', events.claimed);
      await claim(run, ['q6'], {}, [factOf('creation-refused')]);
      await sharing.beginRound({ options: {}, terms: null });
      expect(await sharing.look()).toMatchObject({
        round: first + 1,
        submittedRows: 0,
        badRows: 0,
        lastFact: 1,
        roundFact: 1,
        creations: 3,
      });
      // q2 did not count in this round: that it was not sent gives no room for another one.
      await run.live('q2', events['creation-not-sent']);
      expect((await sharing.look()).submittedRows).toBe(0);
      await run.live('q3', events.claimed);
      await run.live('q4', events.claimed, events['creation-not-sent']);
      await run.live('q5', ...accepted('task-5'), events['task-failed']);
      expect(await sharing.look()).toMatchObject({ submittedRows: 2, badRows: 1 });
    });

    it('begins with its terms, and claims that were decided before are refused', async () => {
      await using run = await runs.open(...namedRows(2));
      const sharing = sharingOf(run);
      const before = await sharing.mark();
      await run.store.settings.save('options', '{"quality":"h"}');
      const mark = await sharing.beginRound({ options: { 'max-points': '150' }, terms: '{"limit":3}' });
      expect(mark).toEqual({ ...before, round: before.round + 1 });
      expect(await sharing.mark()).toEqual(mark);
      expect(await run.store.settings.get('round')).toBe('{"limit":3}');
      const options = JSON.parse((await run.store.settings.get('options')) ?? '');
      expect(options).toEqual({ quality: 'h', 'max-points': '150' });
      await expect(claim(run, ['q1'], { round: before.round })).rejects.toThrow(NoRoomError);
      await claim(run, ['q1'], { round: mark.round });
      // The terms of the last round, for another one.
      await sharing.beginRound({ options: {}, terms: null });
      expect(await run.store.settings.get('round')).toBe('{"limit":3}');
    });

    it('keeps to the limit of its rows, whatever an earlier one has left', async () => {
      await using run = await runs.open(...namedRows(3));
      await claim(run, ['q1']);
      await sharingOf(run).beginRound({ options: {}, terms: null });
      await claim(run, ['q2'], { submitted: 1 });
      await expect(claim(run, ['q3'], { submitted: 1 })).rejects.toThrow();
    });
  });

  describe('facts', () => {
    it('are numbered for the whole run, with the process that saved them', async () => {
      await using run = await runs.open(...namedRows(2));
      await using other = await join(run);
      const [mine, theirs] = [sharingOf(run), sharingOf(other)];
      expect(mine.worker).not.toBe(theirs.worker);
      await run.checkpoint.commit([], { room: null, facts: [factOf('creation-accepted'), lostFact] });
      await claim(other, ['q1'], { lastFact: 2 }, [factOf('creation-refused')]);
      expect(await mine.facts(0)).toEqual([
        { number: 1, worker: mine.worker, fact: factOf('creation-accepted') },
        { number: 2, worker: mine.worker, fact: lostFact },
        { number: 3, worker: theirs.worker, fact: factOf('creation-refused') },
      ]);
      expect((await theirs.facts(2)).map(({ number }) => number)).toEqual([3]);
      expect(await mine.facts(3)).toEqual([]);
    });

    it('are the last ones of a long list', async () => {
      await using run = await runs.open();
      const facts = Array.from({ length: 2_500 }, () => lostFact);
      await run.checkpoint.commit([], { room: null, facts });
      const found = await sharingOf(run).facts(100);
      expect(found.at(-1)?.number).toBe(2_500);
      expect(found.length).toBeLessThanOrEqual(1_000);
      expect(found.map(({ number }) => number)).toEqual(found.map((_, n) => 2_501 - found.length + n));
    });
  });

  describe('rows on their way', () => {
    const stories = {
      submitting: [events.claimed],
      open: accepted('task-2'),
      downloading: [...accepted('task-3'), events['task-completed']],
      lost: [...accepted('task-4'), events['task-overdue']],
      undelivered: [
        ...accepted('task-5'),
        { ...events['task-completed'], frames: [] },
        { ...events['video-not-had'], newLink: false },
      ],
    };

    it('are those that a process of these slices goes on with', async () => {
      await using run = await runs.open(...namedRows(9));
      for (const [place, story] of Object.values(stories).entries())
        await run.live(`q${place + 1}`, ...story);
      await run.live('q6', ...completed('task-6'));
      await run.live('q7', events.claimed, events['creation-uncertain']);
      const sharing = sharingOf(run);
      const found = await Array.fromAsync(sharing.unfinished(allSlices, -1));
      const all = (await run.all()).slice(0, 5);
      expect(found.sort((a, b) => a.key - b.key)).toEqual(all);
      expect(all.map(({ status }) => status)).toEqual(Object.keys(stories));
      const slices = all.slice(1, 3).map(({ key }) => key % sliceCount);
      const some = await Array.fromAsync(sharing.unfinished(slices, -1));
      expect(some.sort((a, b) => a.key - b.key)).toEqual(all.slice(1, 3));
    });

    it('are told again once they change, and only then', async () => {
      await using run = await runs.open(...namedRows(3));
      for (const id of ['q1', 'q2']) await run.live(id, ...accepted(`task of ${id}`));
      const { look, unfinished } = sharingOf(run);
      const { change } = await look();
      expect(await Array.fromAsync(unfinished(allSlices, change))).toEqual([]);
      const moved = await run.live('q2', { ...events['task-completed'], frames: [] });
      await run.live('q3', events.claimed, events['creation-uncertain']);
      expect(await Array.fromAsync(unfinished(allSlices, change))).toEqual([moved]);
    });

    it('come all, however many there are', async () => {
      await using run = await runs.open(...namedRows(1_203));
      const changes = (await run.all()).map((item) => claimOf(item));
      await run.checkpoint.commit(changes.slice(0, 700));
      await run.checkpoint.commit(changes.slice(700));
      const found = await Array.fromAsync(sharingOf(run).unfinished(allSlices, -1));
      expect(new Set(found.map(({ key }) => key)).size).toBe(1_203);
      expect(found).toHaveLength(1_203);
    });

    it('whose creation can no longer be answered are found by the time given with the claim', async () => {
      await using run = await runs.open(...namedRows(4));
      await claim(run, ['q1'], { answerBy: at + 1_000 });
      await claim(run, ['q2'], { answerBy: at + 2_000 });
      await claim(run, ['q3'], { answerBy: at + 500 });
      await run.live('q3', eventOf('creation-accepted', { taskId: 'task-3' }));
      const ids = async (time: number, slices: readonly number[] = allSlices) =>
        (await sharingOf(run).unanswered(slices, time)).map(({ id }) => id);
      expect(await ids(at + 1_000)).toEqual([]);
      expect(await ids(at + 1_001)).toEqual(['q1']);
      expect(await ids(at + 2_001)).toEqual(['q1', 'q2']);
      const q2 = (await run.item('q2')).key % sliceCount;
      expect(await ids(at + 2_001, [q2])).toEqual(['q2']);
      expect(await ids(at + 2_001, [])).toEqual([]);
    });

    it('say until when the answer to a creation can come, while they wait for it', async () => {
      await using run = await runs.open(...namedRows(2));
      const [q1, q2] = [await run.item('q1'), await run.item('q2')];
      const { answerBy } = sharingOf(run);
      expect(await answerBy(q1.key)).toBeNull();
      await claim(run, ['q1'], { answerBy: at + 1_000 });
      expect(await answerBy(q1.key)).toBe(at + 1_000);
      await run.live('q1', eventOf('creation-accepted', { taskId: 'task-1' }));
      expect(await answerBy(q1.key)).toBeNull();
      expect(await answerBy(q2.key)).toBeNull();
    });

    it('are not shown to a process that takes pending ones of other slices', async () => {
      await using run = await runs.open(...namedRows(8));
      const items = await run.all();
      const slices = items.flatMap(({ key, id }) =>
        ['q3', 'q6', 'q7'].includes(id) ? [key % sliceCount] : [],
      );
      const ids = async (limit: number, only: readonly string[] | null = null): Promise<string[]> =>
        (await run.checkpoint.pendingItems({ limit, only, slices })).map(({ id }: Item) => id);
      expect(await ids(9)).toEqual(['q3', 'q6', 'q7']);
      expect(await ids(2)).toEqual(['q3', 'q6']);
      expect(await ids(9, ['q7', 'q1'])).toEqual(['q7']);
      await run.live('q3', events.claimed);
      expect(await ids(9)).toEqual(['q6', 'q7']);
    });
  });

  it('a task that two processes hear of at once is saved once', async () => {
    await using run = await runs.open(...namedRows(2));
    await using other = await join(run);
    await run.live('q1', eventOf('claimed', { token: 't1' }), events['creation-uncertain']);
    const late = [{ token: 't1', taskId: 'late' }];
    const saved = await Promise.all(
      [run, other].map(({ checkpoint }) => saveLateTasks(checkpoint, late, at)),
    );
    expect(saved).toEqual([late, late]);
    expect(await run.item('q1')).toMatchObject({ status: 'open', taskId: 'late' });
  });

  it('one of many processes that change a row at once wins, and the totals are those of the rows', async () => {
    await using run = await runs.open(...namedRows(6));
    await using second = await join(run);
    await using third = await join(run);
    const before = await run.all();
    const tries = [run, second, third].flatMap(({ checkpoint }, process) =>
      before.map((item) => checkpoint.commit([claimOf(item, { token: `${process} ${item.id}` })])),
    );
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await sharingOf(run).look()).toMatchObject({ submittedRows: 6, creations: 6 });
  });

  describe('workers', () => {
    it('are those that said that they live, until they leave', async () => {
      await using run = await runs.open();
      const sharing = sharingOf(run);
      await using other = await join(run);
      const { noteWorker } = sharingOf(other);
      const theirs = { ...note, slices: [1, 5], rows: { open: 3 }, scratch: '/scratch' };
      await noteWorker(theirs);
      const workers = await sharing.workers();
      expect(workers.map(({ name }) => name).sort()).toEqual(
        [sharing.worker, sharingOf(other).worker].sort(),
      );
      const found = workers.find(({ name }) => name === sharingOf(other).worker);
      expect(found).toMatchObject({ slices: [1, 5], rows: { open: 3 }, scratch: '/scratch', isAlive: true });
      expect(found?.lastSeenAt).toBeGreaterThanOrEqual(found?.startedAt ?? Number.NaN);
      await other.store[Symbol.asyncDispose]();
      expect((await sharing.workers()).map(({ name }) => name)).toEqual([sharing.worker]);
    });
  });

  it('the clock of the store is the same for all', async () => {
    await using run = await runs.open();
    await using other = await join(run);
    const [first, second] = [await sharingOf(run).now(), await sharingOf(other).now()];
    expect(Number.isInteger(first)).toBe(true);
    expect(second).toBeGreaterThanOrEqual(first);
  });

  it('a room for claims is nothing to a commit without any', async () => {
    await using run = await runs.open(...namedRows(1));
    const open = await run.live('q1', ...accepted('task-1'));
    const after = { ...open, misses: 1, version: open.version + 1 };
    await run.checkpoint.commit([{ before: open, after }], { room: { ...wide, held: 0 }, facts: [] });
    expect(await run.item('q1')).toEqual(after);
    expect(statuses).toContain(after.status);
  });
}
