/** Puts the videos of rows, and the captions beside them, into the folder of an export. */

import { createHash, hash } from 'node:crypto';
import { join, posix } from 'node:path';
import { UsageError } from '../../errors.ts';
import { captionsPath } from '../../files/captions.ts';
import { attemptVideos } from '../../money/artifacts.ts';
import type { ExportFile, ExportFolder, ExportSource, Placing } from '../../outputs/export-folder.ts';
import type { FileDigest } from '../../ports.ts';
import { type ReportLine, reportLine } from '../../reports/columns.ts';
import { type Checksum, type ManifestEntry, manifestEntry, renderChecksum } from '../../reports/manifest.ts';
import type { ReportRow } from '../../stores/port/reading.ts';
import { chooseRow, type ExportChoice, knownVideos, type Refusal, type SavedVideo } from './export-choice.ts';
import { type EarlierExport, printOf, renderOwner } from './export-ledger.ts';
import { exportName, foldedName } from './export-name.ts';
import { ExportNames } from './export-names.ts';
import type { ExportSources } from './export-sources.ts';
import type { NameTemplate } from './name-template.ts';

/** Something that is not exported as it was asked for. */
export type ExportNews =
  /** `flawed`: its video is missing or damaged. `unknown`: no row has this id. */
  | { readonly why: Refusal | 'unknown' | 'flawed'; readonly id: string }
  /**
   * `in-the-way`: another file is there. `changed`: a file to be removed has other bytes than were exported. `last-copy`:
   * the run no longer has this video.
   */
  | { readonly why: 'in-the-way' | 'changed' | 'last-copy'; readonly path: string };

/** What an export put there, in numbers of files. */
export interface PlacedSums {
  /** Videos in the folder now. */
  videos: number;
  added: number;
  replaced: number;
  unchanged: number;
  /** Of those added and replaced: hard links, and copies. */
  linked: number;
  copied: number;
  /** Files with captions. */
  captions: number;
}

/** What is placed, where, and by which rules. */
export interface PlacingOptions {
  readonly folder: ExportFolder;
  readonly sources: ExportSources;
  readonly earlier: EarlierExport;
  readonly template: NameTemplate;
  readonly choice: ExportChoice;
  /** As the user wrote the folder. */
  readonly shown: string;
  /** True where files of earlier exports are to be removed. */
  readonly deletes: boolean;
  told(news: ExportNews): void;
}

/** A row that is in the folder. */
export interface PlacedRow {
  readonly row: ReportRow;
  readonly entry: ManifestEntry;
  /** Its video and captions. */
  readonly files: readonly Checksum[];
}

/** A chosen row, and its path without extension. */
export interface ChosenRow {
  readonly row: ReportRow;
  readonly line: ReportLine;
  readonly saved: SavedVideo;
  readonly name: string;
}

/** The same with the files to place. */
interface PlannedRow extends ChosenRow {
  readonly video: ExportFile;
  readonly captions: ExportFile | null;
}

/** Files placed at once: enough to hide the time of a request. */
const atOnce = 8;

/** Chooses rows and their names; ask for all rows, in their order, once. */
function createChooser({
  earlier,
  template,
  choice,
}: Pick<PlacingOptions, 'earlier' | 'template' | 'choice'>): (row: ReportRow) => ChosenRow | Refusal | null {
  const names = new ExportNames({
    earlier: earlier.names,
    unowned: earlier.unowned,
    print: printOf,
    digest: (text) => hash('sha256', text, 'hex'),
  });
  return (row) => {
    const chosen = chooseRow(row, choice);
    if (chosen.is === 'not-chosen') return null;
    if (chosen.is !== 'chosen') return chosen.is;
    const { id } = row.item;
    const saved = chosen.video;
    const line = reportLine(row);
    const { quality, title, row: number } = line;
    const values = { id, row: number, title, quality, attempt: saved.attempt, input: row.input };
    const isOwn = (name: string): boolean =>
      (hasForgotten(row.item) && foldedName(name) === foldedName(id)) ||
      knownVideos(row.item).some(({ path, sha256 }) => earlier.isListed(name + posix.extname(path), sha256));
    return { row, line, saved, name: names.take(id, exportName(template, values), isOwn) };
  };
}

