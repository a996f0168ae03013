import { describe, expect, it } from 'vitest';
import { openDatabaseReadOnly } from '../../../src/adapters/sqlite/database.ts';
import type { Item } from '../../../src/core/item.ts';
import type { Plan } from '../../../src/core/plan.ts';
import { createLedger } from '../../../src/core/summary.ts';
import { events } from '../../core/lives.ts';
import { type CheckpointFolder, lookAt, openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows, source, type WrittenRow } from '../../support/incoming-rows.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';

const none: Omit<Plan, 'unsendable' | 'shares' | 'kept' | 'now'> = {
  rows: 0,
  newRows: 0,
  known: createLedger().counts,
  changedUnsent: 0,
  changedSent: 0,
  changedSentIds: [],
  rerunnable: 0,
  rerunnableIds: [],
  keepingIds: [],
  renumbered: 0,
  renumberedIds: [],
  gone: 0,
  invalid: 0,
  twins: 0,
  repictured: 0,
  toSubmit: 0,
  isForeign: false,
};

const known = (part: Partial<Plan['known']>): Plan['known'] => ({ ...none.known, ...part });

/** A folder that has taken up a file with these rows. */
async function folderWith(...rows: readonly WrittenRow[]): Promise<CheckpointFolder> {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...rows));
  return folder;
}

/** What names each item, and where it stands in the file now. */
async function namesIn(folder: CheckpointFolder): Promise<Pick<Item, 'key' | 'row' | 'id'>[]> {
  return (await folder.all()).map(({ key, row, id }) => ({ key, row, id }));
}

/** Counts the commits that other connections make to this database. */
function watch(folder: CheckpointFolder): { version(): unknown } & Disposable {
  const db = openDatabaseReadOnly(folder.path);
  if (db === null) throw new Error('there is no checkpoint');
  return {
    version: () => db.pragma('data_version', { simple: true }),
    [Symbol.dispose]: () => void db.close(),
  };
}

describe('a first file', () => {
  it('becomes pending items in input order', async () => {
    await using folder = await openCheckpointFolder();
    const { plan } = await folder.ingest(
      incomingRows({ id: 'sum', question: '1 + 1' }, { question: '2 + 2', quality: 'h' }),
    );
    expect(plan).toMatchObject({ ...none, rows: 2, newRows: 2, toSubmit: 2 });
    expect(await folder.all()).toMatchObject([
      { row: 1, id: 'sum', folder: 'sum', status: 'pending', quality: null, attempt: 0, failure: null },
      { row: 2, id: 'row-2', folder: 'row-2', status: 'pending', quality: 'h' },
    ]);
  });

  it('has invalid items for rows that cannot be sent, with the reason', async () => {
    await using folder = await openCheckpointFolder();
    const { plan } = await folder.ingest(
      incomingRows({ id: 'a', question: 'A' }, { id: 'b', question: ' ' }),
    );
    expect(plan).toMatchObject({ ...none, rows: 2, newRows: 2, invalid: 1, toSubmit: 1 });
    expect(await folder.all()).toMatchObject([
      { id: 'a', status: 'pending' },
      { id: 'b', status: 'invalid', failure: 'it has neither a question nor a question image' },
    ]);
  });

  it('may hold identical rows without ids: they are separate, and counted', async () => {
    await using folder = await openCheckpointFolder();
    const rows = incomingRows({ question: 'A' }, { question: 'B' }, { question: 'A' }, { question: 'A' });
    const { plan } = await folder.ingest(rows);
    expect(plan).toMatchObject({ ...none, rows: 4, newRows: 4, twins: 2, toSubmit: 4 });
    expect((await folder.all()).map((item) => item.id)).toEqual(['row-1', 'row-2', 'row-3', 'row-4']);
    expect((await folder.ingest(rows)).plan).toMatchObject({ newRows: 0, twins: 2 });
  });

  it('in which an id stands twice is refused with both lines of each', async () => {
    await using folder = await openCheckpointFolder();
    const rows = ['a', 'b', 'a', 'b', 'a'].map((id, at) => ({ id, question: `Question ${at}` }));
    expect((await folder.ingest(incomingRows(...rows))).problems).toEqual([
      { line: 4, message: 'the id "a" is already used on line 2' },
      { line: 5, message: 'the id "b" is already used on line 3' },
      { line: 6, message: 'the id "a" is already used on line 2' },
    ]);
    expect(await folder.all()).toEqual([]);
  });

  it('may come in pages', async () => {
    await using folder = await folderWith(...namedRows(1_203));
    expect((await folder.checkpoint.ledger()).counts.pending).toBe(1_203);
    expect((await folder.all()).map((item) => item.row)).toEqual(namedRows(1_203).map((_, at) => at + 1));
  });
});

