/** A COPY over a line that goes silent: half open, as a network leaves it that swallows everything. */

import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/system-clock.ts';
import { StoreAwayError } from '../../../src/errors.ts';
import { readAddress } from '../../../src/stores/postgres/connection/address.ts';
import { Connections } from '../../../src/stores/postgres/connection/connections.ts';
import { CopySession } from '../../../src/stores/postgres/connection/copy-session.ts';
import { startPostgres } from '../../support/postgres.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const server = await startPostgres();
const url = await server.createDatabase();
afterAll(() => server[Symbol.asyncDispose]());

/** More than all buffers between the two take. */
const manyRows = `COPY (SELECT repeat('x', 100000) FROM generate_series(1, 1000)) TO STDOUT`;
const lines = Buffer.alloc(64_000_000, `${'x'.repeat(99)}\n`);

async function openSession(silenceMs: number) {
  const proxy = await openTcpProxy(server.port);
  const address = readAddress(proxy.through(url));
  const connections = new Connections({ address, schema: 'none', clock: systemClock, patience: () => 0 });
  await connections.connectOnce();
  const session = await CopySession.open(connections, silenceMs);
  await session.script('CREATE TEMP TABLE lines (line text)');
  return {
    proxy,
    session,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await connections[Symbol.asyncDispose]();
    },
  };
}

describe('a line that goes silent ends the work that waits for it', () => {
  it.each<[when: string, work: (session: CopySession, proxy: TcpProxy) => Promise<unknown>]>([
    [
      'before the first rows come',
      (session, proxy) => {
        proxy.silence();
        return Array.fromAsync(session.copied(manyRows));
      },
    ],
    [
      'while rows come',
      async (session, proxy) => {
        for await (const _ of session.copied(manyRows)) proxy.silence();
      },
    ],
    [
      'while lines go',
      async (session, proxy) => {
        await session.copy('COPY lines FROM STDIN', lines);
        proxy.silence();
        await session.settle();
      },
    ],
    [
      'in a transaction, which ends too',
      (session, proxy) =>
        session.snapshot(async () => {
          proxy.silence();
          await session.copy('COPY lines FROM STDIN', lines);
          await session.settle();
        }),
    ],
  ])('%s', async (_, work) => {
    await using opened = await openSession(500);
    const error = await work(opened.session, opened.proxy).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreAwayError);
    expect(String(error)).toContain('broke off (timeout exceeded: nothing came for 0.5 s)');
  });

  it('and no line on which something moves, however long it takes', async () => {
    await using opened = await openSession(1_000);
    const slow = `COPY (SELECT repeat('x', 10000), pg_sleep(0.1) FROM generate_series(1, 25)) TO STDOUT`;
    expect((await Array.fromAsync(opened.session.copied(slow))).flat()).toHaveLength(25);
    await opened.session.copy('COPY lines FROM STDIN', lines);
    await opened.session.settle();
    expect(await opened.session.count('SELECT count(*) AS n FROM lines')).toBe(lines.length / 100);
  });
});
