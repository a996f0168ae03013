/** All videos, chapter by chapter. They are drawn some at a time, so that the first ones are there at once. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { element } from '../shared/elements.ts';
import { stepFocus } from '../shared/keys.ts';
import { createTextWatch } from '../shared/text-watch.ts';
import { type Card, createCard } from './card.ts';

export interface List {
  readonly element: HTMLElement;
  /** Draws these, some at a time; they come in order within their chapters. */
  add(videos: readonly PupilVideo[]): void;
  /** Hides all others; null shows all. */
  narrow(found: ReadonlySet<PupilVideo> | null): void;
  /** Goes to the first video of a chapter. */
  jump(chapter: number): void;
  /** Moves the focus to this video, and brings it into view. */
  focus(video: PupilVideo): void;
  /** Moves the focus by so many videos. */
  step(by: number): boolean;
  /** Formulas can be drawn now. */
  showFormulas(): void;
}

/** Cards drawn before the browser next paints. */
const atOnce = 100;

interface Section {
  readonly element: HTMLElement;
  readonly cards: HTMLUListElement;
}

/** `placeOf` is the place of a video on the page, from 1. */
export function createList(chapters: readonly string[], placeOf: (video: PupilVideo) => number): List {
  const texts = createTextWatch();
  const drawn = new Map<PupilVideo, Card>();
  const sections = [null, ...chapters].map((name) => createSection(name));
  const whole = element(
    'div',
    { class: 'list', id: 'videos' },
    ...sections.map((section) => section.element),
  );
  const waiting: PupilVideo[] = [];
  let found: ReadonlySet<PupilVideo> | null = null;
  let frame = 0;

  const sectionOf = (chapter: number | null): Section | undefined =>
    sections[chapter === null ? 0 : chapter + 1];
  const draw = (count: number): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    for (const video of waiting.splice(0, count)) {
      const card = createCard(video, placeOf, video.chapter === null ? 2 : 3);
      for (const [place, text] of card.texts) texts.show(place, text);
      card.element.hidden = found?.has(video) === false;
      drawn.set(video, card);
      const section = sectionOf(video.chapter);
      section?.cards.append(card.element);
      if (section !== undefined && !card.element.hidden) section.element.hidden = false;
    }
    if (waiting.length > 0) frame = requestAnimationFrame(() => draw(atOnce));
  };
  const drawAll = () => draw(waiting.length);
  const links = () => [...whole.querySelectorAll<HTMLElement>('.card:not([hidden]) a.open')];

  return {
    element: whole,
    add(videos) {
      waiting.push(...videos);
      if (drawn.size === 0) draw(atOnce);
      else if (frame === 0) frame = requestAnimationFrame(() => draw(atOnce));
    },
    narrow(wanted) {
      found = wanted;
      const seen = new Set<Section | undefined>();
      for (const { video, element } of drawn.values()) {
        element.hidden = found?.has(video) === false;
        if (!element.hidden) seen.add(sectionOf(video.chapter));
      }
      for (const section of sections) section.element.hidden = !seen.has(section);
    },
    jump(chapter) {
      drawAll();
      const heading = sectionOf(chapter)?.element.querySelector('h2');
      heading?.scrollIntoView();
      heading?.focus({ preventScroll: true });
    },
    focus(video) {
      drawAll();
      const card = drawn.get(video)?.element;
      // What was not laid out before may have another height than was guessed.
      card?.scrollIntoView({ block: 'nearest' });
      card?.querySelector('a')?.focus({ preventScroll: true });
    },
    step: (by) => stepFocus(links(), by),
    showFormulas() {
      for (const card of drawn.values()) for (const [place, text] of card.texts) texts.show(place, text);
    },
  };
}

function createSection(name: string | null): Section {
  const cards = element('ul', { class: 'cards' });
  const heading = name === null ? null : element('h2', { tabindex: '-1' }, name);
  return { element: element('section', { hidden: true }, heading, cards), cards };
}
