/** How fast videos play, saved for the next one and the next visit. */

import { element } from './elements.ts';
import type { Screen } from './screen.ts';
import { recall, remember } from './settings.ts';
import { sharedWords } from './words.ts';

const speeds = ['0.5', '1', '1.25', '1.5', '2', '3'];

/** The choice, with its name; the screen plays as fast as was chosen before. */
export function createSpeed(screen: Pick<Screen, 'setSpeed'>): HTMLElement {
  const w = sharedWords();
  const remembered = recall('speed') ?? '1';
  const options = speeds.map((speed) =>
    element('option', { value: speed, selected: speed === remembered }, `${speed}×`),
  );
  const choose = () => {
    remember('speed', select.value);
    screen.setSpeed(Number(select.value));
  };
  const select = element('select', { 'aria-label': w.speed, change: choose }, ...options);
  screen.setSpeed(Number(select.value));
  return element('label', {}, `${w.speed} `, select);
}
