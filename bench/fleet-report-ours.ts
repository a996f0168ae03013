/** `report.csv` of a run in PostgreSQL, out of the same steps that write it beside the others: `FOLDER URL RUN`. */

import { limitNewSpace } from '../src/cli/new-space.ts';
import { openFileOutputTree } from '../src/outputs/file-output-tree.ts';
import { reportLine } from '../src/reports/columns.ts';
import { byteOrderMark, renderCsv } from '../src/reports/csv-text.ts';
import { createReportTable } from '../src/reports/report-table.ts';
import { inBatches } from '../src/reports/write-report.ts';
import { placeAt } from './fleet-store.ts';
import { report } from './reporting.ts';

limitNewSpace();

const [out = '', url = '', run = ''] = process.argv.slice(2);
await using store = await placeAt(url, run).look();
if (store === null) throw new Error(`no run ${run}`);
const tree = await openFileOutputTree(out, Date.now);
const startedAt = performance.now();
await using csv = await tree.createReport('report.csv');
const table = createReportTable(await store.checkpoint.sources(), 'bench');
await csv.write(byteOrderMark + renderCsv([table.header]));
for await (const batch of inBatches(store.checkpoint.reportPages(), undefined)) {
  await csv.write(renderCsv(table.cells(batch, batch.map(reportLine))));
}
await csv.commit();
report('ms', performance.now() - startedAt);
