/** The first row as it will be sent, in one line. */

import type { FirstImage, FirstRow } from '../../input/columns/first-row.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { renderByteSize } from '../../text/byte-size.ts';

/** More images of one row are counted. */
const namedImages = 4;

export function renderFirstRow(
  { row, place, id, question, answer, quality, images }: FirstRow,
  phrases: Phrases,
): string {
  const say = phrases.plan;
  const parts = [
    ...(id === null ? [] : [say.id(id)]),
    question === '' ? say.noText : say.question(question),
    ...(answer === '' ? [] : [say.answer(answer)]),
    ...(quality === null ? [] : [say.quality(quality)]),
    ...(images.length === 0 ? [] : [renderImages(images, phrases)]),
  ];
  return say.firstRowIs(say.firstRow(row === 1 ? null : place), parts);
}

function renderImages(images: readonly FirstImage[], { plan: say }: Phrases): string {
  const named = images
    .slice(0, namedImages)
    .map(({ kind, name, bytes }) =>
      say.image(say.imageKinds[kind], name, bytes === null ? null : renderByteSize(bytes)),
    );
  const more = images.length > namedImages ? [say.moreImages(images.length - namedImages)] : [];
  return say.rowImages(images.length, [...named, ...more]);
}
