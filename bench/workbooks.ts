/** Workbooks: rows against the same rows as CSV, and the memory that pictures take. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bigFile } from './big-file.ts';
import { runNode, startService, type Usage } from './child.ts';
import { bigWorkbook, pictureWorkbook } from './made-workbooks.ts';
import { type Bench, type Figure, inTurns, median, quantity, type Setting } from './table.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const megabyte = 1e6;

const of = (usages: readonly Usage[], what: (usage: Usage) => number): number => median(usages.map(what));
const peak = (usages: readonly Usage[]): number => of(usages, ({ peakBytes }) => peakBytes / megabyte);

async function rowsOf(setting: Setting): Promise<Figure[]> {
  const rows = 100_000 * setting.scale;
  const files = { workbook: bigWorkbook(setting.folder, rows), csv: bigFile(setting.folder, rows, 'csv') };
  const out = join(setting.folder, 'workbook');
  const take = async (file: string): Promise<Usage> => {
    rmSync(out, { recursive: true, force: true });
    return runNode({ file: 'ingest-ours.ts', args: [file, out] });
  };
  const { first, second } = await inTurns(
    setting.runs,
    () => take(files.workbook),
    () => take(files.csv),
  );
  rmSync(out, { recursive: true, force: true });
  const speed = ({ said }: Usage): number => ((said.rows ?? 0) / (said.ms ?? 0)) * 1_000;
  const [reached, floor] = [of(first, speed), of(second, speed)];
  return [
    {
      work: `take up a workbook of ${quantity(rows, 'rows')}`,
      reached: quantity(reached, 'rows/s'),
      floor: quantity(floor, 'rows/s as CSV'),
      ratio: reached / floor,
      goal: { atLeast: 0.5 },
    },
    memory('peak memory of that (MB)', peak(first), peak(second), 350),
  ];
}

async function picturesOf(setting: Setting): Promise<Figure[]> {
  const rows = 2_000 * setting.scale;
  const file = await pictureWorkbook(setting.folder, rows);
  const out = join(setting.folder, 'pictures');
  await using service = await startService('end-to-end-service.ts');
  const line = ['--base-url', service.url, '--yes', '--quiet', '--out', out, '--poll-interval', '1s'];
  const env = { BATCH_API_KEY: 'benchmark' };
  const { first, second } = await inTurns(
    setting.runs,
    () => runNode({ file: program, args: ['check', file] }),
    async () => {
      rmSync(out, { recursive: true, force: true });
      return runNode({ file: program, args: ['run', file, ...line], env });
    },
  );
  rmSync(out, { recursive: true, force: true });
  const name = `a workbook of ${quantity(rows, 'rows')} with a picture of 150 kB each`;
  return [
    memory(`peak memory of \`check\` of ${name} (MB)`, peak(first), null, 300),
    memory('peak memory of `run` of it (MB)', peak(second), null, 300),
  ];
}

function memory(work: string, reached: number, floor: number | null, atMost: number): Figure {
  return {
    work,
    reached: quantity(reached, 'MB'),
    floor: floor === null ? '' : quantity(floor, 'MB as CSV'),
    ratio: reached,
    goal: { atMost },
  };
}

export const workbooks: Bench = async (setting) => [
  ...(await rowsOf(setting)),
  ...(await picturesOf(setting)),
];
