/** Puts the planned videos, and the captions next to them, into the folder of an export. */

import { captionsPath } from '../../files/captions.ts';
import type { ExportFile, ExportFolder, KnownFiles, Placing } from '../../outputs/export-folder.ts';
import type { FileDigest } from '../../ports.ts';
import type { Checksum, ManifestEntry } from '../../reports/manifest.ts';
import type { OnProgress } from '../../stores/counted.ts';
import { type ListedFiles, printOf } from './export-listed.ts';
import type { ExportNews } from './export-news.ts';
import type { ExportPlan, PlannedRow } from './export-plan.ts';
import { type ExportSources, localSource } from './export-sources.ts';
import { inLanes } from './in-lanes.ts';
import type { PlannedView } from './page/page-views.ts';

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

/** Where files are placed, and what is known of those that are there. */
export interface PlacingOptions {
  readonly folder: ExportFolder;
  readonly sources: ExportSources;
  readonly listed: ListedFiles;
  readonly plan: Pick<ExportPlan, 'isKnown' | 'isLacking' | 'rowCount'>;
  readonly onProgress: OnProgress;
  report(news: ExportNews): void;
}

/** A row that is in the folder. */
export interface PlacedRow {
  readonly entry: ManifestEntry;
  /** Its video and captions. */
  readonly files: readonly Checksum[];
  /** Null where the export has no page. */
  readonly view: PlannedView | null;
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
  isLacking: boolean;
  /** Prints of the keys of the paths that this export has decided on. */
  readonly paths = new Set<number>();
  /** Such prints of files of earlier exports that stay as they are, and listed: of chosen rows, but not replaced. */
  readonly staying = new Set<number>();
  /** Rows that were worked on. */
  #done = 0;
  readonly #options: PlacingOptions;
  readonly #known: KnownFiles;

  constructor(options: PlacingOptions) {
    const { listed, plan } = options;
    this.#options = options;
    this.isLacking = plan.isLacking;
    this.#known = {
      isOurs: (path, sha256) => listed.has(path, sha256) || plan.isKnown(sha256),
      isSure: listed.isSure,
    };
  }

  /** Returns those that are there, in the same order. */
  async place(rows: readonly PlannedRow[]): Promise<PlacedRow[]> {
    const placed = await inLanes(rows, async (row) => {
      const there = await this.#placeRow(row);
      this.#done += 1;
      this.#options.onProgress(this.#done, this.#options.plan.rowCount);
      return there;
    });
    return placed.filter((row) => row !== null);
  }

  /** Puts parts of the page there, from the work folder. Returns those that are there. */
  async placeParts(parts: readonly (Checksum & FileDigest)[]): Promise<Checksum[]> {
    const { folder } = this.#options;
    const placed = await inLanes(parts, async (part) => {
      const open: ExportFile['source']['open'] = async () =>
        (await localSource(folder.work.path, part.path)?.open()) ?? null;
      const { is } = await this.#place({ ...part, source: { local: null, open } });
      return is === 'in-the-way' || is === 'flawed' ? null : part;
    });
    return placed.filter((part) => part !== null);
  }

  async #placeRow({ entry, from, sizeBytes, captions, view }: PlannedRow): Promise<PlacedRow | null> {
    const { sources } = this.#options;
    const { path, sha256 } = entry;
    const source = sources.find(from);
    const placing: Placing =
      source === null ? { is: 'flawed' } : await this.#place({ path, sizeBytes, sha256, source });
    if (placing.is === 'flawed') this.#lacking(entry.id);
    if (placing.is === 'flawed' || placing.is === 'in-the-way') return null;
    this.#count(placing);
    const video = { path, sha256 };
    const hasCaptions = captions !== null && (await this.#placeCaptions(captions, from));
    return hasCaptions
      ? { entry, files: [video, captions], view }
      : { entry: { ...entry, captions: null }, files: [video], view };
  }

  /** Always copied: people edit them where they are, and a link would change with them while its checksum stays. */
  async #placeCaptions(captions: Omit<ExportFile, 'source'>, from: string): Promise<boolean> {
    const { sources, folder } = this.#options;
    const source = sources.find(captionsPath(from));
    const { is }: Placing =
      source === null
        ? { is: 'flawed' }
        : await this.#place({ ...captions, source: { local: null, open: source.open } });
    // Those that were edited since the plan are for the next export.
    if (is === 'flawed') this.staying.add(printOf(folder.keyOf(captions.path)));
    if (is === 'in-the-way' || is === 'flawed') return false;
    this.sums.captions += 1;
    return true;
  }

  async #place(file: ExportFile): Promise<Placing> {
    const { folder, listed, report } = this.#options;
    const placing = await folder.place(file, this.#known);
    if (placing.is === 'flawed') return placing;
    // Somebody has changed it since.
    const isChanged = placing.is === 'in-the-way' && listed.hasPath(file.path);
    (isChanged ? this.staying : this.paths).add(printOf(folder.keyOf(file.path)));
    if (placing.is === 'in-the-way') {
      report({ why: 'in-the-way', path: file.path });
      this.problems += 1;
    }
    return placing;
  }

  #count(placing: Exclude<Placing, { is: 'flawed' | 'in-the-way' }>): void {
    const { sums } = this;
    sums.videos += 1;
    if (!('isLinked' in placing)) sums.unchanged += 1;
    else {
      sums[placing.is === 'new' ? 'added' : 'replaced'] += 1;
      sums[placing.isLinked ? 'linked' : 'copied'] += 1;
    }
  }

  #lacking(id: string): void {
    this.#options.report({ why: 'flawed', id });
    this.problems += 1;
    this.isLacking = true;
  }
}
