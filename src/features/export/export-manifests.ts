/** Writes the manifest and the checksums of an export while its files are placed, and deals with those of earlier exports. */

import { join } from 'node:path';
import { systemClock } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import { mostOwnColumns } from '../../input/columns/own-columns.ts';
import { message } from '../../messages/message.ts';
import type { Source } from '../../money/question.ts';
import type { ExportFolder } from '../../outputs/export-folder.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';
import type { OutputTree, ReportFile } from '../../ports.ts';
import {
  type Checksum,
  type ManifestEntry,
  manifestHead,
  renderChecksum,
  renderManifestLine,
  renderManifestRows,
  shownColumns,
} from '../../reports/manifest.ts';
import { inBatches } from '../../reports/write-report.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import {
  type EarlierExport,
  isListedBefore,
  type ListedFile,
  linesOf,
  manifestNames,
  nobody,
  printOf,
  renderOwner,
} from './export-ledger.ts';
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

/**
 * Places the files of all chosen rows and writes what they are; the three files are replaced at the end, whole. What they
 * say of other runs stays.
 */
export async function writeManifests(manifests: Manifests): Promise<RestSums> {
  const { folder, earlier, placing, rows } = manifests;
  const tree = await openFileOutputTree(folder.work, systemClock.now);
  await using jsonl = await tree.createReport(manifestNames.jsonl);
  await using sums = await tree.createReport(manifestNames.sums);
  await using csv = await tree.createReport(manifestNames.csv);
  const table = new ManifestTable(csv);
  const [before, after] = [true, false].map((isBefore) =>
    earlier.others.filter((run) => isListedBefore(run, earlier.run) === isBefore),
  );
  await keepOthers(earlier, before ?? [], { jsonl, sums, table });
  for await (const batch of inBatches(rows, undefined)) {
    const placed = await placing.place(batch);
    await table.add(placed);
    await jsonl.write(placed.map(({ entry }) => renderManifestLine(entry)).join(''));
    await sums.write(placed.flatMap(({ files }) => files.map(renderChecksum)).join(''));
  }
  await keepOthers(earlier, after ?? [], { jsonl, sums, table });
  const rest = await keepOrRemove(manifests, sums);
  await folder.sync();
  await sums.commit();
  await jsonl.commit();
  if (table.isWhole) await table.end();
  else await writeTableAnew(tree, join(folder.work, manifestNames.jsonl), table.columns);
  // The checksums say whose the files are that are only in the earlier manifest. Those of a killed export are in its journal.
  for (const name of [manifestNames.sums, manifestNames.jsonl, manifestNames.csv]) await folder.publish(name);
  return rest;
}

/** Keeps what the manifest and the checksums say of the files of other runs that the manifest names. */
async function keepOthers(
  earlier: EarlierExport,
  runs: readonly string[],
  { jsonl, sums, table }: Readonly<Record<'jsonl' | 'sums', ReportFile>> & { readonly table: ManifestTable },
): Promise<void> {
  for (const run of runs) {
    for await (const { line, columns } of earlier.entriesOf(run)) {
      table.leaveFor(columns);
      await jsonl.write(`${line}\n`);
    }
    for await (const file of earlier.filesOf(run)) if (file.isNamed) await sums.write(renderChecksum(file));
  }
}

/** Removes the files of this run that this export does not have, or lists them; then those of other runs, by run. */
async function keepOrRemove(
  { folder, earlier, placing, deletes, told }: Manifests,
  sums: ReportFile,
): Promise<RestSums> {
  if (deletes && placing.sums.videos === 0 && !placing.isLacking)
    throw new UsageError(message('export.nothing'));
  const rest = { removed: 0, left: 0 };
  const removes = deletes && !placing.isLacking;
  /** Paths without extension of videos that stay; their captions stay with them. */
  const last = new Set<string>();
  // The run may be a copy, or restored from a backup, that never knew what another one of its id put there.
  const isLastCopy = ({ path, sha256 }: Checksum): boolean => {
    const stem = path.replace(/\.[^./]*$/, '');
    if (path.endsWith('.vtt')) return last.has(stem);
    if (placing.kept.has(printOf(sha256))) return false;
    last.add(stem);
    return true;
  };
  const leftover = async function* (): AsyncGenerator<Checksum> {
    for await (const file of earlier.leftovers(placing.paths)) {
      if (!file.isThere) {
        // An export that was killed may have removed the file and not yet its folder.
        if (removes) folder.prune(file.path);
        continue;
      }
      if (removes && !placing.changed.has(printOf(folder.keyOf(file.path)))) {
        const isLast = isLastCopy(file);
        if (!isLast && (await folder.remove(file.path, file.sha256))) {
          rest.removed += 1;
          continue;
        }
        told({ why: isLast ? 'last-copy' : 'changed', path: file.path });
        placing.problems += 1;
        if (!isLast) continue;
      }
      if (!placing.changed.has(printOf(folder.keyOf(file.path)))) rest.left += 1;
      yield file;
    }
  };
  const runs = [...earlier.others, earlier.run].filter((run) => run !== nobody);
  for (const run of runs.sort()) {
    const files = run === earlier.run ? leftover() : unnamed(earlier.filesOf(run));
    await writeOwned(sums, run, files);
  }
  const isPlaced = ({ path }: Checksum): boolean => placing.paths.has(printOf(folder.keyOf(path)));
  const foreign = (await Array.fromAsync(earlier.filesOf(nobody))).filter((file) => !isPlaced(file));
  await writeOwned(sums, nobody, [...foreign, ...placing.borrowed]);
  return rest;
}

async function* unnamed(files: AsyncIterable<ListedFile>): AsyncGenerator<Checksum> {
  for await (const file of files) if (!file.isNamed) yield file;
}

/** The files under the id of their run; nothing where there are none. */
async function writeOwned(
  sums: ReportFile,
  run: string,
  files: AsyncIterable<Checksum> | Iterable<Checksum>,
): Promise<void> {
  let owner = renderOwner(run);
  for await (const file of files) {
    await sums.write(owner + renderChecksum(file));
    owner = '';
  }
}

/** `manifest.csv`, as long as the rows have only the columns of the first ones. */
class ManifestTable {
  readonly #file: ReportFile;
  readonly #sources = new Set<Source>();
  #head: readonly string[] | null = null;
  #columns: readonly string[] = [];
  #isShared = false;

  constructor(file: ReportFile) {
    this.#file = file;
  }

  /** The columns of the input that the table must have. */
  get columns(): readonly string[] {
    return this.#columns;
  }

  /** False once a second file of the run has added a column, or another run has rows: it is then written at the end. */
  get isWhole(): boolean {
    return !this.#isShared && (this.#head === null || this.#head.length === this.#columns.length);
  }

  /** Leaves room for a row of another run. */
  leaveFor(columns: readonly string[]): void {
    this.#isShared = true;
    this.#widen(columns);
  }

  async add(placed: readonly PlacedRow[]): Promise<void> {
    for (const { row } of placed)
      if (!this.#sources.has(row.source)) {
        this.#sources.add(row.source);
        this.#widen(shownColumns(row.source));
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

  #widen(columns: readonly string[]): void {
    if (columns.every((column) => this.#columns.includes(column))) return;
    this.#columns = [...new Set([...this.#columns, ...columns])].slice(0, mostOwnColumns);
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
