/** Checks the images of rows: that local and kept ones exist and are whole, and that none is too large. */

import { codeOf } from '../errors.ts';
import { inlineBytes, tooLarge, tooLargeTogether } from '../files/image-size.ts';
import { shownEntry } from '../files/image-source.ts';
import { isCutInline, type PictureFlaw } from '../files/picture-flaw.ts';
import type { Question } from '../money/item.ts';
import { type LocalImage, type ParsedQuestion, pictureFields } from '../money/question.ts';

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
  readonly failure: string | null;
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
    if (file === null) return { failure: 'is missing or not a file', sizeBytes: 0 };
    const { flaw, sizeBytes } = file;
    return { failure: flaw ?? tooLarge(sizeBytes, maxImageBytes), sizeBytes };
  } catch (error) {
    return { failure: `cannot be read (${codeOf(error) || 'unknown error'})`, sizeBytes: 0 };
  }
}

const missingPicture = 'is not among the pictures that the run keeps; use the workbook that it came from';

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
): readonly string[] {
  const inline = inlineFailures(question, kept, maxImageBytes);
  let { bytes } = inline;
  const failures: string[] = [];
  for (const { field, written, path } of files) {
    const { failure = null, sizeBytes = 0 } = verdicts.get(path) ?? {};
    bytes += sizeBytes;
    if (failure !== null) failures.push(`${field}: ${shownEntry(written)} ${failure}`);
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
): { readonly bytes: number; readonly failures: readonly string[] } {
  let bytes = 0;
  const failures: string[] = [];
  for (const field of pictureFields) {
    for (const [at, image] of question[field].entries()) {
      const known = image.kind === 'kept' ? (kept.get(image.sha256) ?? null) : inlineBytes(image);
      const size = known ?? 0;
      const flaw = image.kind === 'inline' && isCutInline(image) ? 'is cut off' : null;
      const wrong = known === null ? missingPicture : (flaw ?? tooLarge(size, maxImageBytes));
      if (wrong !== null) failures.push(`${field}: image ${at + 1} ${wrong}`);
      bytes += size;
    }
  }
  return { bytes, failures };
}
