/** Writes the result of each question, as files for people and programs. */

import type { OutputTree, PageAssets } from '../ports.ts';
import type { Checkpoint, ReportRow } from '../store.ts';
import { reportColumns, reportLine } from './columns.ts';
import { byteOrderMark, renderCsv } from './csv-text.ts';
import { createFailedTable, type FailedColumn } from './failed-table.ts';
import { renderJsonLines } from './json-lines.ts';
import { addTotals, noTotals, type PageFacts, pageHeading, renderPageHead, renderPageTail } from './page.ts';
import { createPageBody } from './page-body.ts';
import { createImageLinks } from './page-row.ts';

/** What the reports say about themselves, and the parts of the page. */
export interface ReportFacts extends PageFacts {
  readonly assets: PageAssets;
}

/**
 * Writes `report.csv`, `report.jsonl`, `report.html` and `failed.csv` in one pass over the rows, in constant memory.
 * Each is replaced whole. When the signal aborts, it rejects with the signal's reason and leaves the old reports.
 */
export async function writeReports(
  checkpoint: Pick<Checkpoint, 'reportRows'>,
  tree: Pick<OutputTree, 'createReport'>,
  facts: ReportFacts,
  signal?: AbortSignal,
): Promise<void> {
  const columns = await writeAll(checkpoint, tree, facts, signal);
  if (columns !== null) await writeFailed(checkpoint, tree, columns, signal);
}

/**
 * Returns null when everything is written. Where a second source added a column after the header of `failed.csv` was
 * written, that file is left unchanged and the columns it needs are returned.
 */
async function writeAll(
  checkpoint: Pick<Checkpoint, 'reportRows'>,
  tree: Pick<OutputTree, 'createReport'>,
  facts: ReportFacts,
  signal: AbortSignal | undefined,
): Promise<readonly FailedColumn[] | null> {
  await using csv = await tree.createReport('report.csv');
  await using jsonl = await tree.createReport('report.jsonl');
  await using html = await tree.createReport('report.html');
  await using failed = await tree.createReport('failed.csv');
  const table = createFailedTable();
  const page = createPageBody(createImageLinks(facts.folder));
  let totals = noTotals;

  await csv.write(byteOrderMark + renderCsv([reportColumns]));
  await html.write(renderPageHead(facts.assets));
  for await (const batch of inBatches(checkpoint.reportRows(), signal)) {
    const lines = batch.map(reportLine);
    await csv.write(renderCsv(lines.map((line) => reportColumns.map((column) => line[column]))));
    await jsonl.write(renderJsonLines(batch, lines));
    await html.write(page.render(batch, lines));
    await failed.write(table.render(batch));
    totals = addTotals(totals, lines, batch);
  }
  const heading = pageHeading(facts, totals, false, page.leftOut);
  await html.write(renderPageTail(facts.assets, heading, page.withMath));
  await failed.write(table.end());

  await csv.commit();
  await jsonl.commit();
  await html.commit();
  if (!table.isWhole) return table.columns;
  await failed.commit();
  return null;
}

async function writeFailed(
  checkpoint: Pick<Checkpoint, 'reportRows'>,
  tree: Pick<OutputTree, 'createReport'>,
  columns: readonly FailedColumn[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await using failed = await tree.createReport('failed.csv');
  const table = createFailedTable(columns);
  for await (const batch of inBatches(checkpoint.reportRows(), signal))
    await failed.write(table.render(batch));
  await failed.write(table.end());
  await failed.commit();
}

/** Characters of input held at once, which is about the size of one write. */
const batchLength = 64 * 1024;

/** What a row adds to the reports besides its input, roughly. */
const rowLength = 256;

/**
 * Few large rows or many small ones. Between two batches the event loop runs: polls and signals do not wait for a
 * report.
 */
export async function* inBatches(
  rows: AsyncIterable<ReportRow>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ReportRow[]> {
  let batch: ReportRow[] = [];
  let length = 0;
  for await (const row of rows) {
    signal?.throwIfAborted();
    batch.push(row);
    length += rowLength + lengthOf(row);
    if (length < batchLength) continue;
    yield batch;
    batch = [];
    length = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (batch.length > 0) yield batch;
}

/** Length of the row as it was read; pictures make some rows a thousand times longer than others. */
function lengthOf({ input }: ReportRow): number {
  let length = 0;
  for (const value of Object.values(input)) {
    length += typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
  }
  return length;
}
