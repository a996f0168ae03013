/** From a file to the checkpoint, and the same file again. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bigFile } from './big-file.ts';
import { runNode, type Usage } from './child.ts';
import { type Bench, type Figure, median, quantity, type Setting } from './table.ts';

const megabyte = 1e6;

const rowsPerSecond = ({ said }: Usage): number => ((said.rows ?? 0) / (said.ms ?? 0)) * 1_000;

interface Rounds {
  readonly floor: Usage[];
  readonly ours: Usage[];
  readonly again: Usage[];
}

async function rounds(setting: Setting, rows: number, format: 'csv' | 'jsonl'): Promise<Rounds> {
  const file = bigFile(setting.folder, rows, format);
  const all: Rounds = { floor: [], ours: [], again: [] };
  const out = join(setting.folder, 'ingest');
  for (let run = 0; run < setting.runs; run += 1) {
    rmSync(out, { recursive: true, force: true });
    all.floor.push(await runNode({ file: 'ingest-floor.ts', args: [file, out] }));
    rmSync(out, { recursive: true, force: true });
    all.ours.push(await runNode({ file: 'ingest-ours.ts', args: [file, out] }));
    all.again.push(await runNode({ file: 'ingest-ours.ts', args: [file, out] }));
  }
  rmSync(out, { recursive: true, force: true });
  return all;
}

const of = (usages: readonly Usage[], what: (usage: Usage) => number): number => median(usages.map(what));
const said = (usages: readonly Usage[], name: string): number => of(usages, (usage) => usage.said[name] ?? 0);

function speed(work: string, { ours, floor }: Rounds, atLeast: number): Figure {
  const [reached, base] = [of(ours, rowsPerSecond), of(floor, rowsPerSecond)];
  const unit = 'rows/s';
  return {
    work,
    reached: quantity(reached, unit),
    floor: quantity(base, unit),
    ratio: reached / base,
    goal: { atLeast },
  };
}

export const ingest: Bench = async (setting) => {
  const rows = 1_000_000 * setting.scale;
  const csv = await rounds(setting, rows, 'csv');
  const tenth = await rounds({ ...setting, runs: 1 }, rows / 10, 'csv');
  const jsonl = await rounds(setting, rows, 'jsonl');
  const peak = (usages: readonly Usage[]): number => of(usages, ({ peakBytes }) => peakBytes / megabyte);
  const count = quantity(rows, 'rows');
  return [
    speed(`take up ${count} of CSV`, csv, 0.8),
    {
      work: 'peak memory of that (MB)',
      reached: quantity(peak(csv.ours), 'MB'),
      floor: quantity(peak(csv.floor), 'MB'),
      ratio: peak(csv.ours),
      goal: { atMost: 200 },
    },
    {
      work: 'peak memory against a tenth of the rows',
      reached: quantity(peak(csv.ours), 'MB'),
      floor: quantity(peak(tenth.ours), 'MB'),
      ratio: peak(csv.ours) / peak(tenth.ours),
      goal: { atMost: 1.2 },
    },
    {
      work: 'the same file again',
      reached: quantity(said(csv.again, 'ms'), 'ms'),
      floor: quantity(said(csv.ours, 'ms'), 'ms (first time)'),
      ratio: said(csv.again, 'ms') / said(csv.ours, 'ms'),
      goal: { atMost: 0.9 },
    },
    {
      work: 'rows written by that',
      reached: quantity(said(csv.again, 'changes'), 'rows'),
      floor: '0 rows',
      ratio: said(csv.again, 'changes'),
      goal: { atMost: 0 },
    },
    speed(`take up ${count} of JSONL`, jsonl, 0.7),
  ];
};
