/**
 * What a row costs as the rows become more: ten, a hundred, a thousand thousand of them are taken up, and all carried to their
 * end. Whatever walks past the rows that are done shows nowhere else. The largest takes half an hour.
 */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bigFile } from './big-file.ts';
import { runNode, startService, type Usage } from './child.ts';
import type { Second } from './reporting.ts';
import { type Bench, type Figure, quantity, type Setting } from './table.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Before the first beat there is nothing that a pause could keep waiting (s). */
const startSeconds = 3;

/** Points of the curve of memory. */
const curvePoints = 12;

interface Growth {
  readonly rows: number;
  /** `run FILE --limit 0`: the file is taken up, nothing is sent. */
  readonly taking: Usage;
  /** `resume`: rows are submitted, asked about and settled, and the reports are written. */
  readonly carrying: Usage;
  /** `report`: the reports of all rows once more, alone. */
  readonly reporting: Usage;
  readonly checkpointBytes: number;
}

/** Every task fails: files cost what the disk costs, and `end-to-end` has them. */
async function grow(setting: Setting, rows: number, url: string): Promise<Growth> {
  const out = join(setting.folder, `growth-${rows}`);
  const common = ['--base-url', url, '--yes', '--quiet', '--concurrency', '64'];
  const env = { BATCH_API_KEY: 'benchmark', BENCH_SECONDS: '1' };
  const file = bigFile(setting.folder, rows, 'csv');
  const taking = await runNode({
    file: program,
    args: ['run', file, '--out', out, '--limit', '0', ...common],
    env,
    exitCode: 4,
  });
  const carrying = await runNode({ file: program, args: ['resume', out, ...common], env, exitCode: 1 });
  const reporting = await runNode({ file: program, args: ['report', out] });
  const checkpointBytes = statSync(join(out, 'batch.sqlite')).size;
  rmSync(out, { recursive: true, force: true });
  return { rows, taking, carrying, reporting, checkpointBytes };
}

/** Without the reports at the end, which are of all rows and stand in a line of their own. */
const timeOf = ({ carrying, reporting, rows }: Growth): number =>
  ((carrying.wallMs - reporting.wallMs) / rows) * 1_000;
const processorOf = ({ carrying, reporting, rows }: Growth): number =>
  ((carrying.cpuMs - reporting.cpuMs) / rows) * 1_000;

const megabytes = (bytes: number): string => quantity(bytes / 1e6, 'MB');

function figuresOf(now: Growth, before: Growth | null): Figure[] {
  const { rows } = now;
  const name = quantity(rows, 'rows');
  const longest = (seconds: readonly Second[]): number =>
    Math.max(0, ...seconds.slice(startSeconds).map(({ pauseMs }) => pauseMs));
  const grown = (work: string, of: (growth: Growth) => number, unit: string, atMost: number): Figure => ({
    work: `${name}: ${work}`,
    reached: quantity(of(now), unit),
    floor: before === null ? '' : quantity(of(before), `${unit} (${quantity(before.rows, 'rows')})`),
    ratio: before === null ? 1 : of(now) / of(before),
    goal: before === null ? null : { atMost },
  });
  return [
    grown(
      'taking a row up, and its line in the reports',
      ({ taking, rows: n }) => (taking.wallMs / n) * 1_000,
      'µs',
      1.2,
    ),
    grown('processor time of that', ({ taking, rows: n }) => (taking.cpuMs / n) * 1_000, 'µs', 1.2),
    grown('carrying a row to its end', timeOf, 'µs', 1.2),
    grown('processor time of that', processorOf, 'µs', 1.2),
    grown('reports of a row', ({ reporting, rows: n }) => (reporting.wallMs / n) * 1_000, 'µs', 1.2),
    grown('memory taking them up', ({ taking }) => taking.peakBytes / 1e6, 'MB', 1.5),
    grown('memory carrying them', ({ carrying }) => carrying.peakBytes / 1e6, 'MB', 1.5),
    grown('checkpoint of a row', (growth) => growth.checkpointBytes / growth.rows, 'bytes', 1.1),
    {
      work: `${name}: longest pause of the event loop while it runs (ms)`,
      reached: quantity(longest(now.carrying.seconds), 'ms'),
      floor: '',
      ratio: longest(now.carrying.seconds),
      goal: null,
    },
  ];
}

/** `12 s 110 MB, 24 s 112 MB, ...` */
function renderCurve(seconds: readonly Second[]): string {
  const step = Math.max(1, Math.ceil(seconds.length / curvePoints));
  const points = seconds.flatMap(({ rssBytes }, at) =>
    (at + 1) % step === 0 ? [`${at + 1} s ${megabytes(rssBytes)}`] : [],
  );
  return points.join(', ');
}

export const growth: Bench = async (setting) => {
  await using service = await startService('growth-service.ts');
  const figures: Figure[] = [];
  let before: Growth | null = null;
  for (const whole of [10_000, 100_000, 1_000_000]) {
    const now: Growth = await grow(setting, whole * setting.scale, service.url);
    figures.push(...figuresOf(now, before));
    process.stderr.write(
      `memory of ${quantity(now.rows, 'rows')}, taken up: ${renderCurve(now.taking.seconds)}\n`,
    );
    process.stderr.write(`carried: ${renderCurve(now.carrying.seconds)}\n`);
    before = now;
  }
  return figures;
};