/**
 * Throws `UsageError` where a file would be replaced that this run did not put there: of another run, or of the user. One
 * with the same bytes is in nobody's way.
 */
export async function refuseCollisions(
  rows: AsyncIterable<ReportRow>,
  options: PlacingOptions,
): Promise<void> {
  const { folder, sources, earlier, shown } = options;
  const choose = createChooser(options);
  let first: string | null = null;
  let more = -1;
  const collide = (path: string): void => {
    first ??= path;
    more += 1;
  };
  const isForeign = (path: string): boolean =>
    earlier.isOfOthers(path) || (!folder.isFree(path) && !earlier.owns(path));
  for await (const row of rows) {
    const chosen = choose(row);
    if (chosen === null || typeof chosen === 'string') continue;
    const { name, saved } = chosen;
    if (sources.find(saved.path) === null) continue;
    const path = name + posix.extname(saved.path);
    if (isForeign(path) && !(await isSame(options, path, saved))) collide(path);
    const captions = `${name}.vtt`;
    const beside = isForeign(captions) ? sources.find(captionsPath(saved.path)) : null;
    const text = beside === null ? null : await readCaptions(beside, captions);
    if (text !== null && !(await isSame(options, captions, text))) collide(captions);
  }
  if (first === null) return;
  const whose = earlier.isOfOthers(first) ? 'of another run' : 'not of an export of this run';
  const others = more === 0 ? '' : ` (and ${more} more)`;
  throw new UsageError(
    `${join(shown, first)}${others} is ${whose}, and would be replaced; nothing was exported. Choose another --to or --name, or move it away`,
  );
}

/** True where a file that is not this run's has the bytes that would be put there; it stays whose it is. */
async function isSame(
  { folder, earlier }: Pick<PlacingOptions, 'folder' | 'earlier'>,
  path: string,
  { sizeBytes, sha256 }: FileDigest,
): Promise<boolean> {
  if (earlier.isOfOthers(path)) return false;
  const found = await folder.inspect(path);
  return found?.sizeBytes === sizeBytes && found.sha256 === sha256;
}

export class ExportPlacing {
  readonly sums: PlacedSums = {
    videos: 0,
    added: 0,
    replaced: 0,
    unchanged: 0,
    linked: 0,
    copied: 0,
    captions: 0,
  };
  problems = 0;
  /** True once a chosen video was not there: an earlier copy of it may be the last one. */
  isLacking = false;
  /** Prints of the keys of the paths that this export has decided on. */
  readonly paths = new Set<number>();
  /** Prints of the digests of videos that the run has, also of rows that are not chosen; only where something is removed. */
  readonly kept = new Set<number>();
  /** Such prints of files of this run that somebody has changed since: they stay, and stay known as the run's. */
  readonly changed = new Set<number>();
  /** Files that were there with the same bytes, and not from this run. */
  readonly borrowed: Checksum[] = [];
  readonly #options: PlacingOptions;
  readonly #choose;
  #hasNoted = false;

  constructor(options: PlacingOptions) {
    this.#options = options;
    this.#choose = createChooser(options);
  }