describe('the same file again', () => {
  const rows = [{ id: 'a', question: 'A' }, { question: 'B' }, { question: 'B' }, { question: '' }];

  it('writes nothing', async () => {
    await using folder = await folderWith(...rows);
    await liveOn(folder.checkpoint, 'a', ...completed('task-1'));
    using watcher = watch(folder);
    const before = { items: await folder.all(), version: watcher.version() };
    const { plan } = await folder.ingest(incomingRows(...rows));
    expect({ items: await folder.all(), version: watcher.version() }).toEqual(before);
    expect(plan).toMatchObject({
      ...none,
      rows: 4,
      known: known({ completed: 1, pending: 2, invalid: 1 }),
      invalid: 1,
      twins: 1,
      toSubmit: 2,
    });
  });

  it('is noticed as a change when there is one, so that the test above could fail', async () => {
    await using folder = await folderWith(...rows);
    using watcher = watch(folder);
    const before = watcher.version();
    await folder.ingest(incomingRows(...rows.slice(1)));
    expect(watcher.version()).not.toBe(before);
  });

  it('keeps what its other columns say now, though nothing is sent of them', async () => {
    await using folder = await folderWith({ id: 'a', question: 'A', note: 'old' });
    const { plan } = await folder.ingest(incomingRows({ id: 'a', question: 'A\r\n', note: 'new' }));
    expect(plan).toMatchObject({ changedUnsent: 0, changedSent: 0 });
    const [item] = await folder.all();
    const { input } = await folder.checkpoint.input(item?.key ?? 0);
    expect(input).toEqual({ id: 'a', question: 'A\r\n', note: 'new' });
  });

  it('in another folder is read from there: its images have moved with it', async () => {
    await using folder = await folderWith({ id: 'a', question: 'A' });
    const moved = { ...source, folder: '/elsewhere' };
    await folder.ingest(incomingRows({ id: 'a', question: 'A' }), { source: moved });
    const [item] = await folder.all();
    expect((await folder.checkpoint.input(item?.key ?? 0)).source).toEqual(moved);
  });
});

describe('an edited file', () => {
  it('moves rows with ids without making others of them', async () => {
    await using folder = await folderWith(...namedRows(3));
    const before = await namesIn(folder);
    const [first, second, third] = namedRows(3);
    const inserted = { id: 'new', question: 'New' };
    const { plan } = await folder.ingest(incomingRows(third ?? {}, inserted, first ?? {}, second ?? {}));
    expect(plan).toMatchObject({ ...none, rows: 4, newRows: 1, known: known({ pending: 3 }), toSubmit: 4 });
    const [q1, q2, q3] = before;
    expect(await namesIn(folder)).toEqual([
      { ...q1, row: 3 },
      { ...q2, row: 4 },
      { ...q3, row: 1 },
      { key: 4, id: 'new', row: 2 },
    ]);
  });

  it('moves rows without ids by their content', async () => {
    await using folder = await folderWith({ question: 'A' }, { question: 'B' }, { question: 'C' });
    await liveOn(folder.checkpoint, 'row-2', ...completed('task-b'));
    const { plan } = await folder.ingest(
      incomingRows({ question: 'New' }, { question: 'C' }, { question: ' B ' }, { question: 'A' }),
    );
    expect(plan).toMatchObject({ newRows: 1, gone: 0, changedSent: 0, toSubmit: 3 });
    expect(await namesIn(folder)).toEqual([
      { key: 1, id: 'row-1', row: 4 },
      { key: 2, id: 'row-2', row: 3 },
      { key: 3, id: 'row-3', row: 2 },
      { key: 4, id: 'row-1-2', row: 1 },
    ]);
  });

  it('of which a twin was removed keeps the others, the paid one first', async () => {
    await using folder = await folderWith({ question: 'A' }, { question: 'A' }, { question: 'B' });
    await liveOn(folder.checkpoint, 'row-1', ...completed('task-a'));
    const { plan } = await folder.ingest(incomingRows({ question: 'B' }, { question: 'A' }));
    expect(plan).toMatchObject({
      ...none,
      rows: 2,
      known: known({ completed: 1, pending: 1 }),
      gone: 1,
      toSubmit: 1,
    });
    expect(await namesIn(folder)).toMatchObject([
      { id: 'row-1', row: 2 },
      { id: 'row-2' },
      { id: 'row-3', row: 1 },
    ]);
  });

  it('of which a paid row was removed keeps its result, out of the input', async () => {
    await using folder = await folderWith(...namedRows(2));
    await liveOn(folder.checkpoint, 'q1', ...completed('task-1'));
    const { plan } = await folder.ingest(incomingRows(...namedRows(2).slice(1)));
    expect(plan).toMatchObject({ ...none, rows: 1, known: known({ pending: 1 }), gone: 1, toSubmit: 1 });
    const rows = await Array.fromAsync(folder.checkpoint.reportRows());
    expect(rows.map(({ gone, item }) => ({ gone, id: item.id }))).toEqual([
      { gone: false, id: 'q2' },
      { gone: true, id: 'q1' },
    ]);
    expect((await folder.checkpoint.ledger()).spent).toBe(10);
  });

  it('to which a row comes back finds it as it was', async () => {
    await using folder = await folderWith(...namedRows(3));
    await liveOn(folder.checkpoint, 'q1', ...completed('task-1'));
    const before = await folder.all();
    await folder.ingest(incomingRows(...namedRows(3).slice(2)));
    expect((await folder.checkpoint.ledger()).counts).toMatchObject({ completed: 1, pending: 1 });
    const { plan } = await folder.ingest(incomingRows(...namedRows(3)));
    expect(plan).toMatchObject({ ...none, rows: 3, known: known({ completed: 1, pending: 2 }), toSubmit: 2 });
    expect(await folder.all()).toEqual(before);
    expect((await folder.checkpoint.ledger()).counts).toMatchObject({ completed: 1, pending: 2 });
  });

  it('without any rows takes nothing away', async () => {
    await using folder = await folderWith(...namedRows(2));
    expect((await folder.ingest([])).plan).toMatchObject(none);
    expect((await folder.checkpoint.ledger()).counts.pending).toBe(2);
  });
});

