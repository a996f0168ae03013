/** Reads what the first row of a file will send, its pictures included. */

import { statSync } from 'node:fs';
import { inlineBytes } from '../../files/image-size.ts';
import { type FirstRow, firstRowOf, imageName } from '../../input/columns/first-row.ts';
import type { Place } from '../../messages/input.ts';
import type { ImageSource } from '../../money/item.ts';
import { parseQuestion } from '../../money/parse-question.ts';
import type { IncomingRow, Source } from '../../money/question.ts';
import { pathOnDisk } from '../../outputs/pictures/path-on-disk.ts';

/** `keptSize`: bytes of a picture of a workbook, by digest. */
export async function readFirstRow(
  { row, input }: Pick<IncomingRow, 'row' | 'input'>,
  place: Place,
  source: Source,
  keptSize: (sha256: string) => Promise<number | null>,
): Promise<FirstRow> {
  const { question } = parseQuestion(input, source);
  const bytesOf = async (image: ImageSource): Promise<number | null> => {
    if (image.kind === 'inline') return inlineBytes(image);
    if (image.kind === 'kept') return keptSize(image.sha256);
    return image.kind === 'file'
      ? (statSync(pathOnDisk(image.path), { throwIfNoEntry: false })?.size ?? null)
      : null;
  };
  const images = [];
  for (const image of [...question.questionImages, ...question.answerImages])
    images.push({ kind: image.kind, name: imageName(image), bytes: await bytesOf(image) });
  return firstRowOf({ row, place }, question, images);
}
