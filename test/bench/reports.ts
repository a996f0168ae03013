/** All reports of a large checkpoint against `sqlite3 -csv` writing the columns of one of them. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bigFile } from './big-file.ts';
import { runNode, runShell } from './child.ts';
import { type Bench, type Figure, median, quantity } from './table.ts';

export const reports: Bench = async ({ folder, scale, runs }): Promise<Figure[]> => {
  const rows = 1_000_000 * scale;
  const out = join(folder, 'reports');
  await runNode({ file: 'ingest-ours.ts', args: [bigFile(folder, rows, 'csv'), out] });
  const columns =
    "row, id, status, points, json_extract(input, '$.question'), quality, title, failure, task_id, created_at, finish_at, submitted_at, attempt";
  const statement = `SELECT ${columns} FROM items JOIN questions ON item = key ORDER BY gone, row`;
  const ours = [];
  const floor = [];
  for (let run = 0; run < runs; run += 1) {
    ours.push(await runNode({ file: 'reports-ours.ts', args: [out] }));
    floor.push(await runShell(`sqlite3 -csv ${out}/batch.sqlite "${statement}" >${out}/floor.csv`));
  }
  rmSync(out, { recursive: true, force: true });
  const perSecond = (ms: number): number => (rows / ms) * 1_000;
  const reached = perSecond(median(ours.map(({ said }) => said.ms ?? 0)));
  const base = perSecond(median(floor.map((usage) => usage?.wallMs ?? Number.NaN)));
  const longest = median(ours.map(({ said }) => said.longestMs ?? 0));
  const peak = median(ours.map(({ peakBytes }) => peakBytes / 1e6));
  return [
    {
      work: `all reports of ${quantity(rows, 'rows')}`,
      reached: quantity(reached, 'rows/s'),
      floor: quantity(base, 'rows/s (`sqlite3 -csv`, one report)'),
      ratio: reached / base,
      goal: { atLeast: 0.4 },
    },
    {
      work: 'longest pause of the event loop meanwhile (ms)',
      reached: quantity(longest, 'ms'),
      floor: '',
      ratio: longest,
      goal: { atMost: 50 },
    },
    {
      work: 'peak memory of that (MB)',
      reached: quantity(peak, 'MB'),
      floor: '',
      ratio: peak,
      goal: { atMost: 200 },
    },
  ];
};
