/** One video: the player, the question, the answer behind a fold, and the link. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { copyButton } from '../shared/copy.ts';
import { element, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { showText } from '../shared/formulas.ts';
import { imagesOf } from '../shared/images.ts';
import { createScreen, type Pictures } from '../shared/screen.ts';
import { createSpeed } from '../shared/speed.ts';
import { ownTitle } from './videos.ts';
import { words } from './words.ts';

/** Where a video stands among those found, and on the page; from 1. */
interface Place {
  readonly at: number;
  readonly of: number;
  readonly number: number;
}

export interface Watch {
  readonly element: HTMLElement;
  /** Shows another video. `chapter` is the name of its chapter. */
  show(video: PupilVideo, chapter: string | null, place: Place): void;
  /** Plays or pauses. */
  play(): void;
  focus(): void;
  /** Draws the texts anew: formulas can be drawn now. */
  showFormulas(): void;
  /** Stops, and releases the file. */
  leave(): void;
}

export function createWatch(step: (by: number) => void, back: () => void): Watch {
  const w = words();
  let draw = (): void => undefined;
  let pictures: Pictures = { video: null, captions: null, frames: [] };
  const play = () => {
    screen.toggle();
    screen.show(pictures, null);
  };
  const screen = createScreen(play);
  const bar = createBar(step, back);
  const title = element('h2', { tabindex: '-1' });
  const above = element('p', { class: 'above' });
  const texts = element('div', { class: 'watch-texts' });
  const left = element(
    'div',
    { class: 'watch-left' },
    screen.element,
    element('div', { class: 'options' }, createSpeed(screen)),
  );
  const right = element('div', { class: 'watch-right' }, above, title, texts);
  const body = element('div', { class: 'watch-body' }, left, right);

  return {
    element: element('article', { class: 'watch', hidden: true, 'aria-label': w.video }, bar.element, body),
    show(video, chapter, { at, of, number }) {
      // Only with a time in its address do phones of Apple show a picture of a video before it is played.
      pictures = { video: `${video.video}#t=0.001`, captions: video.captions, frames: [] };
      screen.put(pictures);
      screen.say('');
      screen.show(pictures, null);
      bar.show(at, of);
      setText(above, [chapter, video.id].filter((one) => one !== null).join(' · '));
      draw = () => {
        const own = ownTitle(video);
        title.replaceChildren();
        title.className = own === null ? 'unseen' : 'whole';
        if (own !== null) showText(title, own);
        else title.append(video.title || w.untitled(formatNumber(number)));
        texts.replaceChildren(...sectionsOf(video));
      };
      draw();
    },
    play,
    focus: () => title.focus({ preventScroll: true }),
    showFormulas: () => draw(),
    leave() {
      screen.clear();
      draw = () => undefined;
    },
  };
}

/** The way back, and to the videos before and after. */
function createBar(step: (by: number) => void, back: () => void) {
  const w = words();
  const place = element('span', { class: 'place-of' });
  const leap = (by: number, name: string, sign: string) =>
    element('button', { type: 'button', title: name, 'aria-label': name, click: () => step(by) }, sign);
  const previous = leap(-1, w.previous, '‹');
  const next = leap(1, w.next, '›');
  return {
    element: element(
      'div',
      { class: 'watch-bar' },
      element('button', { type: 'button', class: 'back', click: back }, `← ${w.back}`),
      element('span', { class: 'steps' }, place, previous, next),
    ),
    show(at: number, of: number): void {
      setText(place, w.placeOf(formatNumber(at), formatNumber(of)));
      previous.disabled = at <= 1;
      next.disabled = at >= of;
    },
  };
}

function sectionsOf(video: PupilVideo): HTMLElement[] {
  const w = words();
  const { question, answer } = video;
  const questionParts = [textOf(question), imagesOf(video.questionImages, w.questionImages)];
  const answerParts = [textOf(answer ?? ''), imagesOf(video.answerImages, w.answerImages)];
  const isThere = (parts: readonly (HTMLElement | null)[]): boolean => parts.some((part) => part !== null);
  return [
    isThere(questionParts) ? element('section', { class: 'question' }, ...questionParts) : null,
    isThere(answerParts)
      ? element('details', { class: 'answer' }, element('summary', {}, w.showAnswer), ...answerParts)
      : null,
    linkOf(video),
  ].filter((one) => one !== null);
}

function textOf(text: string): HTMLElement | null {
  if (text === '') return null;
  const shown = element('div', { class: 'whole' });
  showText(shown, text);
  return shown;
}

/** The address that others can open: the one that was given, or that of the page where it is on the web. */
function linkOf({ url, anchor }: PupilVideo): HTMLElement | null {
  const isOnWeb = /^https?:$/.test(location.protocol);
  const address = url ?? (isOnWeb ? `${location.href.replace(/#.*/, '')}#${anchor}` : null);
  if (address === null) return null;
  const text = element('span', {}, address);
  return element(
    'section',
    { class: 'link' },
    element('h3', {}, words().link),
    element('p', {}, element('a', { href: address }, text), copyButton(text)),
  );
}