  /** Places the chosen ones of these rows, and returns them in the same order. */
  async place(rows: readonly ReportRow[]): Promise<PlacedRow[]> {
    if (this.#options.deletes) for (const row of rows) this.#noteKept(row);
    const chosen = rows.flatMap((row) => this.#chosen(row));
    const planned = (await inLanes(chosen, (one) => this.#plan(one))).filter((one) => one !== null);
    await this.#note(
      planned.flatMap(({ video, captions }) => (captions === null ? [video] : [video, captions])),
    );
    const placed = await inLanes(planned, (one) => this.#placeRow(one));
    return placed.filter((one) => one !== null);
  }

  async #note(files: readonly Checksum[]): Promise<void> {
    const { folder, earlier } = this.#options;
    const unlisted = files.filter(
      ({ path, sha256 }) => !earlier.isListed(path, sha256) && (earlier.owns(path) || folder.isFree(path)),
    );
    if (unlisted.length === 0) return;
    const owner = this.#hasNoted ? '' : renderOwner(earlier.run);
    this.#hasNoted = true;
    await folder.note(owner + unlisted.map(renderChecksum).join(''));
  }

  /** In a bucket only what the checkpoint says is known: to ask for each video would take a request. */
  #noteKept({ item }: ReportRow): void {
    const wanted = item.artifacts.filter(({ kind, state }) => kind === 'video' && state !== 'saved');
    for (const { path, sizeBytes, sha256 } of knownVideos(item)) {
      const source = this.#options.sources.find(path);
      const isThere =
        source?.local == null
          ? source !== null && wanted.every((video) => video.sha256 !== sha256)
          : source.local.stats.size === sizeBytes;
      if (isThere) this.kept.add(printOf(sha256));
    }
  }

  #chosen(row: ReportRow): ChosenRow[] {
    const chosen = this.#choose(row);
    if (chosen === null) return [];
    if (typeof chosen !== 'string') return [chosen];
    this.#options.told({ why: chosen, id: row.item.id });
    this.problems += 1;
    return [];
  }

  async #plan(chosen: ChosenRow): Promise<PlannedRow | null> {
    const { sources } = this.#options;
    const { path, sizeBytes, sha256 } = chosen.saved;
    const source = sources.find(path);
    if (source === null) {
      this.#lacking(chosen.row.item.id);
      return null;
    }
    const beside = sources.find(captionsPath(path));
    return {
      ...chosen,
      video: { path: chosen.name + posix.extname(path), sizeBytes, sha256, source },
      captions: beside === null ? null : await readCaptions(beside, `${chosen.name}.vtt`),
    };
  }

  async #placeRow({ row, line, saved, video, captions }: PlannedRow): Promise<PlacedRow | null> {
    const { sums } = this;
    const placing = await this.#place(video);
    if (placing.is === 'flawed') this.#lacking(row.item.id);
    if (placing.is === 'flawed' || placing.is === 'in-the-way') return null;
    sums.videos += 1;
    if (!('isLinked' in placing)) sums.unchanged += 1;
    else {
      sums[placing.is === 'new' ? 'added' : 'replaced'] += 1;
      sums[placing.isLinked ? 'linked' : 'copied'] += 1;
    }
    const hasCaptions = captions !== null && (await this.#place(captions)).is !== 'in-the-way';
    if (hasCaptions) sums.captions += 1;
    const files = hasCaptions ? [video, captions] : [video];
    const { path, sha256 } = video;
    const facts = { path, sha256, attempt: saved.attempt, run: this.#options.earlier.run };
    return {
      row,
      entry: manifestEntry(row, line, { ...facts, captions: hasCaptions ? captions.path : null }),
      files: files.filter((file) => !this.borrowed.includes(file)),
    };
  }

  async #place(file: ExportFile): Promise<Placing> {
    const { folder, earlier, told } = this.#options;
    const isBorrowed = !earlier.owns(file.path) && !folder.isFree(file.path);
    const placing = await folder.place(file, earlier);
    if (placing.is === 'flawed') return placing;
    const key = printOf(folder.keyOf(file.path));
    (placing.is === 'in-the-way' && earlier.owns(file.path) ? this.changed : this.paths).add(key);
    if (placing.is === 'in-the-way') {
      told({ why: 'in-the-way', path: file.path });
      this.problems += 1;
    } else if (isBorrowed && placing.is === 'unchanged') this.borrowed.push(file);
    return placing;
  }

  #lacking(id: string): void {
    this.#options.told({ why: 'flawed', id });
    this.problems += 1;
    this.isLacking = true;
  }
}

/**
 * Captions are read whole and always copied: people edit them where they are, and a link would change with them while its
 * checksum stays.
 */
async function readCaptions(source: ExportSource, path: string): Promise<ExportFile | null> {
  await using opened = await source.open();
  if (opened === null) return null;
  const pieces: Uint8Array[] = [];
  for await (const bytes of opened.body) pieces.push(bytes);
  const text = Buffer.concat(pieces);
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield text;
  };
  return {
    path,
    sizeBytes: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    source: { local: null, open: async () => ({ body: body(), [Symbol.asyncDispose]: async () => {} }) },
  };
}

/** True where an earlier attempt may have made a video whose digest is not known: in a bucket the next one replaces it. */
function hasForgotten(item: ReportRow['item']): boolean {
  return item.attempt > attemptVideos(item).length;
}

/** Does the work for each, a few at once; the results are in order. */
async function inLanes<A, B>(list: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  const entries = list.entries();
  const lane = async (): Promise<void> => {
    for (const [at, one] of entries) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
