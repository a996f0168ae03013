/** A run behind PgBouncer, in each way that it is set up. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { freePort, startPostgres } from '../../support/postgres.ts';
import { runOver } from '../../support/store-run.ts';
import { placeAt } from './place.ts';

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync);
const isMissing = program === undefined;

/** It refuses to run as root. */
const rights = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe.skipIf(isMissing)(
  `a pool of connections${isMissing ? ' (apt-get install pgbouncer)' : ''}`,
  async () => {
    const server = await startPostgres();
    const folder = mkdtempSync(join(tmpdir(), 'batch-test-pgbouncer-'));
    chmodSync(folder, 0o755);
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    });

    interface Setup {
      readonly mode: string;
      readonly general: string;
      /** The database itself has the setting that such a pool drops. */
      readonly isSetThere: boolean;
    }

    /** PgBouncer before a new database, until it is disposed of. */
    async function startPooler({ mode, general, isSetThere }: Setup) {
      const url = new URL(await server.createDatabase());
      const name = url.pathname.slice(1);
      if (isSetThere) await server.query(url.href, `ALTER DATABASE ${name} SET search_path = batch_algebra`);
      const port = await freePort();
      const config = join(folder, `${name}.ini`);
      writeFileSync(
        config,
        `[databases]
      ${name} = host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${port}
      unix_socket_dir =
      auth_type = any
      pool_mode = ${mode}
      ${general}`.replaceAll(/^ +/gm, ''),
      );
      const process = spawn(program as string, [config], { ...rights, stdio: ['ignore', 'ignore', 'pipe'] });
      for await (const line of createInterface(process.stderr)) if (line.includes('process up')) break;
      process.stderr.resume();
      url.port = String(port);
      return {
        url: url.href,
        async [Symbol.asyncDispose]() {
          const ended = once(process, 'exit');
          process.kill('SIGKILL');
          await ended;
        },
      };
    }

    const dropping = 'ignore_startup_parameters = options';

    it.each([
      ['that refuses settings', { mode: 'session', general: '', isSetThere: false }],
      ['that drops settings', { mode: 'session', general: dropping, isSetThere: false }],
      ['that shares sessions', { mode: 'transaction', general: dropping, isSetThere: true }],
    ])('%s is refused in one line, and nothing is made', async (_, setup) => {
      await using pooler = await startPooler(setup);
      await expect(placeAt(pooler.url, 'algebra').open()).rejects.toThrow(
        /^postgres:.* is a connection pooler/,
      );
      const direct = pooler.url.replace(/:\d+\//, `:${server.port}/`);
      expect(await server.query(direct, `SELECT 1 FROM pg_tables WHERE tablename = 'items'`)).toEqual([]);
    });

    it('that passes on whole sessions is as good as the server', async () => {
      await using pooler = await startPooler({ mode: 'session', general: dropping, isSetThere: true });
      await using store = await placeAt(pooler.url, 'algebra').open();
      const run = runOver(store);
      await run.ingest(incomingRows(...namedRows(3)));
      expect(await run.idsIn('pending')).toEqual(['q1', 'q2', 'q3']);
    });
  },
);
