import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/system-clock.ts';
import { DiskError, NoRoomError, StoreAwayError, UsageError } from '../../../src/errors.ts';
import type { ImportCopy, ImportTable, Ingest } from '../../../src/stores/port/import.ts';
import type { Store, StorePlace } from '../../../src/stores/port/store.ts';
import { openImportCopy } from '../../../src/stores/sqlite/import/import-copy.ts';
import { eventOf, events } from '../../money/lives.ts';
import { incomingRows, namedRows, type WrittenRow } from '../../support/incoming-rows.ts';
import { startPostgres } from '../../support/postgres.ts';
import { accepted, completed } from '../../support/saved-lives.ts';
import { claimOf, wide } from '../../support/store-contract/together.ts';
import { plainImport, runOver, type StoreRun } from '../../support/store-run.ts';
import { placeAt } from './place.ts';

const server = await startPostgres();
const url = await server.createDatabase();
afterAll(() => server[Symbol.asyncDispose]());

let runs = 0;
const newRun = (): string => {
  runs += 1;
  return `import-${runs}`;
};

const join = { add: false, isMended: false } as const;

/** A process that works on the run. */
async function work(run: string, ...rows: readonly WrittenRow[]): Promise<StoreRun & AsyncDisposable> {
  return workAt(placeAt(url, run), ...rows);
}

async function workAt(
  place: StorePlace,
  ...rows: readonly WrittenRow[]
): Promise<StoreRun & AsyncDisposable> {
  const store = await place.open();
  const working = runOver(store);
  if (rows.length > 0) await working.ingest(incomingRows(...rows));
  return { ...working, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** A file that is matched and not imported yet. */
async function matched(store: Store, rows: readonly WrittenRow[], add = false): Promise<Ingest> {
  const ingest = await store.openIngest();
  await ingest.add(incomingRows(...rows));
  expect(await ingest.match({ ...join, add })).toEqual([]);
  return ingest;
}

/** The rows of the run as they were written. */
async function inputs({ checkpoint, all }: StoreRun): Promise<unknown[]> {
  return Promise.all((await all()).map(async ({ key }) => (await checkpoint.input(key)).input));
}

/** A connection besides the run's own. */
async function connect(run: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path="batch_${run}"` });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** The counters of the run, which must be the same when everything is counted anew. */
async function checkCounters(run: string): Promise<void> {
  await using client = await connect(run);
  const read = async () => [
    (await client.query('SELECT * FROM sums WHERE count <> 0 ORDER BY status')).rows,
    (await client.query('SELECT * FROM run')).rows,
  ];
  const kept = await read();
  await client.query('SELECT recount()');
  expect(kept).toEqual(await read());
}

describe('the first rows of a run', () => {
  const rows = namedRows(10_000);
  const read = `SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname`;
  const built = `SELECT relfilenode FROM pg_class WHERE oid = 'items_by_id'::regclass`;

  it('have the indexes of the run, built when they are there', async () => {
    const name = newRun();
    await using here = await work(name);
    await using client = await connect(name);
    const [before, old] = [(await client.query(read)).rows, (await client.query(built)).rows];
    expect(before.length).toBeGreaterThan(10);
    await here.ingest(incomingRows(...rows));
    expect((await client.query(read)).rows).toEqual(before);
    expect((await client.query(built)).rows).not.toEqual(old);
    expect(await here.item('q10000')).toMatchObject({ key: 10_000, status: 'pending' });
    await checkCounters(name);
  });

  it('are imported by a role that owns no table and is given little time; the indexes stay', async () => {
    const name = newRun();
    await using here = await work(name);
    await using client = await connect(name);
    const old = (await client.query(built)).rows;
    await client.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'`);
    const schema = `SCHEMA "batch_${name}"`;
    await client.query(`GRANT ALL ON ${schema} TO guest; GRANT ALL ON ALL TABLES IN ${schema} TO guest;
      GRANT ALL ON ALL SEQUENCES IN ${schema} TO guest; GRANT pg_read_all_settings TO guest;
      ALTER ROLE guest SET statement_timeout = '20ms'; ALTER ROLE guest SET transaction_timeout = '50ms'`);
    const guest = new URL(url);
    guest.username = 'guest';
    guest.password = 'guest';
    await using store = await placeAt(guest.href, name).open();
    await runOver(store).ingest(incomingRows(...rows));
    expect((await client.query(built)).rows).toEqual(old);
    expect(await here.idsIn('pending')).toHaveLength(10_000);
  });

  it.each([
    ['while another process reads', 'BEGIN; SELECT 1 FROM items'],
    ['where another table refers to them', 'CREATE TABLE notes (item bigint REFERENCES items)'],
  ])('are imported %s, and the indexes stay', async (_, before) => {
    const name = newRun();
    await using here = await work(name);
    await using client = await connect(name);
    const old = (await client.query(built)).rows;
    await client.query(before);
    await here.ingest(incomingRows(...rows));
    await client.query('COMMIT');
    expect((await client.query(built)).rows).toEqual(old);
    expect(await here.idsIn('pending')).toHaveLength(10_000);
  });
});

