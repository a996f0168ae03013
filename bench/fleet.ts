/**
 * `npm run bench -- fleet`: a run in PostgreSQL, with the server's data on the disk of this machine. Each figure stands
 * against what the server or one machine does alone.
 */

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../test/support/postgres.ts';
import { bigFile } from './big-file.ts';
import { runNode, type Usage } from './child.ts';
import { growing } from './fleet-growing.ts';
import { endRows } from './fleet-rows.ts';
import { dropRun } from './fleet-store.ts';
import { submitting } from './fleet-submitting.ts';
import { sweeping } from './fleet-sweeping.ts';
import { type Bench, type Figure, inTurns, median, quantity, type Setting } from './table.ts';

/** As a small server is set up. */
const settings = {
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
};

/** A program with the name of a new run as its last argument. */
type OnRun = (file: string, run: string) => Promise<Usage>;

const said = (usages: readonly Usage[], name: string): number =>
  median(usages.map((usage) => usage.said[name] ?? Number.NaN));
const perSecond = (usages: readonly Usage[], what: string): number =>
  median(usages.map((usage) => ((usage.said[what] ?? 0) / (usage.said.ms ?? 0)) * 1_000));

async function ingesting(url: string, { folder, scale, runs }: Setting): Promise<Figure[]> {
  const count = 1_000_000 * scale;
  const file = bigFile(folder, count, 'csv');
  const on = async (program: string): Promise<Usage> => {
    const usage = await runNode({ file: program, args: [file, url, 'imported'] });
    await dropRun(url, 'imported');
    return usage;
  };
  const { first: ours, second: floor } = await inTurns(
    runs,
    () => on('fleet-ingest-ours.ts'),
    () => on('fleet-ingest-floor.ts'),
  );
  const [reached, base] = [perSecond(ours, 'rows'), perSecond(floor, 'rows')];
  const peak = median(ours.map(({ peakBytes }) => peakBytes / 1e6));
  return [
    {
      work: `import ${quantity(count, 'rows')} of CSV into PostgreSQL`,
      reached: quantity(reached, 'rows/s'),
      floor: quantity(base, 'rows/s (one digest, COPY into the same tables and indexes, one transaction)'),
      ratio: reached / base,
      goal: { atLeast: 0.4 },
    },
    {
      work: 'peak memory of that (MB)',
      reached: quantity(peak, 'MB'),
      floor: '',
      ratio: peak,
      goal: { atMost: 320 },
    },
  ];
}

/** A file of which every row is another than in the run: a row takes no longer where there are ten times as many. */
async function editing(url: string, { folder, scale, runs }: Setting): Promise<Figure[]> {
  const counts = [10_000, 100_000].map((count) => count * scale);
  let number = 0;
  const perRow = async (count: number): Promise<number> => {
    const run = `edited-${number++}`;
    const ingest = (isEdited: boolean): Promise<Usage> =>
      runNode({ file: 'fleet-ingest-ours.ts', args: [bigFile(folder, count, 'csv', isEdited), url, run] });
    await ingest(false);
    return (((await ingest(true)).said.ms ?? Number.NaN) / count) * 1_000;
  };
  const [few = 0, many = 0] = counts;
  const times = await inTurns(
    runs,
    () => perRow(many),
    () => perRow(few),
  );
  const [reached, base] = [median(times.first), median(times.second)];
  return [
    {
      work: `import ${quantity(many, 'rows')} that were all edited`,
      reached: quantity(reached, 'µs/row'),
      floor: quantity(base, `µs/row (${quantity(few, 'rows')})`),
      ratio: reached / base,
      goal: { atMost: 1.3 },
    },
  ];
}

async function claiming(url: string, { folder, scale, runs }: Setting): Promise<Figure[]> {
  const count = Math.ceil((9_600 * scale) / 48) * 48;
  const file = bigFile(folder, count * 2, 'csv');
  let number = 0;
  const figures: Figure[] = [];
  for (const workers of [1, 3]) {
    const claim = async (program: string): Promise<Usage> => {
      const run = `claims-${number++}`;
      await runNode({ file: 'fleet-ingest-ours.ts', args: [file, url, run] });
      return runNode({ file: program, args: [url, run, String(count), String(workers)] });
    };
    const { first: ours, second: floor } = await inTurns(
      runs,
      () => claim('fleet-claims-ours.ts'),
      () => claim('fleet-claims-floor.ts'),
    );
    const [reached, base] = [perSecond(ours, 'claims'), perSecond(floor, 'claims')];
    figures.push({
      work: `claims, 16 at a time, over ${quantity(workers, workers === 1 ? 'connection' : 'connections')}`,
      reached: quantity(reached, 'rows/s'),
      floor: quantity(base, 'rows/s (bare `SKIP LOCKED`)'),
      ratio: reached / base,
      goal: { atLeast: 0.4 },
    });
  }
  return figures;
}

async function reporting(url: string, { folder, scale, runs }: Setting): Promise<Figure[]> {
  const count = 1_000_000 * scale;
  const run = 'reports';
  const out = join(folder, run);
  mkdirSync(out);
  await runNode({ file: 'fleet-ingest-ours.ts', args: [bigFile(folder, count, 'csv'), url, run] });
  const figures: Figure[] = [];
  for (const kind of ['wait', 'were made']) {
    if (kind === 'were made') await endRows(url, run);
    const on: OnRun = (program) => runNode({ file: program, args: [out, url, run] });
    const { first: ours, second: floor } = await inTurns(
      runs,
      () => on('fleet-report-ours.ts', run),
      () => on('fleet-report-floor.ts', run),
    );
    const [reached, base] = [said(ours, 'ms'), said(floor, 'ms')];
    figures.push({
      work: `\`report.csv\` of ${quantity(count, 'rows')} that ${kind}, from PostgreSQL`,
      reached: quantity((count / reached) * 1_000, 'rows/s'),
      floor: quantity((count / base) * 1_000, 'rows/s (COPY TO, as `\\copy` of psql)'),
      ratio: base / reached,
      goal: { atLeast: 0.4 },
    });
  }
  return figures;
}

type Part = (url: string, setting: Setting) => Promise<Figure[]>;

/** Those of a whole run; `growing` is run by its name. */
const usual: Readonly<Record<string, Part>> = {
  claiming,
  sweeping,
  submitting,
  ingesting,
  editing,
  reporting,
};
const parts: Readonly<Record<string, Part>> = { ...usual, growing };

/** `BENCH_FLEET=claiming,submitting` takes only some. */
const wanted = (process.env.BENCH_FLEET ?? Object.keys(usual).join()).split(',');

async function onDatabase(server: Postgres, part: Part, setting: Setting): Promise<Figure[]> {
  const url = await server.createDatabase();
  const figures = await part(url, setting);
  await server.query(
    url.replace(/[^/]+$/, 'postgres'),
    `DROP DATABASE ${url.replace(/.*\//, '')} WITH (FORCE)`,
  );
  return figures;
}

export const fleet: Bench = async (setting) => {
  const figures: Figure[] = [];
  await using server = await startPostgres({ settings, parent: tmpdir() });
  for (const name of wanted) {
    const part = parts[name];
    if (part === undefined) throw new Error(`no part ${name}; there are ${Object.keys(parts).join(', ')}`);
    process.stderr.write(`  ${name} ...\n`);
    figures.push(...(await onDatabase(server, part, setting)));
  }
  return figures;
};
