/** The images of a run's rows: local files, and the pictures of workbooks that the run keeps. */

import { tooLarge } from '../../files/image-size.ts';
import { keptPath } from '../../files/output-paths.ts';
import { pictureError } from '../../files/picture-flaw.ts';
import { localImages } from '../../outputs/pictures/local-images.ts';
import { pictureFolder } from '../../outputs/pictures/picture-folder.ts';
import type { ImageFiles } from '../../ports.ts';

/** `out` is the output folder (absolute). */
export function imagesOf(out: string): ImageFiles {
  const pictures = pictureFolder(out);
  return {
    read: localImages.read,
    async readKept(sha256, maxBytes = Number.POSITIVE_INFINITY) {
      const flaw = tooLarge((await pictures.sizeOf(sha256)) ?? 0, maxBytes);
      if (flaw !== null) throw pictureError(keptPath(sha256), flaw);
      return pictures.read(sha256);
    },
  };
}