describe('another file', () => {
  it('is foreign when none of its rows is known', async () => {
    await using folder = await folderWith(...namedRows(2));
    expect(await lookAt(folder.path, incomingRows({ id: 'x', question: 'X' }))).toMatchObject({
      isForeign: true,
    });
    expect(
      await lookAt(folder.path, incomingRows({ id: 'x', question: 'X' }, ...namedRows(1))),
    ).toMatchObject({
      isForeign: false,
    });
    expect(await lookAt(folder.path, [])).toMatchObject({ isForeign: false });
  });

  it('is not foreign to an empty checkpoint', async () => {
    await using folder = await openCheckpointFolder();
    expect(await lookAt(folder.path, incomingRows(...namedRows(1)))).toMatchObject({ isForeign: false });
  });

  it('can be added: its rows come after those that are there, none of which is gone', async () => {
    await using folder = await folderWith(...namedRows(2));
    const more = incomingRows(
      { question: 'X' },
      { id: 'q2', question: 'Question 2' },
      { id: 'y', question: 'Y' },
    );
    const { plan } = await folder.ingest(more, { add: true });
    expect(plan).toMatchObject({ ...none, rows: 3, newRows: 2, known: known({ pending: 1 }), toSubmit: 4 });
    expect(await namesIn(folder)).toEqual([
      { key: 1, id: 'q1', row: 1 },
      { key: 2, id: 'q2', row: 2 },
      { key: 3, id: 'row-3', row: 3 },
      { key: 4, id: 'y', row: 5 },
    ]);
    expect((await folder.checkpoint.ledger()).counts.pending).toBe(4);
    const added = await folder.checkpoint.input(3);
    expect(added.input).toEqual({ question: 'X' });
  });

  it('is planned against a checkpoint that can only be read, and leaves it as it is', async () => {
    await using folder = await folderWith(...namedRows(2));
    await liveOn(folder.checkpoint, 'q1', ...completed('task-1'));
    using watcher = watch(folder);
    const before = watcher.version();
    const edited = incomingRows({ id: 'q1', question: 'Another' }, { id: 'q3', question: 'New' });
    expect(await lookAt(folder.path, edited)).toMatchObject({
      ...none,
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
    expect(watcher.version()).toBe(before);
  });

  it('may be planned while the writer of a run is at work', async () => {
    await using folder = await folderWith(...namedRows(2));
    folder.db.exec(`BEGIN IMMEDIATE; UPDATE items SET status = 'completed'`);
    expect((await lookAt(folder.path, incomingRows(...namedRows(2)))).known.pending).toBe(2);
    folder.db.exec('COMMIT');
    expect((await lookAt(folder.path, incomingRows(...namedRows(2)))).known.completed).toBe(2);
  });
});

it('a file that is taken up while a creation waits for its answer does not touch that row', async () => {
  await using folder = await folderWith(...namedRows(1));
  const before = await liveOn(folder.checkpoint, 'q1', events.claimed);
  await folder.ingest(incomingRows({ id: 'q1', question: 'Another' }));
  expect(await folder.all()).toEqual([before]);
});
