/** Keyboard shortcuts, and the list that explains them. */

import { element } from './elements.ts';
import { sharedWords } from './words.ts';

/** Actions by key, as the browser names it; true where the key did something. */
export type KeyOrders = Readonly<Record<string, () => boolean>>;

/** Handles keys, except while the reader types. */
export function listenToKeys(orders: () => KeyOrders): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (isTaken(event.target, event.key)) return;
    const order = orders()[event.key];
    if (order?.() === true) event.preventDefault();
  });
}

/** Whether the focused control needs this key itself. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('textarea, select, input:not([type=checkbox], [type=range])')) return true;
  if (target.matches('video, input[type=range]')) return /^( |Arrow.*)$/.test(key);
  return key === ' ' && target.matches('button, a, summary, input');
}

/** Moves the focus by so many of these, from either end where none has it; false where there is no such one. */
export function stepFocus(all: readonly HTMLElement[], by: number): boolean {
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? all[by > 0 ? 0 : all.length - 1] : all[at + by];
  next?.focus();
  return next !== undefined;
}

/** The list that explains keys: those that do one thing, and what they do. */
export function createKeyList(list: readonly (readonly [keys: string, does: string])[]): HTMLDialogElement {
  const w = sharedWords();
  const lines = list.map(([keys, does]) => {
    const signs = keys.split(/\s+/).map((key) => element('kbd', {}, key));
    return element('div', {}, element('dt', {}, ...signs), element('dd', {}, does));
  });
  const close = element('button', { type: 'button', click: () => dialog.close() }, w.close);
  const dialog = element(
    'dialog',
    { class: 'key-list', 'aria-labelledby': 'keys-title' },
    element('h2', { id: 'keys-title' }, w.keysTitle),
    element('dl', {}, ...lines),
    close,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