/** Files that are first in their run at the same time as three named rows. */
const rivals: readonly (readonly [string, readonly WrittenRow[]])[] = [
  [
    'has the same ids and other texts',
    namedRows(3).map(({ id = '' }) => ({ id, question: `Another ${id}` })),
  ],
  ['has some of the rows', [...namedRows(2), { id: 'other', question: 'Another' }]],
  ['is the same', namedRows(3)],
  ['has other ids', [{ id: 'other', question: 'Another' }]],
  ['has no ids', [{ question: 'Another' }]],
];

/** The same where both are added, and what is in the run then. */
const additions: readonly (readonly [string, readonly WrittenRow[], readonly WrittenRow[]])[] = [
  ['has other ids', [{ id: 'other', question: 'Another' }], [{ id: 'other', question: 'Another' }]],
  ['has no ids', [{ question: 'Another' }], [{ question: 'Another' }]],
  ['has some of the rows', [...namedRows(2), { question: 'Another' }], [{ question: 'Another' }]],
  ['is the same', namedRows(3), []],
];

describe('of two first files of a run', () => {
  const shown = { ...join, rerunChanged: false, only: null } as const;
  const refusal = expect.objectContaining({
    exitCode: 2,
    message: expect.stringMatching(/^another command imported .*; nothing was imported: .*$/),
  });

  it.each(rivals)('the later one is refused where it was compared before: it %s', async (_, rows) => {
    const name = newRun();
    await using here = await work(name);
    await using there = await work(name);
    await using first = await matched(here.store, namedRows(3));
    await using second = await matched(there.store, rows);
    for (const ingest of [first, second]) expect(await ingest.plan(shown)).toMatchObject({ gone: 0 });
    await first.apply(plainImport);
    await expect(second.apply(plainImport)).rejects.toEqual(refusal);
    expect(await inputs(here)).toEqual(namedRows(3));
  });

  it.each(rivals)(
    'the later one is refused where it was compared before and has no plan yet: it %s',
    async (_, rows) => {
      const name = newRun();
      await using here = await work(name);
      await using there = await work(name);
      await using second = await matched(there.store, rows);
      await here.ingest(incomingRows(...namedRows(3)));
      await expect(second.plan(shown)).rejects.toEqual(refusal);
      expect(await inputs(here)).toEqual(namedRows(3));
    },
  );

  it.each(rivals)('the later one is refused where it was compared after: it %s', async (_, rows) => {
    const name = newRun();
    await using here = await work(name);
    await using there = await work(name);
    await here.ingest(incomingRows(...namedRows(3)));
    await using second = await there.store.openIngest();
    await second.add(incomingRows(...rows));
    await expect(second.match(join)).rejects.toEqual(refusal);
    expect(await inputs(here)).toEqual(namedRows(3));
  });

  it.each(rivals)(
    'the later one is refused where its command had begun before and was slow: it %s',
    async (_, rows) => {
      const name = newRun();
      const begunAt = systemClock.steady();
      await using here = await work(name, ...namedRows(3));
      await using there = await workAt(placeAt(url, name, { begunAt }));
      await using second = await there.store.openIngest();
      await second.add(incomingRows(...rows));
      await expect(second.match(join)).rejects.toEqual(refusal);
      expect(await inputs(here)).toEqual(namedRows(3));
    },
  );

  it.each(rivals)('one is imported where neither waits for the other: one %s', async (_, rows) => {
    const name = newRun();
    await using here = await work(name);
    await using there = await work(name);
    await using first = await matched(here.store, namedRows(3));
    await using second = await matched(there.store, rows);
    const ends = await Promise.allSettled([first.apply(plainImport), second.apply(plainImport)]);
    expect(ends).toContainEqual({ status: 'rejected', reason: refusal });
    expect(await inputs(here)).toEqual(ends[0]?.status === 'fulfilled' ? namedRows(3) : rows);
    await checkCounters(name);
  });

  it.each(additions)(
    'both are in the run where they are added, as they were shown: one %s',
    async (_, rows, more) => {
      const added = { ...plainImport, add: true };
      const name = newRun();
      await using here = await work(name);
      await using there = await work(name);
      await using first = await matched(here.store, namedRows(3), true);
      await using second = await matched(there.store, rows, true);
      for (const ingest of [first, second]) {
        await ingest.idFacts();
        await ingest.plan({ ...shown, add: true });
      }
      await first.apply(added);
      await second.apply(added);
      expect(await inputs(here)).toEqual([...namedRows(3), ...more]);
      expect(await here.idsIn('pending')).toHaveLength(3 + more.length);
      await checkCounters(name);
    },
  );

  it.each(additions)(
    'both are in the run where they are added and neither waits: one %s',
    async (_, rows, more) => {
      const name = newRun();
      await using here = await work(name);
      await using there = await work(name);
      await Promise.all([
        here.ingest(incomingRows(...namedRows(3)), { add: true }),
        there.ingest(incomingRows(...rows), { add: true }),
      ]);
      expect(await inputs(here)).toHaveLength(3 + more.length);
      expect(await inputs(here)).toEqual(expect.arrayContaining([...namedRows(3), ...more]));
      await checkCounters(name);
    },
  );

  it('the one that was to change rows of the other is refused where both were shown, though they are added', async () => {
    const added = { ...plainImport, add: true };
    const name = newRun();
    await using here = await work(name);
    await using there = await work(name);
    await using first = await matched(here.store, namedRows(3), true);
    await using second = await matched(there.store, [{ id: 'q1', question: 'Another' }], true);
    for (const ingest of [first, second]) await ingest.plan({ ...shown, add: true });
    await first.apply(added);
    await expect(second.apply(added)).rejects.toEqual(refusal);
    expect(await inputs(here)).toEqual(namedRows(3));
  });

  it('the one that changes rows of the other is refused, also where they are added', async () => {
    const name = newRun();
    await using here = await work(name);
    await using there = await work(name);
    await here.ingest(incomingRows(...namedRows(3)), { add: true });
    await using second = await there.store.openIngest();
    await second.add(incomingRows({ id: 'q1', question: 'Another' }));
    await expect(second.match({ ...join, add: true })).rejects.toEqual(refusal);
    expect(await inputs(here)).toEqual(namedRows(3));
  });

  it('either may be changed by whoever came when its rows were there, or had imported it', async () => {
    const name = newRun();
    const edited = (text: string) => namedRows(3).map(({ id = '' }) => ({ id, question: `${text} ${id}` }));
    await using here = await work(name, ...namedRows(3));
    await using there = await work(name, ...edited('Edited'));
    expect(await inputs(there)).toEqual(edited('Edited'));
    await here.ingest(incomingRows(...edited('Edited again')));
    expect(await inputs(here)).toEqual(edited('Edited again'));
  });
});

