/** What shows the sample, and all rows again. */

import { allRows } from '../address.ts';
import type { Go, Part } from '../list/shown.ts';
import { element, setAttribute } from '../shared/elements.ts';
import { words } from '../words.ts';

/** The button; hidden while there is no video to watch. */
export function createSampleButton(go: Go): Part {
  const w = words().sample;
  let isShown = false;
  const click = () => go({ ...allRows, sample: !isShown });
  const button = element('button', { type: 'button', id: 'sample', title: w.hint, click }, w.entry);
  return {
    element: button,
    update({ address, heading }) {
      isShown = address.sample;
      setAttribute(button, 'aria-pressed', `${isShown}`);
      button.hidden = !isShown && (heading?.counts.completed ?? 0) === 0;
    },
  };
}
