/** `report.csv` alone, out of the same steps that write it beside the others: `FOLDER`. */

import { resolve } from 'node:path';
import { openFileOutputTree } from '../src/adapters/file-output-tree.ts';
import { lookIntoFolder } from '../src/app/output-folder.ts';
import { reportLine } from '../src/report/columns.ts';
import { byteOrderMark, renderCsv } from '../src/report/csv-text.ts';
import { createReportTable } from '../src/report/report-table.ts';
import { inBatches } from '../src/report/write-report.ts';
import { report } from './reporting.ts';

const out = resolve(process.argv[2] ?? '');
await using store = await lookIntoFolder(out);
const tree = await openFileOutputTree(out, Date.now);
const startedAt = performance.now();
await using csv = await tree.createReport('report.csv');
const table = createReportTable(await store.checkpoint.sources());
await csv.write(byteOrderMark + renderCsv([table.header]));
for await (const batch of inBatches(store.checkpoint.reportRows(), undefined)) {
  await csv.write(renderCsv(table.cells(batch, batch.map(reportLine))));
}
await csv.commit();
report('ms', performance.now() - startedAt);