describe('a file that is imported while another process works', () => {
  const shown = { ...join, rerunChanged: false, only: null } as const;

  it('does what its plan said where rows were only sent meanwhile', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(2));
    await using there = await work(name);
    await using ingest = await matched(here.store, namedRows(4));
    expect(await ingest.plan(shown)).toMatchObject({ newRows: 2, toSubmit: 4 });
    await there.live('q1', ...completed('task-1'));
    await ingest.apply(plainImport);
    expect(await here.idsIn('pending')).toEqual(['q2', 'q3', 'q4']);
  });

  it('is seen at once with the round that begins with it, and its terms', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(1));
    const before = await here.store.sharing?.mark();
    await using ingest = await matched(here.store, namedRows(2));
    const round = { options: { 'max-points': '150' }, terms: '{"limit":1}' };
    const mark = await ingest.apply({ ...plainImport, round });
    expect(mark).toEqual({ ...before, round: (before?.round ?? 0) + 1 });
    await using client = await connect(name);
    const { rows } = await client.query<{ value: string }>(
      "SELECT value FROM settings WHERE name IN ('options', 'round') ORDER BY name",
    );
    expect(rows.map(({ value }) => JSON.parse(value))).toEqual([{ 'max-points': '150' }, { limit: 1 }]);
    // A worker of the round before gets no row of the file.
    const claims = (await here.checkpoint.pendingItems({ limit: 2, only: null })).map((item) =>
      claimOf(item),
    );
    const at = { ...wide, round: before?.round ?? 0 };
    await expect(here.checkpoint.commit(claims, { room: at, facts: [] })).rejects.toThrow(NoRoomError);
    await here.checkpoint.commit(claims, { room: { ...at, round: mark?.round ?? 0 }, facts: [] });
  });

  it('is matched again where a row was claimed meanwhile: the row keeps its claim and its text', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(2));
    await using there = await work(name);
    const edited = [{ id: 'q1', question: 'Edited' }, { id: 'q2', question: 'Edited' }, { question: 'New' }];
    await using ingest = await matched(here.store, edited);
    const claimed = await there.live('q1', events.claimed);
    await ingest.apply(plainImport);
    expect(await here.item('q1')).toEqual(claimed);
    expect((await here.checkpoint.input(claimed.key)).input.question).toBe('Question 1');
    expect(await here.checkpoint.editOf(claimed.key)).toEqual({ quality: null, failure: null });
    const other = await here.item('q2');
    expect((await here.checkpoint.input(other.key)).input.question).toBe('Edited');
    expect(await here.idsIn('pending')).toEqual(['q2', 'row-3']);
    await checkCounters(name);
  });

  it('is no more than its plan where a row that the plan kept has ended meanwhile', async () => {
    const name = newRun();
    const again = { ...plainImport, rerunChanged: true };
    await using here = await work(name, ...namedRows(3));
    await using there = await work(name);
    await there.live('q1', ...completed('task-1'));
    await there.live('q2', ...accepted('task-2'));
    await using ingest = await matched(here.store, [
      { id: 'q1', question: 'Edited' },
      { id: 'q2', question: 'Edited' },
      { id: 'q3', question: 'Question 3' },
    ]);
    expect(await ingest.plan({ ...shown, rerunChanged: true })).toMatchObject({ toSubmit: 2 });
    // As many rows are sent as were shown, and not the same ones.
    await there.live('q2', eventOf('task-completed', { frames: [] }), events['video-saved']);
    await there.live('q3', ...accepted('task-3'));
    await expect(ingest.apply(again)).rejects.toThrow(/run the same command again$/);
    expect(await here.idsIn('pending')).toEqual([]);
  });

  it('takes a row that was sent meanwhile for the one whose text it has, though it was to leave', async () => {
    const name = newRun();
    await using here = await work(name, { id: 'a', question: 'A' }, { id: 'b', question: 'A' });
    await using there = await work(name);
    await using ingest = await matched(here.store, [{ id: 'c', question: 'A' }]);
    await ingest.plan(shown);
    await there.live('b', ...completed('task-2'));
    await ingest.apply(plainImport);
    expect(await here.idsIn('pending', 'completed')).toEqual(['a', 'c']);
    expect(await here.checkpoint.pendingItems({ limit: 9, only: null })).toEqual([]);
  });

  it('pays for no text that was sent as a correction meanwhile', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(1));
    await using there = await work(name);
    const { key } = await there.live('q1', ...completed('task-1'));
    const texts = { question: 'Corrected', answer: null };
    const correction = { ...texts, ofQuestion: 'Question 1', ofAnswer: '', since: 2 };
    await there.store.reviews.correct(new Map([[key, correction]]));
    await using ingest = await matched(here.store, [...namedRows(1), { id: 'other', question: 'Corrected' }]);
    expect(await ingest.plan(shown)).toMatchObject({ toSubmit: 1 });
    await there.live('q1', events['retry-ordered'], ...accepted('task-2'));
    await expect(ingest.apply(plainImport)).rejects.toThrow(/run the same command again$/);
    expect(await here.idsIn('pending')).toEqual([]);
  });

  it('takes the room of no commit and loses none', async () => {
    const name = newRun();
    const rows = namedRows(40);
    await using here = await work(name, ...rows);
    await using there = await work(name);
    await using ingest = await matched(here.store, [...rows.toReversed(), { question: 'New' }]);
    const lives = rows.map(({ id = '' }) => there.live(id, ...completed(`task of ${id}`)));
    await Promise.all([...lives, ingest.apply(plainImport)]);
    expect((await here.checkpoint.ledger()).counts).toMatchObject({ completed: 40, pending: 1 });
    expect((await here.all()).map(({ row }) => row).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 41 }, (_, at) => at + 1),
    );
    await checkCounters(name);
  });

  it('waits for the lock without holding it while its plan is read', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(1));
    await using ingest = await matched(here.store, namedRows(2));
    await ingest.plan({ ...join, rerunChanged: false, only: null });
    await using client = await connect(name);
    await client.query('BEGIN');
    await expect(client.query('SELECT change FROM run FOR UPDATE NOWAIT')).resolves.toBeDefined();
    const imported = ingest.apply(plainImport);
    await waiting(client);
    expect(await here.idsIn('pending')).toEqual(['q1']);
    await client.query('COMMIT');
    await imported;
    expect(await here.idsIn('pending')).toEqual(['q1', 'q2']);
  });
});

