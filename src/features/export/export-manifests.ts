/** Places the files of an export and writes what they are. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { OutputTree } from '../../ports.ts';
import { manifestHead, renderManifestLine, renderManifestRows } from '../../reports/manifest.ts';
import { ChecksumsFile } from './export-checksums.ts';
import { keepOrRemove, type LeftoverOptions, type RestSums } from './export-leftovers.ts';
import { manifestNames } from './export-listed.ts';
import type { ExportPlan } from './export-plan.ts';
import { PageFile, type PageFileOptions } from './page/page-file.ts';

/** One export. */
export interface Manifests extends LeftoverOptions {
  readonly plan: ExportPlan;
  /** The work folder. */
  readonly tree: Pick<OutputTree, 'createReport'>;
  readonly run: string;
  /** True where the files have addresses. */
  readonly hasUrls: boolean;
  /** Null where the export has no page. */
  readonly page: PageFileOptions | null;
}

/** What came of the files beside the videos. */
export interface ManifestSums extends RestSums {
  /** Path of the page; absent where there is none. */
  readonly page?: string;
}

/** The three files are replaced at the end, whole. */
export async function writeManifests(manifests: Manifests): Promise<ManifestSums> {
  const { folder, tree, plan, placing, run, deletes, hasUrls } = manifests;
  await using page = manifests.page === null ? null : await PageFile.begin(manifests.page, tree);
  await using jsonl = await tree.createReport(manifestNames.jsonl);
  await using list = await tree.createReport(manifestNames.sums);
  await using csv = await tree.createReport(manifestNames.csv);
  const sums = new ChecksumsFile(list, run);
  await csv.write(manifestHead(plan.columns, hasUrls));
  for await (const rows of plan.rows()) {
    await sums.write(await placing.placeParts(rows.flatMap(({ view }) => view?.pictures ?? [])));
    const placed = await placing.place(rows);
    const entries = placed.map(({ entry }) => entry);
    await csv.write(renderManifestRows(entries, plan.columns, hasUrls));
    await jsonl.write(entries.map(renderManifestLine).join(''));
    await sums.write(placed.flatMap(({ files }) => files));
    await page?.add(placed);
  }
  if (deletes && placing.sums.videos === 0 && !placing.isLacking)
    throw new UsageError(message('export.nothing'));
  const placedPage = (await page?.place(manifests)) ?? null;
  if (placedPage !== null) await sums.write([placedPage]);
  const rest = await keepOrRemove(manifests, (file) => sums.write([file]));
  await folder.sync();
  for (const report of [list, jsonl, csv]) await report.commit();
  // The checksums first: they list what is only in the earlier manifest.
  for (const name of ['sums', 'jsonl', 'csv'] as const) await folder.publish(manifestNames[name]);
  return placedPage === null ? rest : { ...rest, page: placedPage.path };
}
