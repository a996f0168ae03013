/** One video in the list: its title, how the question begins, and its first picture. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { element } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { isElsewhere } from '../shared/images.ts';
import { ownTitle } from './videos.ts';
import { words } from './words.ts';

/** A card, and the texts that are to be shown in it. */
export interface Card {
  readonly video: PupilVideo;
  readonly element: HTMLLIElement;
  readonly texts: readonly (readonly [place: HTMLElement, text: string])[];
}

/** `placeOf` counts from 1; `level` is that of its heading. */
export function createCard(video: PupilVideo, placeOf: (video: PupilVideo) => number, level: number): Card {
  const title = ownTitle(video);
  const heading = element('div', { class: 'text card-title', role: 'heading', 'aria-level': level });
  const question = element('div', { class: 'text card-question' });
  const isNamed = title !== null || video.question === '';
  const link = element(
    'a',
    { class: 'open', href: `#${video.anchor}`, 'data-anchor': video.anchor },
    element('span', { class: 'play-sign', 'aria-hidden': 'true' }),
    element(
      'div',
      { class: 'card-words' },
      heading,
      isNamed && video.question !== '' ? question : null,
      video.id === null ? null : element('div', { class: 'card-id' }, video.id),
    ),
    thumbnail(video),
  );
  return {
    video,
    element: element('li', { class: 'card' }, link),
    texts: isNamed
      ? [
          [heading, title ?? words().untitled(formatNumber(placeOf(video)))],
          [question, video.question],
        ]
      : [[heading, video.question]],
  };
}

function thumbnail({ questionImages }: PupilVideo): HTMLElement | null {
  const source = questionImages.find((image) => !isElsewhere(image));
  if (source === undefined) return null;
  const picture = element('img', {
    class: 'thumb',
    src: source,
    alt: '',
    loading: 'lazy',
    decoding: 'async',
  });
  picture.addEventListener('error', () => picture.remove());
  return picture;
}
