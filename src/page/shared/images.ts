/** The pictures of a question or an answer. */

import type { PageImage } from '../../reports/page-wire.ts';
import { element } from './elements.ts';
import { formatNumber } from './formats.ts';
import { sharedWords } from './words.ts';

/** The pictures as a list of this name; null where there are none. */
export function imagesOf(images: readonly PageImage[], name: string): HTMLElement | null {
  if (images.length === 0) return null;
  const shown = images.map((image, index) => element('li', {}, imageOf(image, index)));
  return element('ul', { class: 'images', 'aria-label': name }, ...shown);
}

export function isElsewhere(image: string): boolean {
  return /^https?:/i.test(image);
}

/** An image elsewhere is only linked to: the page sends no requests elsewhere. */
function imageOf(image: PageImage, index: number): HTMLElement {
  const w = sharedWords();
  if (image === null) return element('span', { class: 'absent' }, w.imageTooLarge);
  if (isElsewhere(image)) {
    const link = { href: image, target: '_blank', rel: 'noopener noreferrer' };
    // Without its query an address cannot be opened: it only identifies the image.
    const address = image.endsWith('?…') ? element('code', {}, image) : element('a', link, image);
    return element('span', {}, w.imageElsewhere, address);
  }
  const name = w.image(formatNumber(index + 1));
  const picture = element('img', { src: image, alt: name, loading: 'lazy', decoding: 'async' });
  picture.addEventListener('error', () => picture.replaceWith(element('span', { class: 'absent' }, name)));
  return picture;
}
