/**
 * `BENCH_FLEET=growing`: what a row of a shared run costs as the rows become more. Each run is imported, half of its rows have
 * ended, it is looked at and reported, three workers carry others for some minutes, and more are claimed as quickly as the
 * server can. The service answers at once, and every task fails. The largest takes hours:
 * `BENCH_FLEET_ROWS=10000,100000 BENCH_FLEET_SECONDS=30` makes it short.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bigFile } from './big-file.ts';
import { runNode, startService, type Usage } from './child.ts';
import { endRows } from './fleet-rows.ts';
import { connectTo, dropRun } from './fleet-store.ts';
import { ask, detach, type Fleet, isShared, until, Workers } from './fleet-workers.ts';
import { type Figure, median, quantity, type Setting } from './table.ts';

const sizes = (process.env.BENCH_FLEET_ROWS ?? '100000,1000000,10000000').split(',').map(Number);
const carriedMs = Number(process.env.BENCH_FLEET_SECONDS ?? 180) * 1_000;

/** Rows left for the claims at the end. */
const mostClaims = 9_600;

/** Until the workers send as many rows at once as they may (ms). */
const startMs = 5_000;

const workerCount = 3;

const options = ['--poll-interval', '1s', '--concurrency', '10000'];

/** Of three workers over some time. */
interface Carried {
  readonly seconds: number;
  readonly creations: number;
  readonly polls: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
}

interface Grown {
  readonly rows: number;
  readonly importing: Usage;
  readonly statusMs: number;
  readonly reportMs: number;
  readonly carried: Carried;
  readonly claimsPerSecond: number;
}

/** Some rows, and not the last `kept` ones. */
async function carry(fleet: Fleet, kept: number): Promise<Carried> {
  const client = await connectTo(fleet.url, fleet.run);
  using workers = new Workers(fleet, workerCount);
  await until(client, isShared(workerCount));
  await pause(startMs);
  const counts = () => ask<Pick<Carried, 'creations' | 'polls'>>(fleet.baseUrl, '/counts');
  const [before, cpuBefore, since] = [await counts(), workers.cpuMs(), performance.now()];
  const isOver = `SELECT 1 WHERE now() > to_timestamp(${(Date.now() + carriedMs) / 1_000})
    OR NOT EXISTS (SELECT 1 FROM sums WHERE status = 'pending' AND count > ${kept})`;
  await until(client, isOver);
  const { creations, polls } = await counts();
  await client.end();
  return {
    seconds: (performance.now() - since) / 1_000,
    creations: creations - before.creations,
    polls: polls - before.polls,
    cpuMs: workers.cpuMs() - cpuBefore,
    peakBytes: workers.peakBytes(),
  };
}

async function grow(fleet: Fleet, rows: number, runs: number): Promise<Grown> {
  const { url, run, folder } = fleet;
  const out = join(folder, run);
  const importing = await detach(fleet, bigFile(folder, rows, 'csv'), options);
  await endRows(url, run, rows / 2);
  mkdirSync(out, { recursive: true });
  const took = async (file: string, args: readonly string[]): Promise<number> => {
    const times: number[] = [];
    while (times.length < runs) times.push((await runNode({ file, args })).said.ms ?? Number.NaN);
    return median(times);
  };
  const statusMs = await took('fleet-status-ours.ts', [url, run]);
  const reportMs = await took('fleet-report-ours.ts', [out, url, run]);
  const claims = Math.min(mostClaims, Math.floor(rows / 192) * 48);
  const carried = await carry(fleet, claims);
  const claimMs = await took('fleet-claims-ours.ts', [url, run, String(claims / runs), String(workerCount)]);
  await dropRun(url, run);
  return { rows, importing, statusMs, reportMs, carried, claimsPerSecond: (claims / runs / claimMs) * 1_000 };
}

/** The last size against the first. `isRate` where more is better. */
function figureOf(
  all: readonly Grown[],
  [work, unit, of, isRate = false]: readonly [string, string, (grown: Grown) => number, isRate?: boolean],
): Figure {
  const said = all.map((grown) => `${quantity(of(grown), unit)} (${quantity(grown.rows, 'rows')})`);
  const [first, last] = [all[0], all.at(-1)].map((grown) => (grown === undefined ? Number.NaN : of(grown)));
  const [from = Number.NaN, to = Number.NaN] = isRate ? [last, first] : [first, last];
  const [reached = '', ...before] = said.toReversed();
  return { work, reached, floor: before.toReversed().join(', '), ratio: to / from, goal: { atMost: 1.3 } };
}

export async function growing(url: string, { folder, scale, runs }: Setting): Promise<Figure[]> {
  await using service = await startService('growth-service.ts');
  const all: Grown[] = [];
  for (const size of sizes) {
    const rows = Math.round(size * scale);
    process.stderr.write(`  ${quantity(rows, 'rows')} ...\n`);
    all.push(await grow({ url, run: `growing-${rows}`, baseUrl: service.url, folder }, rows, runs));
  }
  const perMillion = (ms: number, rows: number): number => (ms * 1_000) / rows;
  return [
    figureOf(all, [
      'import of a million rows',
      's',
      ({ importing, rows }) => perMillion(importing.wallMs, rows),
    ]),
    figureOf(all, ['memory of that', 'MB', ({ importing }) => importing.peakBytes / 1e6]),
    figureOf(all, ['`batch status`', 'ms', ({ statusMs }) => statusMs]),
    figureOf(all, ['`report.csv`', 'rows/s', ({ rows, reportMs }) => (rows / reportMs) * 1_000, true]),
    figureOf(all, ['claims, 16 at a time', 'rows/s', ({ claimsPerSecond }) => claimsPerSecond, true]),
    figureOf(all, ['rows sent', 'rows/s', ({ carried }) => carried.creations / carried.seconds, true]),
    figureOf(all, ['polls', 'polls/s', ({ carried }) => carried.polls / carried.seconds, true]),
    figureOf(all, ['CPU of a row, three workers', 'ms', ({ carried }) => carried.cpuMs / carried.polls]),
    figureOf(all, ['memory of a worker', 'MB', ({ carried }) => carried.peakBytes / 1e6]),
  ];
}
