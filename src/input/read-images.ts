/** Checks that the local images of rows exist and are images. */

import { codeOf } from '../errors.ts';
import { imageExtension } from '../files/file-kind.ts';
import { tooLarge } from '../files/image-size.ts';
import type { LocalImage } from '../money/question.ts';

/** The start of a local file. */
interface FileHead {
  /** Its first bytes. */
  readonly head: Uint8Array;
  readonly sizeBytes: number;
}

/** Reads the start of a local file; null when there is no such regular file. */
export type ReadHead = (path: string) => Promise<FileHead | null>;

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

/** A check that reads files with `readHead` and accepts images up to this size. */
export function createImageCheck(readHead: ReadHead, maxImageBytes: number): ImageCheck {
  const known = new Map<string, ImageVerdict>();
  return {
    async look(images) {
      if (known.size > keptCount) known.clear();
      const wanted = new Set(images.map(({ path }) => path).filter((path) => !known.has(path))).values();
      const lane = async (): Promise<void> => {
        for (const path of wanted) known.set(path, await judge(path, readHead, maxImageBytes));
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return known;
    },
  };
}

async function judge(path: string, readHead: ReadHead, maxImageBytes: number): Promise<ImageVerdict> {
  try {
    const file = await readHead(path);
    if (file === null) return { failure: 'is missing or not a file', sizeBytes: 0 };
    const { head, sizeBytes } = file;
    const failure = imageExtension(head) === null ? 'is not an image' : tooLarge(sizeBytes, maxImageBytes);
    return { failure, sizeBytes };
  } catch (error) {
    return { failure: `cannot be read (${codeOf(error) || 'unknown error'})`, sizeBytes: 0 };
  }
}
