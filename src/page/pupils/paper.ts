/** The printed page: title, question, its pictures and the QR code of each video, without players. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { drawQr } from '../../reports/qr-modules.ts';
import { drawing, element } from '../shared/elements.ts';
import { showText } from '../shared/formulas.ts';
import { imagesOf } from '../shared/images.ts';
import { ownTitle } from './videos.ts';
import { words } from './words.ts';

/** Fills the print area with these videos, which are in the order of the page. */
export function fillPaper(
  paper: HTMLElement,
  videos: readonly PupilVideo[],
  chapters: readonly string[],
): void {
  paper.replaceChildren();
  let chapter: number | null = null;
  for (const video of videos) {
    if (video.chapter !== null && video.chapter !== chapter)
      paper.append(element('h2', { class: 'whole' }, chapters[video.chapter] ?? ''));
    chapter = video.chapter;
    paper.append(printed(video));
  }
}

function printed(video: PupilVideo): HTMLElement {
  const { question, id, url, qr } = video;
  const title = ownTitle(video);
  const line = (name: string, text: string | null): HTMLElement | null => {
    if (text === null || text === '') return null;
    const shown = element('div', { class: `whole ${name}` });
    showText(shown, text);
    return shown;
  };
  const address = url === null ? null : element('div', { class: 'address' }, url);
  const images = imagesOf(video.questionImages, words().questionImages);
  return element(
    'div',
    { class: 'entry' },
    element('div', {}, line('entry-title', title), line('', question), images, line('address', id), address),
    qr === null ? null : qrCode(qr),
  );
}

function qrCode(packed: string): SVGSVGElement {
  const { size, path } = drawQr(packed);
  return drawing(
    'svg',
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': words().qrCode },
    drawing('path', { d: `M0 0h${size}v${size}H0z`, fill: '#fff' }),
    drawing('path', { d: path, fill: '#000' }),
  );
}
