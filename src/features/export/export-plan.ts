/**
 * What an export will put where: one line for each chosen row, in a file of the work folder. Everything is decided here, before
 * anything changes: a run may continue meanwhile, and what it adds is for the next export.
 */

import { createHash, hash } from 'node:crypto';
import { join, posix } from 'node:path';
import { UsageError } from '../../errors.ts';
import { captionsPath } from '../../files/captions.ts';
import { foldedName } from '../../files/folded-name.ts';
import { mostOwnColumns } from '../../input/columns/own-columns.ts';
import { message } from '../../messages/message.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import type { Source } from '../../money/question.ts';
import type { ExportFolder, ExportSource } from '../../outputs/export-folder.ts';
import type { FileDigest, OutputTree } from '../../ports.ts';
import { type ReportLine, reportLine } from '../../reports/columns.ts';
import { type Checksum, type ManifestEntry, manifestEntry, shownColumns } from '../../reports/manifest.ts';
import { inBatches } from '../../reports/write-report.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import { ChecksumsFile } from './export-checksums.ts';
import { chooseRow, type ExportChoice, knownVideos, type SavedVideo } from './export-choice.ts';
import { type ListedFiles, manifestNames, printOf } from './export-listed.ts';
import { exportName } from './export-name.ts';
import { ExportNames } from './export-names.ts';
import type { ExportNews } from './export-news.ts';
import type { ExportSources } from './export-sources.ts';
import { inLanes } from './in-lanes.ts';
import { linesOf } from './lines-of.ts';
import type { NameTemplate } from './name-template.ts';
import type { PageViews, PlannedView } from './page/page-views.ts';

/** A row whose files are to be put into the folder. */
export interface PlannedRow {
  readonly entry: ManifestEntry;
  /** Path of the video in the outputs of the run. */
  readonly from: string;
  readonly sizeBytes: number;
  /** What its captions were, and their path in the folder. */
  readonly captions: (Checksum & FileDigest) | null;
  /** What the page shows of it; null where there is no page. */
  readonly view: PlannedView | null;
}

/** An export as it is to be. */
export interface ExportPlan {
  /** The columns of the input that its rows have. */
  readonly columns: readonly string[];
  /** True where a video with this digest is one of the run, whether it is still there or not. */
  isKnown(sha256: string): boolean;
  /** True where the run has a video with this digest. Asked only where something is removed. */
  isKept(sha256: string): boolean;
  /** True where the video of a chosen row was not there: an exported copy of it may be the last one. */
  readonly isLacking: boolean;
  /** Rows that are in the plan. */
  readonly rowCount: number;
  /** Rows that were asked for and are not in the plan. */
  readonly problems: number;
  /** In pieces of a size that is good to work on. */
  rows(): AsyncIterable<readonly PlannedRow[]>;
}

/** What is to be exported, and where to. */
export interface PlanOptions {
  readonly folder: ExportFolder;
  /** Its work folder. */
  readonly tree: Pick<OutputTree, 'createReport'>;
  readonly sources: ExportSources;
  readonly listed: ListedFiles;
  readonly template: NameTemplate;
  readonly choice: ExportChoice;
  /** Id of the run. */
  readonly run: string;
  /** As the user wrote the folder. */
  readonly shown: string;
  /** Gives the address of an exported file, if it will have one. */
  readonly addressOf: ((path: string) => string) | null;
  /** True where files of earlier exports are to be removed. */
  readonly deletes: boolean;
  /** Null where the export has no page. */
  readonly views: PageViews | null;
  report(news: ExportNews): void;
}

const planName = 'plan.jsonl';

/** Rows of the plan that are worked on together. */
const pieceRows = 500;

/**
 * Plans the export, and lists in the folder what it is about to put there, after what is listed already: whatever happens from now
 * on, the next export knows its files. Throws `UsageError` where a file would be replaced that is not of this run, and has then
 * changed nothing.
 */
