/** The list of chapters to jump to: beside the videos, or folded above them on a phone. */

import type { PupilVideo } from '../../reports/pupil-wire.ts';
import { element, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { words } from './words.ts';

export interface Chapters {
  readonly element: HTMLElement;
  /** Counts these; a chapter without one cannot be chosen. */
  show(found: readonly PupilVideo[]): void;
}

const wide = matchMedia('(min-width: 60rem)');

export function createChapters(names: readonly string[], jump: (chapter: number) => void): Chapters {
  const entries = names.map((name, chapter) => {
    const count = element('small');
    const click = () => {
      if (!wide.matches) fold.open = false;
      jump(chapter);
    };
    const button = element('button', { type: 'button', click }, element('span', {}, name), count);
    return { chapter, button, count };
  });
  const fold = element(
    'details',
    { open: wide.matches },
    element('summary', {}, words().chapters),
    element('ol', {}, ...entries.map(({ button }) => element('li', {}, button))),
  );
  wide.addEventListener('change', () => {
    fold.open = wide.matches;
  });
  const whole = element('nav', { class: 'chapters', 'aria-label': words().chapters }, fold);
  whole.hidden = names.length === 0;
  return {
    element: whole,
    show(found) {
      for (const { chapter, button, count } of entries) {
        const own = found.filter((video) => video.chapter === chapter).length;
        setText(count, formatNumber(own));
        button.disabled = own === 0;
      }
    },
  };
}
