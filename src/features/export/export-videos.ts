/**
 * Puts the videos of a run into a folder under names of the user's choice, with a manifest. Only reads the run.
 *
 * (1) A file is noted in the journal before it is put there, so that an export that was killed knows its own files. (2)
 * The manifest and the checksums are replaced when all files are there. (3) Nothing is replaced or removed but what an
 * export of the same run put there and nobody changed since: each file belongs to the id of a run, which is in the
 * manifest, or above it among the checksums.
 */

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import { realPath } from '../../app/files/own-files.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import { readRunId } from '../../app/run-id.ts';
import { holdLocalFolder } from '../../app/stores.ts';
import { systemClock } from '../../app/system-clock.ts';
import { HeldError, UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { type ExportFolder, type ExportManner, openExportFolder } from '../../outputs/export-folder.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import { readEarlierExport } from './export-ledger.ts';
import { type RestSums, writeManifests } from './export-manifests.ts';
import { type ExportNews, ExportPlacing, type PlacedSums, refuseCollisions } from './export-placing.ts';
import { readExportRows } from './export-rows.ts';
import { openExportSources } from './export-sources.ts';
import { readTemplate } from './export-template.ts';

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
  /** Hears of each row that is not exported as it was asked for. */
  told(news: ExportNews): void;
  /** Hears what there is to say of the files in `only`. */
  say(note: Message): void;
}

/** What an export did, in numbers of files. */
export interface ExportSums extends PlacedSums, RestSums {
  /** Rows that were asked for and are not there as they should be. */
  readonly problems: number;
}

/** Exports the videos. Throws `UsageError`, `DiskError`, and `HeldError` while another export writes there. */
export async function exportVideos(opened: SeenRun, request: ExportRequest): Promise<ExportSums> {
  const { store, invocation } = opened;
  const { told, deletes, manner } = request;
  const out = exportPlace(request.to, invocation.out);
  if (manner === 'link' && isBucketAddress(invocation.out))
    throw new UsageError(message('export.link-from-bucket'));
  const template = await readTemplate(request.name, store.checkpoint);
  const { choice, unknown, notes } = await readExportRows(request.only, store, invocation.out);
  for (const note of notes) request.say(note);
  for (const id of unknown) told({ why: 'unknown', id });
  const folder = await openExportFolder(out, { manner, now: systemClock.now });
  const lock = holdWork(folder, request.to);
  let isDone = false;
  try {
    // A run without an id has made no video yet.
    const id = (await readRunId(store.settings)) ?? 'new';
    const rows = (): AsyncIterable<ReportRow> => store.checkpoint.reportRows();
    const earlier = await readEarlierExport(folder, request.to, id);
    await folder.clearWork();
    using sources = await openExportSources(opened);
    const options = { folder, sources, earlier, template, choice, deletes, told, shown: request.to };
    await refuseCollisions(rows(), options);
    const placing = new ExportPlacing(options);
    const rest = await writeManifests({ folder, earlier, placing, rows: rows(), deletes, told });
    isDone = true;
    return { ...placing.sums, ...rest, problems: placing.problems + unknown.length };
  } finally {
    await folder.removeWork(isDone, lock);
  }
}

const lockTries = 10;

/** Other exports into the same folder have to wait: they would remove each other's unfinished files. */
function holdWork(folder: ExportFolder, shown: string): Disposable {
  for (let tries = 1; ; tries += 1) {
    const before = folder.lockNumber();
    try {
      const lock = holdLocalFolder(folder.work);
      // An export that ends removes its lock: whoever had opened that one before holds a file without a name.
      if (folder.lockNumber() === before) return lock;
      lock[Symbol.dispose]();
    } catch (error) {
      if (error instanceof HeldError) throw new HeldError(message('folder.held', { folder: shown }), error);
      // One that ended just now may have removed the folder as well.
      if (tries === lockTries) throw error;
    }
  }
}

/** The folder as an absolute path. Throws `UsageError` where it and the outputs of the run lie in one another. */
function exportPlace(to: string, out: string): string {
  if (isBucketAddress(to)) throw new UsageError(message('export.to-bucket'));
  const place = resolve(to);
  if (isBucketAddress(out)) return place;
  const [there, here] = [realPath(place), realPath(out)];
  if (isWithin(there, here) || isWithin(here, there))
    throw new UsageError(message('export.within', { path: to }));
  return place;
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
