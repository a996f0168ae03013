/** Writes the page of an export while its videos are placed, and puts it into the folder when they are there. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { linkTo } from '../../../files/path-link.ts';
import type { ExportFolder } from '../../../outputs/export-folder.ts';
import type { OutputTree, ReportFile } from '../../../ports.ts';
import type { Checksum } from '../../../reports/manifest.ts';
import { renderEnd } from '../../../reports/page-shell.ts';
import { renderPupilHead, renderPupilVideos, showsFormula } from '../../../reports/pupil-page.ts';
import type { PupilVideo } from '../../../reports/pupil-wire.ts';
import { qrCode } from '../../../reports/qr-code.ts';
import { hasFormula } from '../../../text/formulas.ts';
import { ChecksumsFile } from '../export-checksums.ts';
import { type ListedFiles, manifestNames } from '../export-listed.ts';
import type { ExportPlacing, PlacedRow } from '../export-placing.ts';
import { linesOf } from '../lines-of.ts';
import { pagePath } from './page-parts.ts';
import type { PageRequest } from './page-request.ts';
import type { PlannedView } from './page-views.ts';

/** Of the videos in the work folder. */
const bodyName = 'videos.html';

/** A page to be written. */
export interface PageFileOptions extends PageRequest {
  readonly title: string;
}

/** Where it goes. */
export interface PagePlace {
  readonly folder: Pick<ExportFolder, 'publish' | 'work'>;
  /** The work folder. */
  readonly tree: Pick<OutputTree, 'createReport'>;
  readonly listed: ListedFiles;
  readonly placing: Pick<ExportPlacing, 'placeParts'>;
  readonly run: string;
}

export class PageFile implements AsyncDisposable {
  readonly #options: PageFileOptions;
  /** The videos, which stand behind what is known last. */
  readonly #body: ReportFile;
  readonly #chapters = new Map<string, number>();
  #videos = 0;
  #withMath = false;

  private constructor(options: PageFileOptions, body: ReportFile) {
    this.#options = options;
    this.#body = body;
  }

  static async begin(options: PageFileOptions, tree: PagePlace['tree']): Promise<PageFile> {
    return new PageFile(options, await tree.createReport(bodyName));
  }

  /** Adds the videos of rows that are there. */
  async add(rows: readonly PlacedRow[]): Promise<void> {
    const videos = rows.flatMap(({ entry, view }) => (view === null ? [] : [this.#video(entry, view)]));
    this.#videos += videos.length;
    this.#withMath ||= videos.some(showsFormula);
    await this.#body.write(renderPupilVideos(videos));
  }

  /**
   * Puts it into the folder. Listed before it is there, beside an earlier one: an export that is killed between knows both.
   * Returns what is to be listed from now on; null where another file is in its way.
   */
  async place({ folder, tree, listed, placing, run }: PagePlace): Promise<Checksum | null> {
    await this.#body.commit();
    await using html = await tree.createReport(pagePath);
    const digest = createHash('sha256');
    let sizeBytes = 0;
    for await (const text of this.#texts(join(folder.work.path, bodyName))) {
      digest.update(text);
      sizeBytes += Buffer.byteLength(text);
      await html.write(text);
    }
    await html.commit();
    const file = { path: pagePath, sha256: digest.digest('hex'), sizeBytes };
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
    await this.#body[Symbol.asyncDispose]();
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

  /** The page from its start to its end. */
  async *#texts(body: string): AsyncGenerator<string> {
    const { title, language, hasAnswers, hasIds, assets } = this.#options;
    const chapters = [...this.#chapters.keys()];
    yield renderPupilHead(assets, { title, language, videos: this.#videos, hasAnswers, hasIds, chapters });
    for await (const line of linesOf(body)) yield `${line}\n`;
    yield renderEnd(assets, this.#withMath || chapters.some(hasFormula));
  }
}
