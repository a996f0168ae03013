/** A `report.html` of rows that a test makes, without a run. */

import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openFileOutputTree } from '../../../src/adapters/file-output-tree.ts';
import { pageAssets } from '../../../src/adapters/page-assets.ts';
import { writeReports } from '../../../src/report/write-report.ts';
import type { ReportRow } from '../../../src/store.ts';
import { temporaryFolder } from '../../adapters/temporary-folder.ts';
import { submittedAt } from '../../report/report-rows.ts';

/** A page on disk. */
export interface MadePage extends AsyncDisposable {
  /** The output folder, absolute. */
  readonly out: string;
  /** Address of `report.html`. */
  readonly url: string;
}

type Facts = Parameters<typeof writeReports>[2];

/** Writes the page; each saved video of a row is there, and plays. */
export async function makePage(rows: readonly ReportRow[], facts: Partial<Facts> = {}): Promise<MadePage> {
  const folder = await temporaryFolder();
  const tree = await openFileOutputTree(folder.path, Date.now);
  const reportRows = async function* (): AsyncGenerator<ReportRow> {
    yield* rows;
  };
  const own = { out: './videos', folder: folder.path, run: 'made', writtenAt: submittedAt, running: false };
  await writeReports({ reportRows, sources: async () => [] }, tree, {
    ...own,
    assets: pageAssets(),
    ...facts,
  });
  for (const { path, state } of rows.flatMap(({ item }) => item.artifacts)) {
    if (path === null || state !== 'saved') continue;
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await copyFile(path.endsWith('.png') ? 'samples/clip.png' : 'samples/clip.webm', join(folder.path, path));
  }
  const url = pathToFileURL(join(folder.path, 'report.html')).href;
  return { out: folder.path, url, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}
