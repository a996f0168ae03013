/**
 * `npm run bench`: how fast and how flat, as ratios. Each figure stands against a floor that is measured in the same run;
 * medians of three runs. `npm run bench -- NAME ...` takes only some, `--scale 0.1 --runs 1` a tenth of the size, once.
 * `--check` compares with `docs/how-far-it-goes.md` and ends with 1 where something is a tenth worse; `--write` puts the figures there.
 * `BENCH_FLEET=growing npm run bench -- fleet` has a shared run of 100,000, a million and ten million rows, or of
 * `BENCH_FLEET_ROWS=10000,100000` rows that workers carry for `BENCH_FLEET_SECONDS=30`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deep } from './deep.ts';
import { download } from './download.ts';
import { endToEnd } from './end-to-end.ts';
import { exports } from './exports.ts';
import { fleet } from './fleet.ts';
import { growth } from './growth.ts';

import { ingest } from './ingest.ts';
import { worseThanPage, writeFigures } from './page.ts';
import { reports } from './reports.ts';
import { resume } from './resume.ts';
import { start } from './start.ts';
import { sweep } from './sweep.ts';
import { type Bench, type Figure, renderHead, renderLine } from './table.ts';
import { workbooks } from './workbooks.ts';

/** Those of a whole run, in the order of a user's day; `growth` and `fleet` are run by their names. */
const usual: Readonly<Record<string, Bench>> = {
  start,
  ingest,
  workbooks,
  resume,
  sweep,
  'end-to-end': endToEnd,
  download,
  reports,
  deep,
  export: exports,
};
const benches: Readonly<Record<string, Bench>> = { ...usual, growth, fleet };

const { values, positionals } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    runs: { type: 'string', default: '3' },
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : Object.keys(usual);
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined)
  throw new Error(`no benchmark ${unknown}; there are ${Object.keys(benches).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'batch-bench-'));
const setting = { folder, scale: Number(values.scale), runs: Number(values.runs) };
const say = (text: string): void => void process.stdout.write(`${text}\n`);
say(renderHead());
const figures: Figure[] = [];
try {
  for (const name of names) {
    process.stderr.write(`${name} ...\n`);
    for (const figure of (await benches[name]?.(setting)) ?? []) {
      figures.push(figure);
      say(renderLine(figure));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.write) writeFigures(figures);
const worse = values.check ? worseThanPage(figures) : [];
for (const line of worse) say(line);
process.exitCode = worse.length > 0 ? 1 : 0;
