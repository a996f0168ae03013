/** A `report.html` of rows that a test makes, without a run. */

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pageAssets } from '../../../src/app/page-assets.ts';
import { openFileOutputTree } from '../../../src/outputs/file-output-tree.ts';
import { reportLine } from '../../../src/reports/columns.ts';
import {
  addTotals,
  noTotals,
  type PageFacts,
  pageHeading,
  renderPageHead,
  renderPageRows,
  renderPageTail,
} from '../../../src/reports/page.ts';
import { pageRow } from '../../../src/reports/page-row.ts';
import { writeReports } from '../../../src/reports/write-report.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { submittedAt } from '../../reports/report-rows.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A page on disk. */
export interface MadePage extends AsyncDisposable {
  /** The output folder, absolute. */
  readonly out: string;
  /** Address of `report.html`. */
  readonly url: string;
}

const factsOf = (folder: string): PageFacts => ({
  out: './videos',
  folder,
  run: 'made',
  writtenAt: submittedAt,
  running: false,
});

/** The page as `batch view` sends it, without the server. */
export async function makeLivePage(
  rows: readonly ReportRow[],
  facts: Partial<PageFacts> = {},
): Promise<MadePage> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'report.html');
  const heading = pageHeading(
    { ...factsOf(folder.path), running: true, ...facts },
    addTotals(noTotals, rows.map(reportLine), rows),
    true,
  );
  const body = renderPageRows(rows.map((row) => pageRow(row, () => null)));
  const assets = pageAssets();
  await writeFile(file, renderPageHead(assets, true) + body + renderPageTail(assets, heading, true));
  return {
    out: folder.path,
    url: pathToFileURL(file).href,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Writes the page; each saved video of a row is there, and plays. */
export async function makePage(
  rows: readonly ReportRow[],
  facts: Partial<PageFacts> = {},
): Promise<MadePage> {
  const folder = await temporaryFolder();
  const tree = await openFileOutputTree(folder.path, Date.now);
  const reportPages = async function* (): AsyncGenerator<readonly ReportRow[]> {
    yield rows;
  };
  const page = { reportPages, sources: async () => [] };
  await writeReports(page, tree, { ...factsOf(folder.path), assets: pageAssets(), ...facts });
  for (const { path, state } of rows.flatMap(({ item }) => item.artifacts)) {
    if (path === null || state !== 'saved') continue;
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await copyFile(path.endsWith('.png') ? 'samples/clip.png' : 'samples/clip.webm', join(folder.path, path));
  }
  const url = pathToFileURL(join(folder.path, 'report.html')).href;
  return { out: folder.path, url, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
