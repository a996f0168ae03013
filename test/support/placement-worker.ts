/**
 * One worker as a process of its own: `placement-worker.ts ADDRESS NAME`. Says its view on standard output after every
 * change and fifty times a second, one JSON line each; ends in good order when its standard input ends. Who lives is in a
 * table of the database.
 */

import pg from 'pg';
import { openPlacement } from '../../src/app/fleet/pg-boss-placement.ts';
import { systemClock } from '../../src/app/system-clock.ts';

const [connectionString = '', worker = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 1, query_timeout: 3_000, connectionTimeoutMillis: 3_000 });
pool.on('error', () => {});

const beat = (): Promise<unknown> =>
  pool
    .query(
      'INSERT INTO public.live (worker, heard) VALUES ($1, now()) ON CONFLICT (worker) DO UPDATE SET heard = now()',
      [worker],
    )
    .catch(() => {});

await beat();
const beats = setInterval(() => void beat(), 2_000);
const log = (fields: object, text: string): void => {
  process.stderr.write(`${worker}: ${text} ${JSON.stringify(fields)}\n`);
};
const placement = await openPlacement({
  connection: { connectionString },
  schema: 'batch_my-run_jobs',
  worker,
  liveWorkers: async () => {
    const { rows } = await pool.query<{ live: number }>(
      "SELECT count(*)::int AS live FROM public.live WHERE heard > now() - interval '10 seconds'",
    );
    return rows[0]?.live ?? 1;
  },
  isWorking: () => true,
  clock: systemClock,
  log: { info: log, warn: log },
});
const say = (): void => {
  const { slices, isKeeper } = placement;
  process.stdout.write(`${JSON.stringify({ worker, at: Date.now(), slices: [...slices], isKeeper })}\n`);
};
placement.onChange(say);
const says = setInterval(say, 20);
process.stdin.on('end', () => void end());
process.stdin.resume();

async function end(): Promise<void> {
  clearInterval(beats);
  clearInterval(says);
  await pool.query('DELETE FROM public.live WHERE worker = $1', [worker]).catch(() => {});
  await placement[Symbol.asyncDispose]();
  say();
  await pool.end();
}
