/** What each key does in `report.html`. */

import type { Detail } from './detail/detail.ts';
import type { Go } from './list/shown.ts';
import type { Toolbar } from './list/toolbar.ts';
import type { Mark } from './marks/mark.ts';
import type { KeyOrders } from './shared/keys.ts';

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
