/** Pure. The first row of a file as it will be sent: a wrong column or encoding is seen in it before anything is paid. */

import type { Place } from '../../messages/input.ts';
import type { ImageSource, Quality, Question } from '../../money/item.ts';

export interface FirstRow {
  /** Data row, from 1. */
  readonly row: number;
  /** Where it is found in the file. */
  readonly place: Place;
  readonly id: string | null;
  /** Cut. */
  readonly question: string;
  /** Cut. */
  readonly answer: string;
  /** The row's own; null where it has none. */
  readonly quality: Quality | null;
  /** Those of the question, then those of the answer. */
  readonly images: readonly FirstImage[];
}

/** An image by kind and size. */
export interface FirstImage {
  readonly kind: ImageSource['kind'];
  /** The name of a file, or an address without its query, which may be a secret; null for none. */
  readonly name: string | null;
  /** null where unknown, as behind an address. */
  readonly bytes: number | null;
}

const shownCharacters = 200;

export function firstRowOf(
  { row, place }: Pick<FirstRow, 'row' | 'place'>,
  question: Question,
  images: readonly FirstImage[],
): FirstRow {
  const { id, quality } = question;
  return { row, place, id, question: cut(question.question), answer: cut(question.answer), quality, images };
}

/** By characters, not by halves of them. */
function cut(text: string): string {
  const characters = [...text.slice(0, 2 * shownCharacters + 2)];
  return characters.length <= shownCharacters ? text : `${characters.slice(0, shownCharacters).join('')}…`;
}

/** The name to show of an image: none where it is in the row itself. */
export function imageName(image: ImageSource): string | null {
  if (image.kind === 'file') return image.path.replace(/^.*[\\/]/s, '');
  return image.kind === 'url' ? cut(image.url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')) : null;
}
