/** Serves one picture of a question, for the page that shows its row. */

import { type PictureBytes, readPicture } from '../../app/pictures/read-picture.ts';
import { readSent } from '../../money/sent-question.ts';
import { asStanding } from '../../money/standing-attempt.ts';
import type { ImageFiles } from '../../ports.ts';
import type { ImagePlace } from '../../reports/page-row.ts';
import type { RunWatch } from '../../stores/port/reading.ts';

/**
 * The picture at that place; null where there is none, where it is an address, and where a local file is not an image.
 */
export async function showImage(
  watch: Pick<RunWatch, 'reportRowsOf'>,
  files: ImageFiles,
  { key, field, index }: ImagePlace,
): Promise<PictureBytes | null> {
  const [row] = await watch.reportRowsOf([key]);
  if (row === undefined) return null;
  const image = readSent(asStanding(row)).question[field][index];
  return image === undefined ? null : readPicture(image, files);
}
