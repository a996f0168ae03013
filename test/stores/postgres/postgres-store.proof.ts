/** What only the store on PostgreSQL has to answer for: a server that goes away, answers that get lost, odd servers. */

import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { CheckpointError, NoRoomError, StoreAwayError, UsageError } from '../../../src/errors.ts';
import type { Decision } from '../../../src/stores/port/decisions.ts';
import type { StorePlace } from '../../../src/stores/port/store.ts';
import { ending, eventOf } from '../../money/lives.ts';
import { decider } from '../../support/decider.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { startPostgres } from '../../support/postgres.ts';
import { accepted } from '../../support/saved-lives.ts';
import { claim, claimOf, sharingOf, wide } from '../../support/store-contract/together.ts';
import { runOver, type StoreRun } from '../../support/store-run.ts';
import { placeAt } from './place.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** A run with some rows. */
async function openRun(place: StorePlace): Promise<StoreRun & AsyncDisposable> {
  const store = await place.open();
  const run = runOver(store);
  await run.ingest(incomingRows(...namedRows(6)));
  return { ...run, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Everything that an error says, its causes included. */
const said = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${JSON.stringify(error)} ${said(error.cause)}` : '';

/** A way to the server that loses the answer to what contains a text, and cuts the connection. */
async function openLossyWay(url: string) {
  let wanted: string | null = null;
  let lost = 0;
  const sockets = new Set<Socket>();
  const way = createServer((client) => {
    const inner = connect(server.port, '127.0.0.1');
    let isLosing = false;
    for (const socket of [client, inner]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        inner.destroy();
      });
    }
    client.on('data', (bytes) => {
      isLosing ||= wanted !== null && bytes.includes(wanted);
      inner.write(bytes);
    });
    inner.on('data', (bytes) => {
      if (!isLosing) client.write(bytes);
      else {
        // The server has answered, so it has saved.
        wanted = null;
        lost += 1;
        client.destroy();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const address = new URL(url);
  address.port = String((way.address() as { port: number }).port);
  return {
    url: address.href,
    lost: () => lost,
    loseAnswerTo: (text: string) => {
      wanted = text;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      way.close();
      await once(way, 'close');
    },
  };
}

describe('a commit whose answer was lost', () => {
  it('is found when it is repeated, and says that it was not heard', async () => {
    await using way = await openLossyWay(await server.createDatabase());
    const place = placeAt(way.url, 'lost', { patience: () => Number.POSITIVE_INFINITY });
    await using run = await openRun(place);
    const change = claimOf(await run.item('q1'), { token: 'a-token-to-lose' });
    way.loseAnswerTo('a-token-to-lose');
    const room = { ...wide, held: 1 };
    expect(await run.checkpoint.commit([change], { room, facts: [] })).toEqual({ isAnswered: false });
    expect(way.lost()).toBe(1);
    expect(await run.item('q1')).toEqual(change.after);
    const { creations, submittedRows } = await sharingOf(run).look();
    expect([creations, submittedRows]).toEqual([1, 1]);
    const next = claimOf(await run.item('q2'));
    expect(await run.checkpoint.commit([next])).toEqual({ isAnswered: true });
  });

  it('begins no second round', async () => {
    await using way = await openLossyWay(await server.createDatabase());
    const place = placeAt(way.url, 'lost', { patience: () => Number.POSITIVE_INFINITY });
    await using run = await openRun(place);
    const { round } = await sharingOf(run).look();
    way.loseAnswerTo('begin_round');
    await sharingOf(run).beginRound({ options: {}, terms: null });
    expect(way.lost()).toBe(1);
    expect((await sharingOf(run).look()).round).toBe(round + 1);
  });

  it('saves no decision a second time, whatever it is saved with', async () => {
    await using way = await openLossyWay(await server.createDatabase());
    const place = placeAt(way.url, 'lost', { patience: () => Number.POSITIVE_INFINITY });
    await using run = await openRun(place);
    const { key } = await run.item('q1');
    const change = claimOf(await run.item('q1'));
    const correction = { question: 'new', answer: null, ofQuestion: 'q', ofAnswer: '', since: 1 };
    const { checkpoint, store } = run;
    const saves: readonly ((decisions: readonly Decision[]) => Promise<unknown>)[] = [
      (decisions) => store.decisions.note(decisions),
      (decisions) => checkpoint.commit([change], { room: wide, facts: [], decisions }),
      (decisions) => checkpoint.order(1, [], [key], { decisions }),
      (decisions) => store.settings.replace({ one: null }, { one: '1' }, decisions),
      (decisions) => store.reviews.correct(new Map([[key, correction]]), decisions),
      (decisions) => sharingOf(run).beginRound({ options: {}, terms: null, decisions }),
    ];
    for (const [at, save] of saves.entries()) {
      way.loseAnswerTo(`command ${at}`);
      const decision = { ...decider, at, command: `command ${at}`, item: null, detail: '{}' } as const;
      await save([{ ...decision, kind: 'cap' }]);
      expect(way.lost()).toBe(at + 1);
    }
    const saved = (await Array.fromAsync(store.decisions.all())).flat();
    expect(saved.map(({ at }) => at)).toEqual(saves.map((_, at) => at));
  });
});

describe('a server that goes away', () => {
  it('is waited for, and everything goes on when it is back', async () => {
    await using own = await startPostgres();
    const reported: boolean[] = [];
    const place = placeAt(await own.createDatabase(), 'away', {
      patience: () => Number.POSITIVE_INFINITY,
      onAway: (failure) => void reported.push(failure !== null),
    });
    await using run = await openRun(place);
    const items = await run.all();
    await own.kill();
    const commits = items.map((item) => run.checkpoint.commit([claimOf(item)]));
    const looks = [sharingOf(run).look(), run.checkpoint.ledger()];
    await expect.poll(() => reported).toEqual([true]);
    await own.start();
    for (const end of await Promise.all(commits)) expect(end).toEqual({ isAnswered: true });
    await Promise.all(looks);
    expect(reported).toEqual([true, false]);
    expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 0, submitting: 6 });
  });

  it('is given up when the patience ends, without a word of the password', async () => {
    await using own = await startPostgres();
    const place = placeAt(await own.createDatabase(), 'away');
    await using run = await openRun(place);
    await own.stop();
    for (const asked of [run.checkpoint.ledger(), run.store.settings.save('a', 'b'), place.open()]) {
      const error = await asked.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(StoreAwayError);
      expect(said(error)).not.toContain(own.password);
      expect((error as Error).message).not.toContain('\n');
    }
  });
});

describe('an address', () => {
  it.each([['mysql://u:secret@h/d'], ['postgres://u:secret@h:port/d'], ['secret']])(
    'that is none is refused without being repeated: %s',
    (url) => {
      let error: unknown;
      try {
        placeAt(url, 'run');
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toBeInstanceOf(UsageError);
      expect(said(error)).not.toContain('secret');
    },
  );

  it('of a database that is not there, or with a wrong password, is refused at once', async () => {
    const url = new URL(await server.createDatabase());
    const wrong = [new URL(url), new URL(url)];
    for (const [address, change] of [
      [wrong[0], { password: 'secret' }],
      [wrong[1], { pathname: '/nowhere' }],
    ] as const) {
      Object.assign(address ?? {}, change);
      const patience = () => Number.POSITIVE_INFINITY;
      const error = await placeAt(address?.href ?? '', 'run', { patience })
        .open()
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      expect(said(error)).not.toMatch(`secret|${server.password}`);
    }
  });

  it('without a password that the server wants is refused with where to put it', async () => {
    const url = new URL(await server.createDatabase());
    url.password = '';
    await expect(placeAt(url.href, 'run').open()).rejects.toThrow(
      /^postgres:\/\/127.0.0.1:\d+\/test_\d+ wants a password; put it into ~\/.pgpass or PGPASSWORD$/,
    );
  });

  it.each([['Upper'], ['a b'], ['a"b'], [''], ['x'.repeat(41)]])(
    'needs a name of a run, unlike "%s"',
    (run) => {
      expect(() => placeAt('postgres://h/d', run)).toThrow(UsageError);
    },
  );
});

describe('a schema', () => {
  it('of a newer version is refused in one line, and left as it is', async () => {
    const url = await server.createDatabase();
    const place = placeAt(url, 'newer');
    await (await place.open())[Symbol.asyncDispose]();
    await server.query(url, 'UPDATE "batch_newer".run SET schema_version = 99');
    for (const open of [() => place.open(), () => place.look()])
      await expect(open()).rejects.toThrow(/newer version of batch \(schema 99/);
    const error = await place.open().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CheckpointError);
  });

  it('of another program is refused', async () => {
    const url = await server.createDatabase();
    await server.query(url, 'CREATE SCHEMA "batch_foreign"; CREATE TABLE "batch_foreign".things (n int)');
    const place = placeAt(url, 'foreign');
    await expect(place.open()).rejects.toThrow(/another program/);
    expect(await place.look()).toBeNull();
  });

  it.each([
    ['a table without a version', 'CREATE TABLE run (id int)'],
    ['an empty table', 'CREATE TABLE run (schema_version bigint)'],
    ['no version', 'CREATE TABLE run (schema_version bigint); INSERT INTO run VALUES (NULL)'],
    ['version 0', 'CREATE TABLE run (schema_version bigint); INSERT INTO run VALUES (0)'],
    ['a version that is text', "CREATE TABLE run (schema_version text); INSERT INTO run VALUES ('1')"],
    ['a view', 'CREATE VIEW run AS SELECT 1::bigint AS schema_version'],
    ['a sequence', 'CREATE SEQUENCE run'],
  ])('that has %s for its run is refused in one line, and left as it is', async (_, tables) => {
    const url = await server.createDatabase();
    await server.query(url, `CREATE SCHEMA batch_odd; SET search_path = batch_odd; ${tables}`);
    const place = placeAt(url, 'odd');
    for (const use of [place.open, place.look, place.exists, place.isInUse, place.openSettings]) {
      const error = await use().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      expect(said(error)).toContain('made by another version of batch');
    }
    const left = "SELECT 1 FROM pg_class WHERE relnamespace = 'batch_odd'::regnamespace";
    expect(await server.query(url, left)).toHaveLength(1);
  });

  it.each(['VIEW things AS SELECT 1', 'SEQUENCE things'])(
    'of another program that has but a %s is refused',
    async (thing) => {
      const url = await server.createDatabase();
      await server.query(url, `CREATE SCHEMA batch_odd; SET search_path = batch_odd; CREATE ${thing}`);
      await expect(placeAt(url, 'odd').open()).rejects.toThrow(/another program/);
    },
  );

  it('serves processes at once where the database asks for serializable transactions', async () => {
    const url = await server.createDatabase();
    const name = url.replace(/.*\//, '');
    await server.query(url, `ALTER DATABASE ${name} SET default_transaction_isolation = serializable`);
    await using run = await openRun(placeAt(url, 'strict'));
    const lives = ['q1', 'q2', 'q3', 'q4', 'q5', 'q6'].map((id) =>
      run.live(id, ...accepted(`task of ${id}`)),
    );
    await Promise.all(lives);
    expect(await run.idsIn('open')).toHaveLength(6);
    await run.ingest(incomingRows(...namedRows(7)));
    expect(await run.idsIn('pending')).toEqual(['q7']);
  });

  it('is made once by processes that come at once', async () => {
    const place = placeAt(await server.createDatabase(), 'together');
    const stores = await Promise.all([place.open(), place.open(), place.open()]);
    expect(stores.map(({ isNew }) => isNew).sort()).toEqual([false, false, true]);
    for (const store of stores) await store[Symbol.asyncDispose]();
  });

  it('stays where another process has joined the run that is abandoned', async () => {
    const place = placeAt(await server.createDatabase(), 'joined');
    const first = await place.open();
    await using second = await place.open();
    await first.abandon();
    expect(await place.exists()).toBe(true);
    await runOver(second).ingest(incomingRows(...namedRows(1)));
    expect(await runOver(second).idsIn('pending')).toEqual(['q1']);
  });

  it('that was made again is left alone by those that knew the earlier run, whatever they claim', async () => {
    const url = await server.createDatabase();
    const place = placeAt(url, 'dropped');
    await using earlier = await openRun(place);
    await server.query(url, 'DROP SCHEMA "batch_dropped" CASCADE');
    await expect(sharingOf(earlier).look()).rejects.toThrow(UsageError);
    await using later = await openRun(place);
    await expect(sharingOf(earlier).look()).rejects.toThrow(/another one is in its place/);
    await expect(claim(earlier, ['q1'])).rejects.toThrow(NoRoomError);
    await claim(later, ['q1']);
    expect(await later.idsIn('submitting')).toEqual(['q1']);
  });

  it('that another version brought up to date takes no claims of processes of an earlier one, but all they know', async () => {
    const url = await server.createDatabase();
    await using run = await openRun(placeAt(url, 'updated'));
    await claim(run, ['q1']);
    expect(await sharingOf(run).look()).toMatchObject({ refusal: null });
    await server.query(url, 'UPDATE batch_updated.run SET schema_version = schema_version + 1');
    await expect(claim(run, ['q2'])).rejects.toThrow(NoRoomError);
    expect(await sharingOf(run).look()).toMatchObject({ refusal: { reason: 'updated' } });
    await run.live('q1', ...accepted('task-1').slice(1));
    expect([await run.idsIn('open'), (await run.idsIn('pending')).length]).toEqual([['q1'], 5]);
    // A version that names none is earlier than all that do.
    const unsaid = `SET search_path = batch_updated; SELECT check_room(ARRAY[jsonb_populate_record(NULL::item_change,
      '{"old_status": "pending", "status": "submitting"}')], '{}', 0)`;
    await expect(server.query(url, unsaid)).rejects.toThrow(/another version/);
  });

  it('that was removed or made again is not watched on', async () => {
    const url = await server.createDatabase();
    const place = placeAt(url, 'watched');
    await (await place.open())[Symbol.asyncDispose]();
    await using looking = await place.look();
    const watch = await looking?.openWatch();
    await server.query(url, 'DROP SCHEMA "batch_watched" CASCADE');
    await expect(watch?.version()).rejects.toThrow(UsageError);
    await using again = await place.open();
    expect(again.isNew).toBe(true);
    await expect(watch?.version()).rejects.toThrow(/another one is in its place/);
  });
});

it.each(['LATIN1', 'SQL_ASCII'])(
  'a database in %s is refused before a run is made in it',
  async (encoding) => {
    const url = new URL(await server.createDatabase());
    const name = encoding.toLowerCase();
    await server.query(
      url.href,
      `CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    url.pathname = name;
    await expect(placeAt(url.href, 'run').open()).rejects.toThrow(`is a database in ${encoding}`);
    expect(await placeAt(url.href, 'run').exists()).toBe(false);
  },
);

