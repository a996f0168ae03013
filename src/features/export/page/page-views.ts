/** What the page of an export shows of each row, decided with the plan of the export. */

import type { Question } from '../../../money/item.ts';
import { readSent } from '../../../money/sent-question.ts';
import { asStanding } from '../../../money/standing-attempt.ts';
import type { FileDigest } from '../../../ports.ts';
import type { Checksum } from '../../../reports/manifest.ts';
import { pupilTitle } from '../../../reports/pupil-title.ts';
import type { PupilImage, PupilVideo } from '../../../reports/pupil-wire.ts';
import type { ReportRow } from '../../../stores/port/reading.ts';
import { printOf } from '../export-listed.ts';
import { pagePath } from './page-parts.ts';
import { PagePictures, type PictureOptions } from './page-pictures.ts';
import type { PageRequest } from './page-request.ts';

/** A video of the page; its file, the number of its chapter and its code follow when it is there. */
export interface PlannedView extends Omit<PupilVideo, 'chapter' | 'video' | 'captions' | 'qr'> {
  readonly chapterName: string | null;
  /** Pictures that no earlier row has. */
  readonly pictures: readonly (Checksum & FileDigest)[];
}

/** What views are made with. */
export interface ViewOptions extends Pick<PageRequest, 'hasIds' | 'hasAnswers'>, PictureOptions {
  /** The column of chapters; null for none. */
  readonly column: string | null;
  /** Gives the address of an exported file, if it will have one. */
  readonly addressOf: ((path: string) => string) | null;
}

export class PageViews {
  readonly #options: ViewOptions;
  readonly #pictures: PagePictures;

  constructor(options: ViewOptions) {
    this.#options = options;
    this.#pictures = new PagePictures(options);
  }

  /** `lost` is called for each picture that is not there any more. */
  async view(row: ReportRow, lost: () => void): Promise<PlannedView> {
    const { hasIds, hasAnswers, column, addressOf } = this.#options;
    const standing = asStanding(row);
    const { question } = readSent(standing);
    const { id } = row.item;
    const anchor = hasIds ? encodeURIComponent(id.toWellFormed()) : printOf(id).toString(36);
    const pictures: (Checksum & FileDigest)[] = [];
    const shown = async (images: Question['questionImages']): Promise<PupilImage[]> => {
      const taken: PupilImage[] = [];
      for (const image of images) {
        const picture = await this.#pictures.take(image);
        if (picture === null) lost();
        else taken.push(picture.shown);
        if (picture?.file) pictures.push(picture.file);
      }
      return taken;
    };
    return {
      anchor,
      title: pupilTitle(standing.item.title, question.question),
      question: question.question,
      answer: hasAnswers && question.answer !== '' ? question.answer : null,
      id: hasIds ? id : null,
      chapterName: column === null ? null : chapterOf(row.input, column),
      questionImages: await shown(question.questionImages),
      answerImages: hasAnswers ? await shown(question.answerImages) : [],
      url: addressOf === null ? null : `${addressOf(pagePath)}#${anchor}`,
      pictures,
    };
  }
}

/** Null for an empty cell. */
function chapterOf(input: ReportRow['input'], column: string): string | null {
  const value = Object.hasOwn(input, column) ? input[column] : null;
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return text.trim().replace(/^""$/, '') || null;
}
