/** Whether the local images of rows are there and are images. */

import { imageExtension } from '../core/file-kind.ts';
import type { LocalImage } from '../core/question.ts';
import { codeOf } from '../errors.ts';

/** First bytes of a local file; null when there is no such regular file. */
export type ReadHead = (path: string) => Promise<Uint8Array | null>;

/** Files looked at at once: enough to hide the disk's latency, few enough for the limit of open files. */
const atOnce = 32;
/** Answers kept: rows that share a figure stand near each other. */
const keptCount = 10_000;

/** Looks at local images and remembers the last answers. */
export interface ImageCheck {
  /** What is wrong with each of these images, by path, as the end of a sentence; null where nothing is. */
  look(images: readonly LocalImage[]): Promise<ReadonlyMap<string, string | null>>;
}

/** A check that reads files with `readHead`. */
export function createImageCheck(readHead: ReadHead): ImageCheck {
  const known = new Map<string, string | null>();
  return {
    async look(images) {
      if (known.size > keptCount) known.clear();
      const wanted = new Set(images.map(({ path }) => path).filter((path) => !known.has(path))).values();
      const lane = async (): Promise<void> => {
        for (const path of wanted) known.set(path, await judge(path, readHead));
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return known;
    },
  };
}

async function judge(path: string, readHead: ReadHead): Promise<string | null> {
  try {
    const head = await readHead(path);
    if (head === null) return 'is not there';
    return imageExtension(head) === null ? 'is not an image' : null;
  } catch (error) {
    return `cannot be read (${codeOf(error) || 'unknown error'})`;
  }
}
