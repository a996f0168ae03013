/** The rows as cards with their latest picture. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element } from '../shared/elements.ts';
import { formatDuration, formatNumber } from '../shared/formats.ts';
import { statusLabel } from '../status.ts';
import { words } from '../words.ts';
import type { Entry } from './entry.ts';
import { suspectLine } from './suspects.ts';
import { failureLine, markSign, noText, openOnClick, signsOf } from './table.ts';

/** One card of the gallery. */
export function createCard({ row, mark, others, own, link, showText }: Entry): HTMLLIElement {
  const open = element('a', { class: 'open', href: link, 'data-id': row.id }, row.id);
  const question = element('div', { class: 'text' });
  if (row.question === '') question.append(noText(row));
  else showText(question, row.question);
  const facts = [
    own === null || own.text === '' ? null : own.text,
    row.points === null ? null : words().points(formatNumber(row.points), row.points === 1),
    row.seconds === null ? null : formatDuration(row.seconds),
  ].filter((fact) => fact !== null);
  return element(
    'li',
    { class: `card ${row.status}`, click: openOnClick(open) },
    createPoster(row),
    element(
      'div',
      { class: 'card-head' },
      open,
      statusLabel(row.status),
      markSign(mark, row),
      ...signsOf(others, row),
    ),
    question,
    failureLine(row),
    suspectLine(row),
    element('div', { class: 'card-facts' }, facts.join(' · ')),
  );
}

/** The latest picture; moving the pointer across it shows the earlier ones. */
function createPoster(row: PageRow): HTMLElement {
  const last = row.frames.at(-1);
  const poster = element('div', { class: 'poster' });
  if (last === undefined) {
    poster.append(element('span', {}, words().noFrames));
    return poster;
  }
  const image = element('img', { src: last, alt: '', loading: 'lazy', decoding: 'async' });
  const place = element('i', { class: 'place' });
  const show = (share: number): void => {
    const index = Math.min(row.frames.length - 1, Math.floor(share * row.frames.length));
    const frame = row.frames[index] ?? last;
    if (image.getAttribute('src') !== frame) image.src = frame;
    place.style.setProperty('inline-size', `${((index + 1) / row.frames.length) * 100}%`);
  };
  image.addEventListener('error', () => poster.replaceChildren(element('span', {}, words().frameMissing)));
  poster.append(image, place);
  if (row.frames.length > 1) {
    poster.addEventListener('pointermove', (event) => {
      if (event.pointerType !== 'mouse') return;
      const { left, width } = poster.getBoundingClientRect();
      show(Math.max(0, (event.clientX - left) / width));
    });
    poster.addEventListener('pointerleave', () => show(1));
  }
  return poster;
}
