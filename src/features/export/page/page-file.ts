/** Writes the page of an export while its videos are placed, and puts it into the folder when they are there. */

import { createHash } from 'node:crypto';
import { linkTo } from '../../../files/path-link.ts';
import type { ExportFolder } from '../../../outputs/export-folder.ts';
import type { OutputTree, ReportFile } from '../../../ports.ts';
import type { Checksum } from '../../../reports/manifest.ts';
import {
  renderPupilHead,
  renderPupilTail,
  renderPupilVideos,
  showsFormula,
} from '../../../reports/pupil-page.ts';
import type { PupilVideo } from '../../../reports/pupil-wire.ts';
import { qrCode } from '../../../reports/qr-code.ts';
import { ChecksumsFile } from '../export-checksums.ts';
import { type ListedFiles, manifestNames } from '../export-listed.ts';
import type { ExportPlacing, PlacedRow } from '../export-placing.ts';
import { pagePath } from './page-parts.ts';
import type { PageRequest } from './page-request.ts';
import type { PlannedView } from './page-views.ts';

/** A page to be written. */
export interface PageFileOptions extends PageRequest {
  /** What people call the run. */
  readonly title: string;
}

/** Where it goes. */
export interface PagePlace {
  readonly folder: Pick<ExportFolder, 'publish'>;
  /** The work folder. */
  readonly tree: Pick<OutputTree, 'createReport'>;
  readonly listed: ListedFiles;
  readonly placing: Pick<ExportPlacing, 'placeParts'>;
  readonly run: string;
}

export class PageFile implements AsyncDisposable {
  readonly #options: PageFileOptions;
  readonly #file: ReportFile;
  readonly #digest = createHash('sha256');
  readonly #chapters = new Map<string, number>();
  #sizeBytes = 0;
  #videos = 0;
  #withMath = false;

  private constructor(options: PageFileOptions, file: ReportFile) {
    this.#options = options;
    this.#file = file;
  }

  static async begin(options: PageFileOptions, tree: PagePlace['tree']): Promise<PageFile> {
    const page = new PageFile(options, await tree.createReport(pagePath));
    await page.#write(renderPupilHead(options.assets, options.language));
    return page;
  }

  /** Adds the videos of rows that are there. */
  async add(rows: readonly PlacedRow[]): Promise<void> {
    const videos = rows.flatMap(({ entry, view }) => (view === null ? [] : [this.#video(entry, view)]));
    this.#videos += videos.length;
    this.#withMath ||= videos.some(showsFormula);
    await this.#write(renderPupilVideos(videos));
  }

  /**
   * Puts it into the folder. Listed before it is there, beside an earlier one: an export that is killed between knows both.
   * Returns what is to be listed from now on; null where another file is in its way.
   */
  async place({ folder, tree, listed, placing, run }: PagePlace): Promise<Checksum | null> {
    const { title, language, hasAnswers, hasIds, assets } = this.#options;
    const chapters = [...this.#chapters.keys()];
    const page = { title, language, videos: this.#videos, hasAnswers, hasIds, chapters };
    await this.#write(renderPupilTail(assets, page, this.#withMath));
    await this.#file.commit();
    const file = { path: pagePath, sha256: this.#digest.digest('hex'), sizeBytes: this.#sizeBytes };
    if (!listed.has(file.path, file.sha256)) {
      await using list = await tree.createReport(manifestNames.sums);
      const sums = new ChecksumsFile(list, run);
      for await (const earlier of listed.all()) await sums.write([earlier]);
      await sums.write([file]);
      await list.commit();
      await folder.publish(manifestNames.sums);
    }
    const [placed] = await placing.placeParts([file]);
    return placed ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file[Symbol.asyncDispose]();
  }

  #video({ path, captions }: PlacedRow['entry'], view: PlannedView): PupilVideo {
    const { chapterName, pictures: _, ...shown } = view;
    return {
      ...shown,
      chapter: chapterName === null ? null : this.#chapterNumber(chapterName),
      video: linkTo(path),
      captions: captions === null ? null : linkTo(captions),
      qr: this.#options.hasCodes && shown.url !== null ? qrCode(shown.url) : null,
    };
  }

  #chapterNumber(name: string): number {
    const known = this.#chapters.get(name) ?? this.#chapters.size;
    this.#chapters.set(name, known);
    return known;
  }

  async #write(text: string): Promise<void> {
    this.#digest.update(text);
    this.#sizeBytes += Buffer.byteLength(text);
    await this.#file.write(text);
  }
}
