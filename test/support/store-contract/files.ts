import { describe, expect, it } from 'vitest';
import type { PlaceOf } from '../../../src/messages/input.ts';
import type { Item } from '../../../src/money/item.ts';
import type { Plan } from '../../../src/money/plan.ts';
import type { IncomingRow } from '../../../src/money/question.ts';
import { events } from '../../money/lives.ts';
import { noChanges } from '../empty-plan.ts';
import { incomingRows, namedRows, source } from '../incoming-rows.ts';
import { completed } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import type { OpenRun, Runs } from './runs.ts';

const known = (part: Partial<Plan['known']>): Plan['known'] => ({ ...noChanges.known, ...part });

/** What names each item, and where it stands in the file now. */
async function namesIn(run: StoreRun): Promise<Pick<Item, 'key' | 'row' | 'id'>[]> {
  return (await run.all()).map(({ key, row, id }) => ({ key, row, id }));
}

/** The plan of these rows by a process that only looks at the run. */
async function planFromOutside(run: OpenRun, rows: readonly IncomingRow[]): Promise<Plan> {
  await using outside = await run.look();
  return await outside.plan(rows);
}

/** Which files mean what, and what becomes of the rows of a run. */
export function describeFiles(runs: Runs): void {
  describe('a first file', () => {
    it('becomes pending items in input order', async () => {
      await using run = await runs.open();
      const { plan } = await run.ingest(
        incomingRows({ id: 'sum', question: '1 + 1' }, { question: '2 + 2', quality: 'h' }),
      );
      expect(plan).toMatchObject({ ...noChanges, rows: 2, newRows: 2, toSubmit: 2 });
      expect(await run.all()).toMatchObject([
        { row: 1, id: 'sum', folder: 'sum', status: 'pending', quality: null, attempt: 0, failure: null },
        { row: 2, id: 'row-2', folder: 'row-2', status: 'pending', quality: 'h' },
      ]);
    });

    it('has invalid items for rows that cannot be sent, with the reason', async () => {
      await using run = await runs.open();
      const { plan } = await run.ingest(incomingRows({ id: 'a', question: 'A' }, { id: 'b', question: ' ' }));
      expect(plan).toMatchObject({ ...noChanges, rows: 2, newRows: 2, invalid: 1, toSubmit: 1 });
      expect(await run.all()).toMatchObject([
        { id: 'a', status: 'pending' },
        { id: 'b', status: 'invalid', failure: 'it has neither a question nor a question image' },
      ]);
    });

    it('may hold identical rows without ids: they are separate, and counted', async () => {
      await using run = await runs.open();
      const rows = incomingRows({ question: 'A' }, { question: 'B' }, { question: 'A' }, { question: 'A' });
      const { plan } = await run.ingest(rows);
      expect(plan).toMatchObject({ ...noChanges, rows: 4, newRows: 4, twins: 2, toSubmit: 4 });
      expect((await run.all()).map((item) => item.id)).toEqual(['row-1', 'row-2', 'row-3', 'row-4']);
      expect((await run.ingest(rows)).plan).toMatchObject({ newRows: 0, twins: 2 });
    });

    it('in which an id stands twice is refused with both lines of each', async () => {
      await using run = await runs.open();
      const rows = ['a', 'b', 'a', 'b', 'a'].map((id, at) => ({ id, question: `Question ${at}` }));
      expect((await run.ingest(incomingRows(...rows))).problems).toMatchObject([
        { line: 4, message: 'the id "a" is already used on line 2' },
        { line: 5, message: 'the id "b" is already used on line 3' },
        { line: 6, message: 'the id "a" is already used on line 2' },
      ]);
      expect(await run.all()).toEqual([]);
    });

    it('in which an id stands twice names the other row as its reader does', async () => {
      await using run = await runs.open();
      await using ingest = await run.store.openIngest();
      await ingest.add(incomingRows({ id: 'a', question: 'A' }, { id: 'a', question: 'B' }));
      const placeOf: PlaceOf = (line) => ({ line: null, row: line });
      expect(await ingest.match({ add: false, isMended: false, placeOf })).toMatchObject([
        { line: 3, message: 'the id "a" is already used in row 2' },
      ]);
    });

    it('may come in pages', async () => {
      await using run = await runs.open(...namedRows(1_203));
      expect((await run.checkpoint.ledger()).counts.pending).toBe(1_203);
      expect((await run.all()).map((item) => item.row)).toEqual(namedRows(1_203).map((_, at) => at + 1));
    });
  });

  describe('the same file again', () => {
    const rows = [{ id: 'a', question: 'A' }, { question: 'B' }, { question: 'B' }, { question: '' }];

    it('writes nothing', async () => {
      await using run = await runs.open(...rows);
      await run.live('a', ...completed('task-1'));
      await using outside = await run.look();
      const watcher = await outside.store.openWatch();
      const before = { items: await run.all(), version: await watcher.version() };
      const { plan } = await run.ingest(incomingRows(...rows));
      expect({ items: await run.all(), version: await watcher.version() }).toEqual(before);
      expect(plan).toMatchObject({
        ...noChanges,
        rows: 4,
        known: known({ completed: 1, pending: 2, invalid: 1 }),
        invalid: 1,
        twins: 1,
        toSubmit: 2,
      });
    });

    it('is noticed as a change when there is one, so that the test above could fail', async () => {
      await using run = await runs.open(...rows);
      await using outside = await run.look();
      const watcher = await outside.store.openWatch();
      const before = await watcher.version();
      await run.ingest(incomingRows(...rows.slice(1)));
      expect(await watcher.version()).not.toBe(before);
    });

    it('keeps what its other columns say now, though nothing is sent of them', async () => {
      await using run = await runs.open({ id: 'a', question: 'A', note: 'old' });
      const { plan } = await run.ingest(incomingRows({ id: 'a', question: 'A\r\n', note: 'new' }));
      expect(plan).toMatchObject({ changedUnsent: 0, changedSent: 0 });
      const [item] = await run.all();
      const { input } = await run.checkpoint.input(item?.key ?? 0);
      expect(input).toEqual({ id: 'a', question: 'A\r\n', note: 'new' });
    });

    it('in another folder is read from there: its images have moved with it', async () => {
      await using run = await runs.open({ id: 'a', question: 'A' });
      const moved = { ...source, folder: '/elsewhere' };
      await run.ingest(incomingRows({ id: 'a', question: 'A' }), { source: moved });
      const [item] = await run.all();
      expect((await run.checkpoint.input(item?.key ?? 0)).source).toEqual(moved);
    });
  });

  describe('an edited file', () => {
    it('moves rows with ids without making others of them', async () => {
      await using run = await runs.open(...namedRows(3));
      const before = await namesIn(run);
      const [first, second, third] = namedRows(3);
      const inserted = { id: 'new', question: 'New' };
      const { plan } = await run.ingest(incomingRows(third ?? {}, inserted, first ?? {}, second ?? {}));
      expect(plan).toMatchObject({
        ...noChanges,
        rows: 4,
        newRows: 1,
        known: known({ pending: 3 }),
        toSubmit: 4,
      });
      const [q1, q2, q3] = before;
      expect(await namesIn(run)).toEqual([
        { ...q1, row: 3 },
        { ...q2, row: 4 },
        { ...q3, row: 1 },
        { key: 4, id: 'new', row: 2 },
      ]);
    });

    it('moves rows without ids by their content', async () => {
      await using run = await runs.open({ question: 'A' }, { question: 'B' }, { question: 'C' });
      await run.live('row-2', ...completed('task-b'));
      const { plan } = await run.ingest(
        incomingRows({ question: 'New' }, { question: 'C' }, { question: ' B ' }, { question: 'A' }),
      );
      expect(plan).toMatchObject({ newRows: 1, gone: 0, changedSent: 0, toSubmit: 3 });
      expect(await namesIn(run)).toEqual([
        { key: 1, id: 'row-1', row: 4 },
        { key: 2, id: 'row-2', row: 3 },
        { key: 3, id: 'row-3', row: 2 },
        { key: 4, id: 'row-1-2', row: 1 },
      ]);
    });

    it('of which a twin was removed keeps the others, the paid one first', async () => {
      await using run = await runs.open({ question: 'A' }, { question: 'A' }, { question: 'B' });
      await run.live('row-1', ...completed('task-a'));
      const { plan } = await run.ingest(incomingRows({ question: 'B' }, { question: 'A' }));
      expect(plan).toMatchObject({
        ...noChanges,
        rows: 2,
        known: known({ completed: 1, pending: 1 }),
        gone: 1,
        toSubmit: 1,
      });
      expect(await namesIn(run)).toMatchObject([
        { id: 'row-1', row: 2 },
        { id: 'row-2' },
        { id: 'row-3', row: 1 },
      ]);
    });

    it('of which a paid row was removed keeps its result, out of the input', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.live('q1', ...completed('task-1'));
      const { plan } = await run.ingest(incomingRows(...namedRows(2).slice(1)));
      expect(plan).toMatchObject({
        ...noChanges,
        rows: 1,
        known: known({ pending: 1 }),
        gone: 1,
        toSubmit: 1,
      });
      const rows = await Array.fromAsync(run.checkpoint.reportRows());
      expect(rows.map(({ gone, item }) => ({ gone, id: item.id }))).toEqual([
        { gone: false, id: 'q2' },
        { gone: true, id: 'q1' },
      ]);
      expect((await run.checkpoint.ledger()).spent).toBe(10);
    });

    it('to which a row comes back finds it as it was', async () => {
      await using run = await runs.open(...namedRows(3));
      await run.live('q1', ...completed('task-1'));
      const before = await run.all();
      await run.ingest(incomingRows(...namedRows(3).slice(2)));
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ completed: 1, pending: 1 });
      const { plan } = await run.ingest(incomingRows(...namedRows(3)));
      expect(plan).toMatchObject({
        ...noChanges,
        rows: 3,
        known: known({ completed: 1, pending: 2 }),
        toSubmit: 2,
      });
      expect(await run.all()).toEqual(before);
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ completed: 1, pending: 2 });
    });

    it('without any rows takes nothing away', async () => {
      await using run = await runs.open(...namedRows(2));
      expect((await run.ingest([])).plan).toMatchObject(noChanges);
      expect((await run.checkpoint.ledger()).counts.pending).toBe(2);
    });
  });

  describe('another file', () => {
    it('is foreign when none of its rows is known', async () => {
      await using run = await runs.open(...namedRows(2));
      expect(await planFromOutside(run, incomingRows({ id: 'x', question: 'X' }))).toMatchObject({
        isForeign: true,
      });
      expect(
        await planFromOutside(run, incomingRows({ id: 'x', question: 'X' }, ...namedRows(1))),
      ).toMatchObject({
        isForeign: false,
      });
      expect(await planFromOutside(run, [])).toMatchObject({ isForeign: false });
    });

    it('is not foreign to an empty checkpoint', async () => {
      await using run = await runs.open();
      expect(await planFromOutside(run, incomingRows(...namedRows(1)))).toMatchObject({ isForeign: false });
    });

    it('can be added: its rows come after those that are there, none of which is gone', async () => {
      await using run = await runs.open(...namedRows(2));
      const more = incomingRows(
        { question: 'X' },
        { id: 'q2', question: 'Question 2' },
        { id: 'y', question: 'Y' },
      );
      const { plan } = await run.ingest(more, { add: true });
      expect(plan).toMatchObject({
        ...noChanges,
        rows: 3,
        newRows: 2,
        known: known({ pending: 1 }),
        toSubmit: 4,
      });
      expect(await namesIn(run)).toEqual([
        { key: 1, id: 'q1', row: 1 },
        { key: 2, id: 'q2', row: 2 },
        { key: 3, id: 'row-3', row: 3 },
        { key: 4, id: 'y', row: 5 },
      ]);
      expect((await run.checkpoint.ledger()).counts.pending).toBe(4);
      const added = await run.checkpoint.input(3);
      expect(added.input).toEqual({ question: 'X' });
    });

    it('is planned against a checkpoint that can only be read, and leaves it as it is', async () => {
      await using run = await runs.open(...namedRows(2));
      await run.live('q1', ...completed('task-1'));
      await using outside = await run.look();
      const watcher = await outside.store.openWatch();
      const before = await watcher.version();
      const edited = incomingRows({ id: 'q1', question: 'Another' }, { id: 'q3', question: 'New' });
      expect(await planFromOutside(run, edited)).toMatchObject({
        ...noChanges,
        rows: 2,
        newRows: 1,
        known: known({ completed: 1 }),
        changedSent: 1,
        changedSentIds: ['q1'],
        rerunnable: 1,
        rerunnableIds: ['q1'],
        gone: 1,
        toSubmit: 1,
      });
      expect(await watcher.version()).toBe(before);
    });
  });

  it('a file that is taken up while a creation waits for its answer does not touch that row', async () => {
    await using run = await runs.open(...namedRows(1));
    const before = await run.live('q1', events.claimed);
    await run.ingest(incomingRows({ id: 'q1', question: 'Another' }));
    expect(await run.all()).toEqual([before]);
  });
}
