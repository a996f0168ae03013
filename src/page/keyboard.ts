/** Keyboard shortcuts, and the list that explains them. */

import type { Detail } from './detail/detail.ts';
import type { Go } from './list/shown.ts';
import type { Toolbar } from './list/toolbar.ts';
import type { Mark } from './marks/mark.ts';
import { element } from './shared/elements.ts';
import { words } from './words.ts';

/** Actions by key, as the browser names it; true where the key did something. */
export type KeyOrders = Readonly<Record<string, () => boolean>>;

/** What keys do beyond the parts of the page; true where they did something. */
export interface PageOrders {
  readonly go: Go;
  /** In the detail. */
  step(by: number): void;
  stepInList(by: number): boolean;
  /** Marks the open or the focused row. */
  judge(verdict: Mark['verdict']): boolean;
  /** Opens the focused row at its note. */
  writeNote(): boolean;
}

/** What each key does now. */
export function keyOrders(
  {
    detail,
    toolbar,
    keys,
  }: { readonly detail: Detail; readonly toolbar: Toolbar; readonly keys: HTMLDialogElement },
  { go, step, stepInList, judge, writeNote }: PageOrders,
): KeyOrders {
  if (keys.open) return {};
  const marks: KeyOrders = {
    g: () => judge('good'),
    b: () => judge('bad'),
    u: () => judge(null),
    '?': () => did(() => keys.showModal()),
  };
  if (detail.isOpen) {
    const next = () => did(() => step(1));
    const previous = () => did(() => step(-1));
    return {
      ...marks,
      j: next,
      ArrowDown: next,
      k: previous,
      ArrowUp: previous,
      ArrowRight: () => did(() => detail.stepFrame(1)),
      ArrowLeft: () => did(() => detail.stepFrame(-1)),
      ' ': () => did(detail.play),
      n: () => did(detail.focusNote),
      e: () => did(detail.correct),
      s: () => did(detail.switchAttempt),
      a: () => did(detail.compare),
      p: () => did(detail.prefer),
    };
  }
  return {
    ...marks,
    '/': () => did(() => toolbar.search.focus()),
    j: () => stepInList(1),
    k: () => stepInList(-1),
    t: () => did(() => go({ view: 'table', page: 1 })),
    v: () => did(() => go({ view: 'gallery', page: 1 })),
    n: writeNote,
  };
}

function did(order: () => void): true {
  order();
  return true;
}

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

export function createKeyList(): HTMLDialogElement {
  const w = words();
  const lines = w.keyList.map(([keys, does]) => {
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
