/** Writes the result of each question, as files for people and programs. */

import { BatchError, FileInUseError } from '../errors.ts';
import { failureColumn, keyColumn } from '../input/columns/own-columns.ts';
import { type Message, message } from '../messages/message.ts';
import type { Source } from '../money/question.ts';
import type { WireMark } from '../money/review/review-wire.ts';
import type { OutputTree, PageAssets, ReportFile } from '../ports.ts';
import type { Checkpoint } from '../stores/port/checkpoint.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import { reportLine } from './columns.ts';
import { byteOrderMark, renderCsv } from './csv-text.ts';
import { createFailedTable, type FailedRow, type FailedTable, isInFailedTable } from './failed-table.ts';
import { mostFailedRows, renderFailedWorkbook } from './failed-workbook.ts';
import { renderJsonLines } from './json-lines.ts';
import { addTotals, noTotals, type PageFacts, pageHeading, renderPageHead, renderPageTail } from './page.ts';
import { createPageBody } from './page-body.ts';
import {
  createImageLinks,
  createOwnCells,
  type HasFile,
  linkPictures,
  type PictureLink,
} from './page-row.ts';
import { createReportTable } from './report-table.ts';
import { ReportWorkbook } from './report-workbook.ts';

/** What the reports say about themselves, and the parts of the page. */
export interface ReportFacts extends PageFacts {
  readonly assets: PageAssets;
  /** Where links to files lead that are not next to the page; null or absent where all are. */
  readonly fileOrigin?: string | null;
  /** Reads a picture that the run keeps; without it no `failed.xlsx` is written. */
  readonly readPicture?: (sha256: string) => Promise<Uint8Array>;
  /** `report.xlsx` is written too. */
  readonly wantsWorkbook?: boolean;
  /** Marks saved with the run; absent for none. */
  readonly marks?: () => Promise<readonly WireMark[]>;
  /** Finds captions next to videos; without it there are none. */
  readonly hasFile?: HasFile;
  /** Finds where the pictures of these rows are; without it they are where the input names them. */
  readonly findPictures?: (rows: readonly ReportRow[]) => Promise<PictureLink>;
}

/** The files that `writeReports` may write. */
export function reportNames(
  sources: readonly Pick<Source, 'format'>[],
  { wantsWorkbook }: Pick<ReportFacts, 'wantsWorkbook'>,
): readonly string[] {
  const books = [...(wantsWorkbook ? ['report.xlsx'] : []), ...(isWorkbook(sources) ? ['failed.xlsx'] : [])];
  return ['report.csv', 'report.jsonl', 'report.html', 'failed.csv', ...books];
}

/** Also where rows came from another file since, such as `failed.csv`: a workbook of earlier failures must not stay. */
function isWorkbook(sources: readonly Pick<Source, 'format'>[]): boolean {
  return sources.some(({ format }) => format === 'xlsx');
}

/** A report that another program has open. */
export interface ReportInUse {
  readonly name: string;
  /** Where the new one lies instead; null while the run continues, which writes it again. */
  readonly copyPath: string | null;
}

/** What is said of it. */
export function inUseText(report: ReportInUse): Message {
  return message('reports.in-use', report);
}

/** What is reported. */
export type Reported = Pick<Checkpoint, 'reportPages' | 'sources'>;

/**
 * Writes `report.csv`, `report.jsonl`, `report.html` and `failed.csv` in one pass over the rows, in constant memory; and
 * `failed.xlsx` where the input was a workbook and few rows ended badly; and `report.xlsx` where it is wanted.
 * Each is replaced whole; those that another program has open are returned. When the signal aborts, it rejects with the
 * signal's reason and leaves the old reports.
 */
export async function writeReports(
  checkpoint: Reported,
  tree: Pick<OutputTree, 'createReport'>,
  facts: ReportFacts,
  signal?: AbortSignal,
): Promise<readonly ReportInUse[]> {
  const inUse: ReportInUse[] = [];
  const place = async (name: string, file: ReportFile): Promise<void> => {
    try {
      await file.commit();
    } catch (error) {
      if (!(error instanceof FileInUseError)) throw error;
      inUse.push({ name, copyPath: facts.running ? null : await file.commitNextTo() });
    }
  };
  const first = await writeAll(checkpoint, { tree, place }, facts, signal);
  if (first !== null) await writeFailed(checkpoint, { tree, place }, first, signal);
  return inUse;
}

/** Where reports go. */
interface Reports {
  readonly tree: Pick<OutputTree, 'createReport'>;
  /** Gives a whole report its name. */
  readonly place: (name: string, file: ReportFile) => Promise<void>;
}

/**
 * Returns null when everything is written. Where a second source added a column after the header of `failed.csv` was
 * written, that file is left unchanged and its table is returned with all the columns that it needs.
 */
