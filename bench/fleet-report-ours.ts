/** `report.csv` of a run in PostgreSQL, out of the same steps that write it beside the others: `FOLDER URL RUN`. */

import { openFileOutputTree } from '../src/adapters/file-output-tree.ts';
import { reportColumns, reportLine } from '../src/report/columns.ts';
import { byteOrderMark, renderCsv } from '../src/report/csv-text.ts';
import { inBatches } from '../src/report/write-report.ts';
import { placeAt } from './fleet-store.ts';
import { report } from './reporting.ts';

const [out = '', url = '', run = ''] = process.argv.slice(2);
await using store = await placeAt(url, run).look();
if (store === null) throw new Error(`no run ${run}`);
const tree = await openFileOutputTree(out, Date.now);
const startedAt = performance.now();
await using csv = await tree.createReport('report.csv');
await csv.write(byteOrderMark + renderCsv([reportColumns]));
for await (const batch of inBatches(store.checkpoint.reportRows(), undefined)) {
  const lines = batch.map(reportLine);
  await csv.write(renderCsv(lines.map((line) => reportColumns.map((column) => line[column]))));
}
await csv.commit();
report('ms', performance.now() - startedAt);