it('no statement needs md5, which a server in FIPS mode refuses', async () => {
  const folder = new URL('../../../src/stores/postgres/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(ts|sql)$/.test(name));
  expect(files.length).toBeGreaterThan(20);
  for (const name of files)
    expect(await readFile(new URL(name, folder), 'utf8'), name).not.toMatch(/\bmd5\s*\(/i);
});

it('a server that may forget what it saved is refused for work that pays', async () => {
  const url = await server.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await server.query(url, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  const paying = placeAt(url, 'run', { mustBeDurable: true });
  await expect(paying.open()).rejects.toThrow(/synchronous_commit off/);
  expect(await paying.exists()).toBe(false);
  await using run = await openRun(placeAt(url, 'run'));
  expect(run.store.isNew).toBe(true);
  // As of one that was well when it was opened.
  await expect(claim(run, ['q1'])).rejects.toThrow(NoRoomError);
  expect(await sharingOf(run).look()).toMatchObject({ refusal: { reason: 'not-durable' } });
  await server.query(url, `ALTER DATABASE ${name} SET synchronous_commit = local`);
  await using open = await paying.open();
  expect(open.isNew).toBe(false);
});

it('texts that PostgreSQL cannot keep are kept with a sign in place of what it cannot', async () => {
  await using run = await openRun(placeAt(await server.createDatabase(), 'texts'));
  const odd = { ...ending, title: 'a\0b \ud800 c', detail: '\udc00' };
  await run.live('q1', ...accepted('task-1'), eventOf('task-completed', { frames: [], ending: odd }));
  expect(await run.item('q1')).toMatchObject({ title: 'a\u{fffd}b \u{fffd} c', detail: '\u{fffd}' });
});