async function writeAll(
  checkpoint: Reported,
  { tree, place }: Reports,
  facts: ReportFacts,
  signal: AbortSignal | undefined,
): Promise<FailedTable | null> {
  await using csv = await tree.createReport('report.csv');
  await using jsonl = await tree.createReport('report.jsonl');
  await using html = await tree.createReport('report.html');
  await using failed = await tree.createReport('failed.csv');
  await using xlsx = facts.wantsWorkbook === true ? await tree.createReport('report.xlsx') : null;
  const sources = await checkpoint.sources();
  const ends = { failure: failureColumn(sources), key: keyColumn(sources), run: facts.run };
  const whole = createReportTable(sources, facts.run);
  const book = xlsx === null ? null : new ReportWorkbook(whole.header, (bytes) => xlsx.write(bytes));
  const table = createFailedTable(ends, [], sources[0]?.folder);
  let linkOf = linkPictures(facts.folder);
  const own = createOwnCells();
  const page = createPageBody(
    createImageLinks((image) => linkOf(image)),
    { hasFile: facts.hasFile, own },
  );
  let totals = noTotals;
  const wantsFailedWorkbook = isWorkbook(sources);
  const badRows: FailedRow[] = [];

  await csv.write(byteOrderMark + renderCsv([whole.header]));
  await html.write(renderPageHead(facts.assets, false, facts.fileOrigin ?? null));
  for await (const batch of inBatches(checkpoint.reportPages(), signal)) {
    const lines = batch.map(reportLine);
    const cells = whole.cells(batch, lines);
    await csv.write(renderCsv(cells));
    await jsonl.write(renderJsonLines(batch, lines, facts.run));
    linkOf = (await facts.findPictures?.(batch)) ?? linkOf;
    await html.write(page.render(batch, lines));
    await failed.write(table.render(batch));
    await book?.add(cells);
    if (wantsFailedWorkbook && badRows.length <= mostFailedRows)
      badRows.push(...batch.filter(isInFailedTable));
    totals = addTotals(totals, lines, batch);
  }
  const heading = { ...pageHeading(facts, totals, false, page.leftOut), columns: own.columns };
  await html.write(renderPageTail(facts.assets, heading, page.withMath, await facts.marks?.()));
  await failed.write(table.end());
  await book?.end();

  await place('report.csv', csv);
  await place('report.jsonl', jsonl);
  await place('report.html', html);
  if (xlsx !== null) await place('report.xlsx', xlsx);
  // It reads and writes every picture, so once, at the end.
  if (wantsFailedWorkbook && !facts.running && facts.readPicture !== undefined)
    await writeWorkbook({ tree, place }, table, badRows, facts.readPicture);
  if (!table.isWhole) return table;
  await place('failed.csv', failed);
  return null;
}

/** `failed.csv` has the same rows: where the workbook cannot be written, an old one must not stay. */
async function writeWorkbook(
  { tree, place }: Reports,
  failed: FailedTable,
  rows: readonly FailedRow[],
  readPicture: NonNullable<ReportFacts['readPicture']>,
): Promise<void> {
  const { header } = failed;
  const write = async (pieces: AsyncIterable<Uint8Array> | null): Promise<void> => {
    await using file = await tree.createReport('failed.xlsx');
    for await (const bytes of pieces ?? []) await file.write(bytes);
    await place('failed.xlsx', file);
  };
  const empty = renderFailedWorkbook([header], readPicture);
  try {
    await write(renderFailedWorkbook([header, ...rows.map(failed.cells)], readPicture) ?? empty);
  } catch (error) {
    if (error instanceof BatchError) throw error;
    // A picture is gone. A row without it must not be fed back.
    await write(empty);
  }
}

async function writeFailed(
  checkpoint: Reported,
  { tree, place }: Reports,
  first: FailedTable,
  signal: AbortSignal | undefined,
): Promise<void> {
  await using failed = await tree.createReport('failed.csv');
  const [source] = await checkpoint.sources();
  const table = createFailedTable(first.ends, first.columns, source?.folder);
  for await (const batch of inBatches(checkpoint.reportPages(), signal))
    await failed.write(table.render(batch));
  await failed.write(table.end());
  await place('failed.csv', failed);
}

/** Characters of input kept at once, which is about the size of one write. */
const batchLength = 64 * 1024;

/** What a row adds to the reports besides its input, roughly. */
const rowLength = 256;

/**
 * Few large rows or many small ones. Between two batches the event loop runs: polls and signals do not wait for a
 * report.
 */
export async function* inBatches(
  pages: AsyncIterable<readonly ReportRow[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ReportRow[]> {
  let batch: ReportRow[] = [];
  let length = 0;
  for await (const page of pages) {
    signal?.throwIfAborted();
    for (const row of page) {
      batch.push(row);
      length += rowLength + lengthOf(row);
      if (length < batchLength) continue;
      yield batch;
      batch = [];
      length = 0;
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
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
