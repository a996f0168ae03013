/** `report.csv` alone, out of the same steps that write it beside the others: `FOLDER`. */

import { resolve } from 'node:path';
import { lookIntoRun } from '../src/app/open-run.ts';
import { readInvocation } from '../src/app/options/settings.ts';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { openFileOutputTree } from '../src/outputs/file-output-tree.ts';
import { reportLine } from '../src/reports/columns.ts';
import { byteOrderMark, renderCsv } from '../src/reports/csv-text.ts';
import { createReportTable } from '../src/reports/report-table.ts';
import { inBatches } from '../src/reports/write-report.ts';
import { report } from './reporting.ts';

limitNewSpace();

const out = resolve(process.argv[2] ?? '');
await using run = await lookIntoRun(readInvocation({}, { out, dotEnv: false }));
const { checkpoint } = run.store;
const tree = await openFileOutputTree(out, Date.now);
const startedAt = performance.now();
await using csv = await tree.createReport('report.csv');
const table = createReportTable(await checkpoint.sources(), 'bench');
await csv.write(byteOrderMark + renderCsv([table.header]));
for await (const batch of inBatches(checkpoint.reportPages(), undefined)) {
  await csv.write(renderCsv(table.cells(batch, batch.map(reportLine))));
}
await csv.commit();
report('ms', performance.now() - startedAt);
