/**
 * Puts the videos of a run into a folder under names of the user's choice, with a manifest. Only reads the run.
 *
 * (1) The folder belongs to one run. (2) Everything is decided, and listed in `SHA256SUMS`, before it is put there: an export that
 * was killed knows its own files. (3) Nothing is replaced or removed but what is listed with its bytes, or has those of a video of
 * the run. (4) The manifests are replaced when all files are there.
 */

import { join } from 'node:path';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import { placeOf } from '../../app/open-run.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import { readRunId } from '../../app/run-id.ts';
import { systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { type ExportManner, openExportFolder } from '../../outputs/export-folder.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';
import type { OnProgress } from '../../stores/counted.ts';
import { exportPlace } from './export-destination.ts';
import { readListed } from './export-listed.ts';
import { lockExport } from './export-lock.ts';
import { type ManifestSums, writeManifests } from './export-manifests.ts';
import type { ExportNews } from './export-news.ts';
import { ExportPlacing, type PlacedSums } from './export-placing.ts';
import { planExport } from './export-plan.ts';
import { readExportRows } from './export-rows.ts';
import { openExportSources } from './export-sources.ts';
import { readTemplate } from './export-template.ts';
import { readChapterColumn } from './page/chapter-column.ts';
import { pagePath } from './page/page-parts.ts';
import type { PageRequest } from './page/page-request.ts';
import { PageViews, type ViewOptions } from './page/page-views.ts';

/** What to export, and how. */
export interface ExportRequest {
  /** The folder, as the user wrote it. */
  readonly to: string;
  /** `--name`. */
  readonly name: string;
  /** `--only`. */
  readonly only: readonly string[];
  readonly manner: ExportManner;
  /** Removes what earlier exports put there and this one does not. */
  readonly deletes: boolean;
  /** Gives the address that a file of the export will have; null where it will have none. */
  readonly addressOf: ((path: string) => string) | null;
  /** Null for none. */
  readonly page: PageRequest | null;
  /** Receives each row that is not exported as it was asked for. */
  report(news: ExportNews): void;
  /** Receives how many rows are done. */
  readonly onProgress: OnProgress;
  /** Receives notes about the files in `only`. */
  say(note: Message): void;
}

/** What an export did, in numbers of files. */
export interface ExportSums extends PlacedSums, ManifestSums {
  /** Rows that were asked for and are not there as they should be. */
  readonly problems: number;
}

/** Exports the videos. Throws `UsageError`, `DiskError`, and `HeldError` while another export writes there. */
export async function exportVideos(opened: SeenRun, request: ExportRequest): Promise<ExportSums> {
  const { store, invocation } = opened;
  const { report, deletes, manner, addressOf, to: shown } = request;
  const out = exportPlace(shown, invocation.out);
  if (manner === 'link' && isBucketAddress(invocation.out))
    throw new UsageError(message('export.link-from-bucket'));
  const template = await readTemplate(request.name, store.checkpoint);
  await using page = request.page === null ? null : await openPage(opened, request.page);
  const { choice, unknown, notes } = await readExportRows(request.only, store, invocation.out);
  for (const note of notes) request.say(note);
  for (const id of unknown) report({ why: 'unknown', id });
  const folder = await openExportFolder(out, { manner, now: systemClock.now });
  await using _ = lockExport(folder.work, shown);
  // A run without an id has made no video yet.
  const run = (await readRunId(store.settings)) ?? 'new';
  const listed = await readListed(folder, shown, run);
  if (page !== null && !listed.hasPath(pagePath) && !folder.isFree(pagePath))
    throw new UsageError(message('export.file-in-the-way', { path: join(shown, pagePath) }));
  await folder.work.clear();
  const tree = await openFileOutputTree(folder.work.path, systemClock.now);
  using sources = await openExportSources(opened);
  const place = { folder, tree, sources, listed, run, shown, report };
  const pages = store.checkpoint.reportPages();
  const views = page === null ? null : new PageViews({ ...place, ...page, addressOf });
  const plan = await planExport(pages, { ...place, template, choice, deletes, addressOf, views });
  const placing = new ExportPlacing({ ...place, plan, onProgress: request.onProgress });
  const rest = await writeManifests({ ...place, plan, placing, deletes, hasUrls: addressOf !== null, page });
  return { ...placing.sums, ...rest, problems: plan.problems + placing.problems + unknown.length };
}

/** Opens what the page is made from. Throws `UsageError` where no file of the run has the column of chapters. */
async function openPage(opened: SeenRun, request: PageRequest): Promise<OpenPage> {
  const column =
    request.chapters === null ? null : await readChapterColumn(request.chapters, opened.store.checkpoint);
  const place = await placeOf(opened.invocation);
  const { title = opened.invocation.outShown } = await place.facts(opened);
  const outputs = await place.openShown(opened);
  return {
    ...request,
    column,
    title: request.title ?? withoutEnding(title),
    images: outputs.images,
    [Symbol.asyncDispose]: () => outputs[Symbol.asyncDispose](),
  };
}

interface OpenPage extends PageRequest, AsyncDisposable, Pick<ViewOptions, 'column' | 'images'> {
  readonly title: string;
}

/** The name of a file as a title. */
function withoutEnding(name: string): string {
  return name.replace(/(?<=.)\.(?:csv|tsv|txt|jsonl|xlsx|xlsm|parquet)$/i, '');
}
