/** `report.csv` of a checkpoint by the program's own statements, and how long it keeps the event loop: `FOLDER`. */

import { resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { lookIntoRun } from '../src/app/open-run.ts';
import { readInvocation } from '../src/app/options/settings.ts';
import { reportFacts } from '../src/app/report-facts.ts';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { openFileOutputTree } from '../src/outputs/file-output-tree.ts';
import { writeReports } from '../src/reports/write-report.ts';
import { report } from './reporting.ts';

limitNewSpace();

const out = resolve(process.argv[2] ?? '');
await using run = await lookIntoRun(readInvocation({}, { out, dotEnv: false }));
const tree = await openFileOutputTree(out, Date.now);
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const startedAt = performance.now();
const facts = await reportFacts(run, false);
await writeReports(run.store.checkpoint, tree, facts);
report('ms', performance.now() - startedAt);
report('longestMs', delay.max / 1e6);