export async function planExport(
  pages: AsyncIterable<readonly ReportRow[]>,
  options: PlanOptions,
): Promise<ExportPlan> {
  const { folder, tree, listed, run } = options;
  await using lines = await tree.createReport(planName);
  await using list = await tree.createReport(manifestNames.sums);
  const sums = new ChecksumsFile(list, run);
  for await (const file of listed.all()) await sums.write([file]);
  const planner = new Planner(options);
  let isNew = false;
  let rowCount = 0;
  for await (const batch of inBatches(pages, undefined)) {
    const planned = await planner.plan(batch);
    rowCount += planned.length;
    await lines.write(planned.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const unlisted = planned.flatMap(filesOf).filter(({ path, sha256 }) => !listed.has(path, sha256));
    isNew ||= unlisted.length > 0;
    await sums.write(unlisted);
  }
  planner.refuseCollisions();
  await lines.commit();
  if (isNew) {
    await list.commit();
    await folder.publish(manifestNames.sums);
  }
  return {
    columns: planner.columns,
    isKnown: (sha256) => planner.known.has(printOf(sha256)),
    isKept: (sha256) => planner.kept.has(printOf(sha256)),
    isLacking: planner.isLacking,
    rowCount,
    problems: planner.problems,
    rows: () => rowsIn(join(folder.work.path, planName)),
  };
}

function filesOf({ entry, sizeBytes, captions, view }: PlannedRow): (Checksum & FileDigest)[] {
  const { path, sha256 } = entry;
  const video = { path, sha256, sizeBytes };
  return [video, ...(captions === null ? [] : [captions]), ...(view?.pictures ?? [])];
}

async function* rowsIn(plan: string): AsyncGenerator<readonly PlannedRow[]> {
  let rows: PlannedRow[] = [];
  for await (const line of linesOf(plan)) {
    rows.push(JSON.parse(line));
    if (rows.length < pieceRows) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** A chosen row, and its path without extension. */
interface NamedRow {
  readonly row: ReportRow;
  readonly line: ReportLine;
  readonly saved: SavedVideo;
  readonly name: string;
}

class Planner {
  columns: readonly string[] = [];
  isLacking = false;
  problems = 0;
  readonly known = new Set<number>();
  readonly kept = new Set<number>();
  readonly #options: PlanOptions;
  readonly #names: ExportNames;
  readonly #sources = new Set<Source>();
  /** What is at a path that is not listed: the digest of a file, or null for something else. */
  readonly #found: { readonly path: string; readonly sha256: string | null }[] = [];

  constructor(options: PlanOptions) {
    this.#options = options;
    this.#names = new ExportNames({
      earlier: options.listed.names,
      unowned: options.listed.unowned,
      print: printOf,
      digest: (text) => hash('sha256', text, 'hex'),
    });
  }

  /** The chosen ones of these rows, in the same order. */
  async plan(rows: readonly ReportRow[]): Promise<PlannedRow[]> {
    for (const { item } of rows) this.#note(item);
    const named = rows.flatMap((row) => this.#name(row) ?? []);
    const planned = await inLanes(named, (row) => this.#plan(row));
    for (const file of planned.flatMap(filesOf)) await this.#lookFor(file);
    return planned;
  }

  /** A file that is not listed has the bytes of a video of the run, or is in the way. */
  refuseCollisions(): void {
    const foreign = this.#found.filter(({ sha256 }) => sha256 === null || !this.known.has(printOf(sha256)));
    const [first] = foreign;
    if (first === undefined) return;
    const path = join(this.#options.shown, first.path);
    throw new UsageError(message('export.would-replace', { path, more: foreign.length - 1 }));
  }

  /** In a bucket only what the checkpoint says is there: to ask for each video would take a request. */
  #note(item: ReportRow['item']): void {
    const wanted = item.artifacts.filter(({ kind, state }) => kind === 'video' && state !== 'saved');
    for (const { path, sizeBytes, sha256 } of knownVideos(item)) {
      this.known.add(printOf(sha256));
      if (!this.#options.deletes) continue;
      const source = this.#options.sources.find(path);
      const isThere =
        source?.local == null
          ? source !== null && wanted.every((video) => video.sha256 !== sha256)
          : source.local.stats.size === sizeBytes;
      if (isThere) this.kept.add(printOf(sha256));
    }
  }

  #name(row: ReportRow): NamedRow | null {
    const { listed, template, choice } = this.#options;
    const chosen = chooseRow(row, choice);
    if (chosen.is === 'not-chosen') return null;
    const { id } = row.item;
    if (chosen.is !== 'chosen') {
      this.#report({ why: chosen.is, id });
      return null;
    }
    const saved = chosen.video;
    if (this.#options.sources.find(saved.path) === null) {
      this.isLacking = true;
      this.#report({ why: 'flawed', id });
      return null;
    }
    this.#widen(row.source);
    const line = reportLine(row);
    const { quality, title, row: number } = line;
    const values = { id, row: number, title, quality, attempt: saved.attempt, input: row.input };
    const isOwn = (name: string): boolean =>
      (hasForgotten(row.item) && foldedName(name) === foldedName(id)) ||
      knownVideos(row.item).some(({ path, sha256 }) => listed.has(name + posix.extname(path), sha256));
    return { row, line, saved, name: this.#names.take(id, exportName(template, values), isOwn) };
  }

  async #plan({ row, line, saved, name }: NamedRow): Promise<PlannedRow> {
    const { sources, run, addressOf, views } = this.#options;
    const { path: from, sizeBytes, sha256, attempt } = saved;
    const path = name + posix.extname(from);
    const source = sources.find(captionsPath(from));
    const digest = source === null ? null : await digestOf(source);
    const captions = digest === null ? null : { path: `${name}.vtt`, ...digest };
    const address = addressOf === null ? {} : { url: addressOf(path) };
    const file = { path, sha256, attempt, run, captions: captions?.path ?? null, ...address };
    const lost = (): void => this.#report({ why: 'picture', id: row.item.id });
    const view = (await views?.view(row, lost)) ?? null;
    return { entry: manifestEntry(row, line, file), from, sizeBytes, captions, view };
  }

  /** One with the same bytes is in nobody's way. */
  async #lookFor({ path, sizeBytes, sha256 }: Checksum & FileDigest): Promise<void> {
    const { folder, listed } = this.#options;
    if (listed.hasPath(path) || folder.isFree(path)) return;
    const found = await folder.inspect(path);
    if (found?.sizeBytes === sizeBytes && found.sha256 === sha256) return;
    this.#found.push({ path, sha256: found?.sha256 ?? null });
  }

  #widen(source: Source): void {
    if (this.#sources.has(source)) return;
    this.#sources.add(source);
    this.columns = [...new Set([...this.columns, ...shownColumns(source)])].slice(0, mostOwnColumns);
  }

  #report(news: ExportNews): void {
    this.#options.report(news);
    this.problems += 1;
  }
}

/** Null when there is no file. */
async function digestOf(source: ExportSource): Promise<FileDigest | null> {
  await using opened = await source.open();
  if (opened === null) return null;
  const digest = createHash('sha256');
  let sizeBytes = 0;
  for await (const bytes of opened.body) {
    digest.update(bytes);
    sizeBytes += bytes.length;
  }
  return { sizeBytes, sha256: digest.digest('hex') };
}

/** True where an earlier attempt may have made a video whose digest is not known: in a bucket the next one replaces it. */
function hasForgotten(item: ReportRow['item']): boolean {
  return item.attempt > attemptVideos(item).length;
}
