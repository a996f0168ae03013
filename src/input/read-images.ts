/** Checks that the local images of rows exist and are whole images. */

import { codeOf } from '../errors.ts';
import { tooLarge } from '../files/image-size.ts';
import type { PictureFlaw } from '../files/picture-flaw.ts';
import type { LocalImage } from '../money/question.ts';

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
