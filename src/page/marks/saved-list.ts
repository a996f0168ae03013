/** Marks of others in the open row, to be read. */

import type { WireMark } from '../../money/review/review-wire.ts';
import { element } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { showText } from '../shared/formulas.ts';
import { words } from '../words.ts';

/** An empty list. */
export function createSavedList() {
  const list = element('ul', { class: 'saved-marks', hidden: true, 'aria-label': words().savedMarks });
  let shown: readonly WireMark[] = [];
  return {
    element: list,
    show(marks: readonly WireMark[]): void {
      list.hidden = marks.length === 0;
      if (marks !== shown) list.replaceChildren(...marks.map(lineOf));
      shown = marks;
    },
  };
}

function lineOf({ reviewer, mark, note, attempt, question, answer }: WireMark): HTMLElement {
  const w = words();
  const verdict = mark === '' ? null : w.markedOn[mark](formatNumber(attempt));
  const said = [verdict, note].filter((text) => text !== null && text !== '').join(' – ');
  const text = (name: string, content: string | null): HTMLElement | null => {
    if (content === null) return null;
    const shown = element('div', { class: 'whole' }, `${name}: `);
    showText(shown, content);
    return shown;
  };
  return element(
    'li',
    {},
    element('b', {}, reviewer === '' ? w.someReviewer : reviewer),
    element('span', { class: 'whole' }, said === '' ? '' : ` ${said}`),
    text(w.correctField.question, question),
    text(w.correctField.answer, answer),
  );
}
