/** Writes the manifest and the checksums of an export while its files are placed, and deals with those of earlier exports. */

import { join } from 'node:path';
import type { ExportFolder } from '../adapters/file-output-tree/export-folder.ts';
import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Source } from '../core/question.ts';
import { UsageError } from '../errors.ts';
import type { ReportFile } from '../ports.ts';
import {
  type ManifestEntry,
  manifestHead,
  renderChecksum,
  renderManifestLine,
  renderManifestRows,
  shownColumns,
} from '../report/manifest.ts';
import { inBatches } from '../report/write-report.ts';
import type { ReportRow } from '../store.ts';
import { type EarlierExport, linesOf, manifestNames } from './export-ledger.ts';
import type { ExportNews, ExportPlacing } from './export-placing.ts';

/** The files of earlier exports. */
export interface RestSums {
  readonly removed: number;
  readonly left: number;
}

/** One export. */
export interface Manifests {
  readonly folder: ExportFolder;
  readonly earlier: EarlierExport;
  readonly placing: ExportPlacing;
  readonly rows: AsyncIterable<ReportRow>;
  readonly deletes: boolean;
  told(news: ExportNews): void;
}

/** Lines of the manifest that become one piece of the table. */
const pieceLines = 500;

/** Places the files of all chosen rows and writes what they are; the three files are replaced at the end, whole. */
export async function writeManifests(manifests: Manifests): Promise<RestSums> {
  const { folder, placing, rows } = manifests;
  const tree = await openFileOutputTree(folder.work, systemClock.now);
  await using jsonl = await tree.createReport(manifestNames.jsonl);
  await using sums = await tree.createReport(manifestNames.sums);
  const sources = new Set<Source>();
  for await (const batch of inBatches(rows, undefined)) {
    const placed = await placing.place(batch);
    for (const { row, entry, files } of placed) {
      sources.add(row.source);
      await jsonl.write(renderManifestLine(entry));
      for (const file of files) await sums.write(renderChecksum(file));
    }
  }
  const rest = await keepOrRemove(manifests, sums);
  await folder.sync();
  await sums.commit();
  await jsonl.commit();
  await using csv = await tree.createReport(manifestNames.csv);
  await writeTable(csv, join(folder.work, manifestNames.jsonl), [...sources]);
  await csv.commit();
  // A killed export is known by its journal, so the order of these does not matter.
  for (const name of Object.values(manifestNames)) await folder.publish(name);
  return rest;
}

/** Removes the files that this export does not have, or lists them among the checksums. */
async function keepOrRemove(
  { folder, earlier, placing, deletes, told }: Manifests,
  sums: ReportFile,
): Promise<RestSums> {
  if (deletes && placing.sums.videos === 0 && !placing.isLacking)
    throw new UsageError('no video is exported, so --delete would remove all; nothing was removed');
  let removed = 0;
  let left = 0;
  for await (const file of earlier.leftovers(placing.paths)) {
    if (deletes && !placing.isLacking) {
      if (await folder.remove(file.path, file.sha256)) removed += 1;
      else told({ why: 'changed', path: file.path });
      continue;
    }
    left += 1;
    await sums.write(renderChecksum(file));
  }
  return { removed, left };
}

/** The table has the columns of all files of the run, which are known at the end. */
async function writeTable(csv: ReportFile, lines: string, sources: readonly Source[]): Promise<void> {
  const columns = [...new Set(sources.flatMap(shownColumns))];
  await csv.write(manifestHead(columns));
  let entries: ManifestEntry[] = [];
  const write = async (): Promise<void> => {
    if (entries.length > 0) await csv.write(renderManifestRows(entries, columns));
    entries = [];
  };
  for await (const line of linesOf(lines)) {
    entries.push(JSON.parse(line));
    if (entries.length === pieceLines) await write();
  }
  await write();
}
