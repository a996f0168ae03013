/**
 * `npm run bench`: how fast and how flat, as ratios. Each figure stands against a floor that is measured in the same run;
 * medians of three runs. `npm run bench -- NAME ...` takes only some, `--scale 0.1 --runs 1` a tenth of the size, once.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { help } from './help.ts';
import { ingest } from './ingest.ts';
import { reports } from './reports.ts';
import { type Bench, type Figure, renderTable } from './table.ts';

const benches: Readonly<Record<string, Bench>> = { help, ingest, reports };

const { values, positionals } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, runs: { type: 'string', default: '3' } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined)
  throw new Error(`no benchmark ${unknown}; there are ${Object.keys(benches).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'batch-bench-'));
const setting = { folder, scale: Number(values.scale), runs: Number(values.runs) };
const figures: Figure[] = [];
try {
  for (const name of names) {
    process.stderr.write(`${name} ...\n`);
    figures.push(...((await benches[name]?.(setting)) ?? []));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(renderTable(figures));
