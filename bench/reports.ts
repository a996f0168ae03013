/** The reports of a large checkpoint against `sqlite3 -csv`, which writes the columns of one of them. */

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bigFile } from './big-file.ts';
import { runNode, runShell, type Usage } from './child.ts';
import { makeRows } from './made-rows.ts';
import { type Bench, type Figure, median, quantity, type Setting } from './table.ts';

/** The columns of `report.csv`, as near as SQL comes to them. */
const statement = `
  SELECT iif(gone, NULL, row) AS row, id, status, (SELECT sum(points) FROM attempts WHERE item = key) AS points,
    json_extract(input, '$.question') AS question,
    coalesce(quality, nullif(json_extract(input, '$.quality'), ''), 'm') AS quality, title,
    (SELECT path FROM artifacts WHERE item = key AND kind = 'video' AND state = 'saved') AS video,
    (SELECT count(*) FROM artifacts WHERE item = key AND kind = 'frame' AND state = 'saved') AS frames,
    failure, task_id, created_at, finish_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', submitted_at / 1000.0, 'unixepoch') AS submitted_at,
    round((julianday(finish_at) - julianday(created_at)) * 86400, 1) AS seconds,
    (SELECT count(*) FROM attempts WHERE item = key) AS attempts, json_extract(input, '$.answer') AS answer,
    json_extract(input, '$.chapter') AS "input.chapter"
  FROM items JOIN questions ON item = key ORDER BY gone, items.row`;

interface Rounds {
  readonly floor: number[];
  readonly csv: Usage[];
  readonly all: Usage[];
}

async function rounds(out: string, runs: number): Promise<Rounds> {
  const found: Rounds = { floor: [], csv: [], all: [] };
  writeFileSync(join(out, 'floor.sql'), statement);
  for (let run = 0; run < runs; run += 1) {
    const bare = await runShell('sqlite3 -header -csv batch.sqlite <floor.sql >floor.csv', out);
    found.floor.push(bare?.wallMs ?? Number.NaN);
    found.csv.push(await runNode({ file: 'report-csv-ours.ts', args: [out] }));
    found.all.push(await runNode({ file: 'reports-ours.ts', args: [out] }));
  }
  return found;
}

function figures(kind: string, rows: number, whole: Rounds, tenth: Rounds): Figure[] {
  const perSecond = (times: readonly number[]): number => (rows / median(times)) * 1_000;
  const said = (usages: readonly Usage[], name: string): number[] =>
    usages.map((usage) => usage.said[name] ?? Number.NaN);
  const peak = ({ all }: Rounds): number => median(all.map(({ peakBytes }) => peakBytes / 1e6));
  const floor = perSecond(whole.floor);
  const speed = (work: string, times: readonly number[], goal: Figure['goal']): Figure => ({
    work: `${work} of ${quantity(rows, 'rows')} that ${kind}`,
    reached: quantity(perSecond(times), 'rows/s'),
    floor: quantity(floor, 'rows/s (`sqlite3 -csv`, one report)'),
    ratio: perSecond(times) / floor,
    goal,
  });
  const longest = median(said(whole.all, 'longestMs'));
  return [
    speed('`report.csv`', said(whole.csv, 'ms'), { atLeast: 0.4 }),
    speed('all four reports', said(whole.all, 'ms'), null),
    {
      work: 'longest pause of the event loop meanwhile (ms)',
      reached: quantity(longest, 'ms'),
      floor: '',
      ratio: longest,
      goal: { atMost: 50 },
    },
    {
      work: 'peak memory against a tenth of the rows',
      reached: quantity(peak(whole), 'MB'),
      floor: quantity(peak(tenth), 'MB'),
      ratio: peak(whole) / peak(tenth),
      goal: { atMost: 1.2 },
    },
  ];
}

/** A checkpoint of so many rows that were taken up, and nothing more. */
async function ingest({ folder }: Setting, rows: number): Promise<string> {
  const out = join(folder, `reports-${rows}`);
  await runNode({ file: 'ingest-ours.ts', args: [bigFile(folder, rows, 'csv'), out] });
  return out;
}

export const reports: Bench = async (setting): Promise<Figure[]> => {
  const rows = 1_000_000 * setting.scale;
  const whole = await ingest(setting, rows);
  const tenth = await ingest(setting, rows / 10);
  const measure = async (kind: string): Promise<Figure[]> =>
    figures(kind, rows, await rounds(whole, setting.runs), await rounds(tenth, 1));
  const waiting = await measure('wait');
  for (const out of [whole, tenth]) makeRows(join(out, 'batch.sqlite'));
  const made = await measure('were made');
  for (const out of [whole, tenth]) rmSync(out, { recursive: true, force: true });
  return [...waiting, ...made];
};
