/** Pure. The files that the page of an export is made of, besides the videos. */

import { imageExtensions } from '../../../files/file-kind.ts';

export const pagePath = 'index.html';

/** Path of a picture by its bytes: the same one in several questions is one file. */
export function picturePath(sha256: string, extension: string): string {
  return `pictures/${sha256.slice(0, 24)}.${extension}`;
}

/** True for such a file: unlike an exported video it can be made again at any time. */
export function isPagePart(path: string): boolean {
  return path === pagePath || imageExtensions.some((extension) => path.endsWith(`.${extension}`));
}
