/** The pictures that the page of an export shows. They stay in its work folder until they are placed. */

import { hash } from 'node:crypto';
import { readPicture } from '../../../app/pictures/read-picture.ts';
import { imageExtension } from '../../../files/file-kind.ts';
import type { ImageSource } from '../../../money/item.ts';
import type { ExportFolder } from '../../../outputs/export-folder.ts';
import type { FileDigest, ImageFiles } from '../../../ports.ts';
import type { Checksum } from '../../../reports/manifest.ts';
import { shownAddress } from '../../../reports/page-row.ts';
import type { PupilImage } from '../../../reports/pupil-wire.ts';
import { type ListedFiles, printOf } from '../export-listed.ts';
import { picturePath } from './page-parts.ts';

/** A picture for the page. */
export interface TakenPicture {
  readonly shown: PupilImage;
  /** What is to be placed; null for an address, and for a picture that an earlier row has. */
  readonly file: (Checksum & FileDigest) | null;
}

/** Where pictures are read, and where they go. */
export interface PictureOptions {
  readonly images: ImageFiles;
  readonly folder: Pick<ExportFolder, 'has' | 'work'>;
  readonly listed: Pick<ListedFiles, 'isSure'>;
}

export class PagePictures {
  readonly #options: PictureOptions;
  /** Prints of paths. */
  readonly #taken = new Set<number>();

  constructor(options: PictureOptions) {
    this.#options = options;
  }

  /** Null for a picture that is not there any more, or is none. */
  async take(image: ImageSource): Promise<TakenPicture | null> {
    if (image.kind === 'url') return { shown: shownAddress(image.url), file: null };
    const { images, folder, listed } = this.#options;
    const bytes = (await readPicture(image, images))?.bytes ?? new Uint8Array();
    const extension = imageExtension(bytes);
    if (extension === null) return null;
    const sha256 = hash('sha256', bytes, 'hex');
    const path = picturePath(sha256, extension);
    const print = printOf(path);
    if (this.#taken.has(print)) return { shown: path, file: null };
    this.#taken.add(print);
    if (!(folder.has(path) && listed.isSure(path, sha256))) await folder.work.keep(path, bytes);
    return { shown: path, file: { path, sha256, sizeBytes: bytes.length } };
  }
}