describe('two files that are imported at once', () => {
  it('are both in the run where they are added, with keys, rows and ids of their own', async () => {
    const name = newRun();
    await using here = await work(name);
    await using there = await work(name);
    await using first = await matched(here.store, [{ question: 'A' }, { question: 'B' }], true);
    await using second = await matched(there.store, [{ question: 'C' }, { question: 'D' }], true);
    await Promise.all([
      first.apply({ ...plainImport, add: true }),
      second.apply({ ...plainImport, add: true }),
    ]);
    expect((await here.all()).map(({ key, row, id }) => [key, row, id])).toEqual([
      [1, 1, 'row-1'],
      [2, 2, 'row-2'],
      [3, 3, 'row-3'],
      [4, 4, 'row-4'],
    ]);
    await checkCounters(name);
  });

  it('are not both imported where the second has an id that the first made the tool give away', async () => {
    const name = newRun();
    await using here = await work(name, { question: 'A' });
    await using there = await work(name);
    await using first = await matched(here.store, [{ question: 'A' }, { question: 'B' }]);
    await using second = await matched(there.store, [{ question: 'A' }, { id: 'row-2', question: 'C' }]);
    await first.apply(plainImport);
    await expect(second.apply(plainImport)).rejects.toThrow(UsageError);
    await expect(second.apply(plainImport)).rejects.toThrow(/line 3: the id "row-2" was given to/);
    expect((await here.all()).map(({ id }) => id)).toEqual(['row-1', 'row-2']);
  });

  it('are not both imported where ids of the second have become doubtful since its plan was read', async () => {
    const name = newRun();
    const rows = [
      { id: '1', question: 'A' },
      { id: '2', question: 'B' },
    ];
    await using here = await work(name, ...rows);
    await using there = await work(name);
    // Inserted and renumbered; nothing is sent of it, so that every id may change its text.
    const shifted = [
      { id: '1', question: 'New' },
      { id: '2', question: 'A, longer' },
      { id: '3', question: 'B' },
    ];
    await using ingest = await matched(here.store, shifted);
    expect(await ingest.idFacts()).toMatchObject({ keeping: 0 });
    await there.live('1', ...completed('task-1'));
    await expect(ingest.apply(plainImport)).rejects.toThrow(/run the same command again$/);
    expect((await here.all()).map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe('an import whose connection breaks', () => {
  const brokenOff = async (promise: Promise<unknown>): Promise<void> => {
    const error = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StoreAwayError);
    const { message } = error as Error;
    expect(message).toMatch(/nothing of it was imported: run the same command again$/);
    expect(message).not.toContain('\n');
    expect(message).not.toContain(server.password);
  };

  it('while its rows are staged ends with one line, and nothing is imported', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(1));
    await using client = await connect(name);
    const ingest = await here.store.openIngest();
    await ingest.add(incomingRows(...namedRows(3)));
    await cut(client, "query = 'COMMIT'");
    await brokenOff(ingest.match(join));
    await ingest[Symbol.asyncDispose]();
    expect(await here.idsIn('pending')).toEqual(['q1']);
    // The next one is not affected.
    await here.ingest(incomingRows(...namedRows(2)));
    expect(await here.idsIn('pending')).toEqual(['q1', 'q2']);
  });

  it('while it is applied ends with one line, and nothing is imported', async () => {
    const name = newRun();
    await using here = await work(name, ...namedRows(1));
    await using ingest = await matched(here.store, namedRows(3));
    await using client = await connect(name);
    await client.query('BEGIN');
    await client.query('SELECT change FROM run FOR UPDATE');
    const imported = brokenOff(ingest.apply(plainImport));
    await waiting(client);
    await cut(client, "wait_event_type = 'Lock'");
    await client.query('COMMIT');
    await imported;
    expect(await here.idsIn('pending')).toEqual(['q1']);
    await checkCounters(name);
  });

  it.each([
    ['is imported where only the answer to its commit was lost', 'answer', 3],
    ['is not imported where its commit never came', 'commit', 0],
  ] as const)('%s', async (_, lost, count) => {
    const name = newRun();
    await using wire = await openWire();
    await using store = await placeAt(wire.url, name, { patience: () => 10_000 }).open();
    await using ingest = await matched(store, namedRows(3));
    wire.lose(lost);
    if (lost === 'answer') await ingest.apply(plainImport);
    else await brokenOff(ingest.apply(plainImport));
    expect(await runOver(store).idsIn('pending')).toHaveLength(count);
  });
});

it('a round that begins with a file that changes nothing begins once, where the answer was lost', async () => {
  const name = newRun();
  await using here = await work(name, ...namedRows(1));
  const before = await here.store.sharing?.mark();
  await using wire = await openWire();
  await using store = await placeAt(wire.url, name, { patience: () => 10_000 }).open();
  await using ingest = await matched(store, namedRows(1));
  wire.lose('answer');
  const mark = await ingest.apply({ ...plainImport, round: { options: {}, terms: null } });
  expect(mark).toEqual({ ...before, round: (before?.round ?? 0) + 1 });
  expect(await here.store.sharing?.mark()).toEqual(mark);
});

it('an import whose copy cannot be written ends at once', async () => {
  const name = newRun();
  await using here = await work(name, ...namedRows(3_000));
  const full = new DiskError('the disk is full');
  const openFull = (): ImportCopy =>
    Object.assign(openImportCopy(), {
      take(table: ImportTable) {
        if (table === 'questions') throw full;
      },
    });
  await using store = await placeAt(url, name, { openImportCopy: openFull }).open();
  await expect(store.openIngest()).rejects.toBe(full);
  expect(await here.idsIn('pending')).toHaveLength(3_000);
});

describe('a row with U+0000', () => {
  const rows = [
    { id: 'a', question: 'A' },
    { id: 'b', question: 'B', note: 'no\u0000te' },
    { id: 'c\u0000', question: 'C' },
    { id: 'd', question: 'a backslash and \\u0000' },
  ];

  it('cannot be sent, and says why; its text is saved with U+FFFD in its place', async () => {
    await using run = await work(newRun());
    const { plan } = await run.ingest(incomingRows(...rows));
    expect(plan).toMatchObject({ newRows: 4, unsendable: 2, toSubmit: 2 });
    expect(await run.idsIn('pending')).toEqual(['a', 'd']);
    const noted = await run.item('b');
    expect(noted).toMatchObject({
      status: 'invalid',
      failure: 'note: contains the character U+0000, which PostgreSQL cannot keep',
    });
    expect((await run.checkpoint.input(noted.key)).input).toEqual({ ...rows[1], note: 'no\ufffdte' });
    const named = await run.item('c\ufffd');
    expect(named.failure).toMatch(/id: contains the character U\+0000, which PostgreSQL cannot keep$/);
    const plain = await run.item('d');
    expect((await run.checkpoint.input(plain.key)).input).toEqual(rows[3]);
  });

  it('is the same row when the file is read again, and can be sent once it is mended', async () => {
    await using run = await work(newRun(), ...rows);
    const before = await run.all();
    expect((await run.ingest(incomingRows(...rows))).plan).toMatchObject({ newRows: 0, gone: 0 });
    expect(await run.all()).toEqual(before);
    await run.ingest(incomingRows(...rows.map((row) => (row.id === 'b' ? { ...row, note: 'note' } : row))));
    expect(await run.idsIn('pending')).toEqual(['a', 'b', 'd']);
  });
});

/** Resolves when another connection waits for a lock. */
async function waiting(client: pg.Client): Promise<void> {
  const query = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  while ((await client.query(query)).rowCount === 0);
}

/** Ends connections of the database. */
async function cut(client: pg.Client, condition: string): Promise<void> {
  const query = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND (${condition})`;
  expect((await client.query(query)).rowCount).toBe(1);
}

/** A way to the server on which one COMMIT, or the answer to it, is lost with the connection. */
async function openWire() {
  let lost: 'answer' | 'commit' | null = null;
  /** What comes before only reads. */
  let isLocked = false;
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connectTo(server.port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
    far.on('data', (bytes) => near.write(bytes));
    near.on('data', (bytes) => {
      isLocked ||= bytes.includes('FOR UPDATE');
      if (lost === null || !isLocked || !bytes.includes('COMMIT\0')) {
        far.write(bytes);
        return;
      }
      if (lost === 'answer') {
        far.removeAllListeners('data');
        far.once('data', () => near.destroy());
        far.write(bytes);
      } else near.destroy();
      lost = null;
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: url.replace(`:${server.port}/`, `:${address.port}/`),
    lose(what: 'answer' | 'commit') {
      lost = what;
      isLocked = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
}
