/** Writes the manifest and the checksums of an export while its files are placed, and deals with those of earlier exports. */

import { join } from 'node:path';
import type { ExportFolder } from '../adapters/file-output-tree/export-folder.ts';
import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { mostOwnColumns } from '../core/own-columns.ts';
import type { Source } from '../core/question.ts';
import { UsageError } from '../errors.ts';
import type { OutputTree, ReportFile } from '../ports.ts';
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
import { type EarlierExport, linesOf, manifestNames, printOf } from './export-ledger.ts';
import type { ExportNews, ExportPlacing, PlacedRow } from './export-placing.ts';

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
  await using csv = await tree.createReport(manifestNames.csv);
  const table = new ManifestTable(csv);
  for await (const batch of inBatches(rows, undefined)) {
    const placed = await placing.place(batch);
    await table.add(placed);
    await jsonl.write(placed.map(({ entry }) => renderManifestLine(entry)).join(''));
    await sums.write(placed.flatMap(({ files }) => files.map(renderChecksum)).join(''));
  }
  const rest = await keepOrRemove(manifests, sums);
  await folder.sync();
  await sums.commit();
  await jsonl.commit();
  if (table.isWhole) await table.end();
  else await writeTableAnew(tree, join(folder.work, manifestNames.jsonl), table.columns);
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
  const removes = deletes && !placing.isLacking;
  for await (const file of earlier.leftovers(placing.paths)) {
    if (!file.isThere) {
      // An export that was killed may have removed the file and not yet its folder.
      if (removes) folder.prune(file.path);
      continue;
    }
    const isLast = placing.lost.has(printOf(file.sha256));
    if (removes && !isLast) {
      if (await folder.remove(file.path, file.sha256)) removed += 1;
      else {
        told({ why: 'changed', path: file.path });
        placing.problems += 1;
      }
      continue;
    }
    if (removes) {
      told({ why: 'last-copy', path: file.path });
      placing.problems += 1;
    }
    left += 1;
    await sums.write(renderChecksum(file));
  }
  return { removed, left };
}

/** `manifest.csv`, as long as the rows have only the columns of the first ones. */
class ManifestTable {
  readonly #file: ReportFile;
  readonly #sources = new Set<Source>();
  #head: readonly string[] | null = null;
  #columns: readonly string[] = [];

  constructor(file: ReportFile) {
    this.#file = file;
  }

  /** The columns of the input that the table must have. */
  get columns(): readonly string[] {
    return this.#columns;
  }

  /** False once a second file of the run has added a column: the head is written by then. */
  get isWhole(): boolean {
    return this.#head === null || this.#head.length === this.#columns.length;
  }

  async add(placed: readonly PlacedRow[]): Promise<void> {
    for (const { row } of placed)
      if (!this.#sources.has(row.source)) {
        this.#sources.add(row.source);
        const columns = new Set([...this.#columns, ...shownColumns(row.source)]);
        this.#columns = [...columns].slice(0, mostOwnColumns);
      }
    if (placed.length === 0 || !this.isWhole) return;
    if (this.#head === null) await this.#begin();
    const entries = placed.map(({ entry }) => entry);
    await this.#file.write(renderManifestRows(entries, this.#columns));
  }

  async end(): Promise<void> {
    if (this.#head === null) await this.#begin();
    await this.#file.commit();
  }

  async #begin(): Promise<void> {
    this.#head = this.#columns;
    await this.#file.write(manifestHead(this.#columns));
  }
}

async function writeTableAnew(
  tree: Pick<OutputTree, 'createReport'>,
  lines: string,
  columns: readonly string[],
): Promise<void> {
  await using csv = await tree.createReport(manifestNames.csv);
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
  await csv.commit();
}
