/** Checks the images of rows: that local and kept ones exist and are whole, and that none is too large. */

import { codeOf } from '../errors.ts';
import { inlineBytes, tooLarge, tooLargeTogether } from '../files/image-size.ts';
import { shownEntry } from '../files/image-source.ts';
import { isCutInline, type PictureFlaw } from '../files/picture-flaw.ts';
import { inBoth, type Message, message } from '../messages/message.ts';
import type { Question } from '../money/item.ts';
import type { LocalImage, ParsedQuestion } from '../money/parse-question.ts';
import { pictureFields } from '../money/question.ts';

/** A local file as a picture. */
interface SeenFile {
  /** What is wrong with its bytes; null for nothing. */
  readonly flaw: PictureFlaw | null;
  readonly sizeBytes: number;
}

/** Looks at the picture in a local file; null when there is no such regular file. */
export type LookAtPicture = (path: string) => Promise<SeenFile | null>;

/** Files read at once: enough to hide the disk's latency, few enough for the limit of open files. */
const atOnce = 32;
/** Results kept: rows that share a figure are usually close together. */
const keptCount = 10_000;

/** The result of checking an image. */
interface ImageVerdict {
  /** What is wrong with it, as the end of a sentence; null for nothing. */
  readonly flaw: Message | null;
  /** 0 where unknown. */
  readonly sizeBytes: number;
}

/** Checks local images and caches the latest results. */
export interface ImageCheck {
  /** By path. */
  look(images: readonly LocalImage[]): Promise<ReadonlyMap<string, ImageVerdict>>;
}

/** A check that looks at files with `lookAt` and accepts images up to this size. */
export function createImageCheck(lookAt: LookAtPicture, maxImageBytes: number): ImageCheck {
  const known = new Map<string, ImageVerdict>();
  return {
    async look(images) {
      if (images.length === 0) return known;
      if (known.size > keptCount) known.clear();
      const wanted = new Set(images.map(({ path }) => path).filter((path) => !known.has(path))).values();
      const lane = async (): Promise<void> => {
        for (const path of wanted) known.set(path, await judge(path, lookAt, maxImageBytes));
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return known;
    },
  };
}

async function judge(path: string, lookAt: LookAtPicture, maxImageBytes: number): Promise<ImageVerdict> {
  try {
    const file = await lookAt(path);
    if (file === null) return { flaw: message('picture.missing'), sizeBytes: 0 };
    const { flaw, sizeBytes } = file;
    return { flaw: flaw === null ? tooLarge(sizeBytes, maxImageBytes) : message(flaw), sizeBytes };
  } catch (error) {
    return { flaw: message('picture.refused', { code: codeOf(error) || 'unknown error' }), sizeBytes: 0 };
  }
}

/** What is known of the pictures of some rows. */
export interface PictureChecks {
  /** Of local ones, by path. */
  readonly verdicts: Awaited<ReturnType<ImageCheck['look']>>;
  /** Bytes of those that the run keeps, by digest; null for those that are missing. */
  readonly kept: ReadonlyMap<string, number | null>;
}

/** Bytes of the kept pictures of these questions by digest; null for those that are missing. */
export async function keptSizes(
  questions: readonly Question[],
  keptSize: (sha256: string) => Promise<number | null>,
): Promise<PictureChecks['kept']> {
  const sizes = new Map<string, number | null>();
  for (const { questionImages, answerImages } of questions)
    for (const image of [...questionImages, ...answerImages])
      if (image.kind === 'kept' && !sizes.has(image.sha256))
        sizes.set(image.sha256, await keptSize(image.sha256));
  return sizes;
}

/** What is wrong with each image of a row; with all of them together, where each is small enough. */
export function pictureFailures(
  { question, files }: Pick<ParsedQuestion, 'question' | 'files'>,
  { verdicts, kept }: PictureChecks,
  maxImageBytes: number,
): readonly Message[] {
  const inline = inlineFailures(question, kept, maxImageBytes);
  let { bytes } = inline;
  const failures: Message[] = [];
  for (const { field, written, path } of files) {
    const { flaw = null, sizeBytes = 0 } = verdicts.get(path) ?? {};
    bytes += sizeBytes;
    if (flaw !== null)
      failures.push(message('picture.in-field', { field, image: shownEntry(written), what: inBoth(flaw) }));
  }
  failures.push(...inline.failures);
  const together = tooLargeTogether(bytes, maxImageBytes);
  return failures.length === 0 && together !== null ? [together] : failures;
}

/** Images in the row itself or kept with the run: their total bytes, and what is wrong with each. */
function inlineFailures(
  question: Question,
  kept: PictureChecks['kept'],
  maxImageBytes: number,
): { readonly bytes: number; readonly failures: readonly Message[] } {
  let bytes = 0;
  const failures: Message[] = [];
  for (const field of pictureFields) {
    for (const [at, image] of question[field].entries()) {
      const known = image.kind === 'kept' ? (kept.get(image.sha256) ?? null) : inlineBytes(image);
      const size = known ?? 0;
      const cut = image.kind === 'inline' && isCutInline(image) ? message('picture.cut-off') : null;
      const flaw = known === null ? message('picture.not-kept') : (cut ?? tooLarge(size, maxImageBytes));
      if (flaw !== null)
        failures.push(message('picture.nth', { field, nth: String(at + 1), what: inBoth(flaw) }));
      bytes += size;
    }
  }
  return { bytes, failures };
}
