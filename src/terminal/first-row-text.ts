/** The first row as it will be sent, in one line. */

import type { FirstImage, FirstRow } from '../core/first-row.ts';
import { renderByteSize } from '../core/text/byte-size.ts';
import { renderNumber } from './numbers.ts';

/** More images of one row are counted. */
const namedImages = 4;

export function renderFirstRow({ row, id, question, answer, quality, images }: FirstRow): string {
  const which = row === 1 ? 'first row' : `first row that can be sent (row ${renderNumber(row)})`;
  const parts = [
    ...(id === null ? [] : [`id ${id}`]),
    question === '' ? 'no text' : `question "${question}"`,
    ...(answer === '' ? [] : [`answer "${answer}"`]),
    ...(quality === null ? [] : [`quality ${quality}`]),
    ...(images.length === 0 ? [] : [renderImages(images)]),
  ];
  return `${which}: ${parts.join(', ')}`;
}

function renderImages(images: readonly FirstImage[]): string {
  const named = images.slice(0, namedImages).map(renderImage);
  const more = images.length > namedImages ? [`${renderNumber(images.length - namedImages)} more`] : [];
  const count = `${renderNumber(images.length)} ${images.length === 1 ? 'image' : 'images'}`;
  return `${count}: ${[...named, ...more].join(', ')}`;
}

const kinds = { file: 'file', inline: 'in the row itself', kept: 'in a cell', url: 'address' } as const;

function renderImage({ kind, name, bytes }: FirstImage): string {
  const size = bytes === null ? '' : ` (${renderByteSize(bytes)})`;
  return `${kinds[kind]}${name === null ? '' : ` ${name}`}${size}`;
}
