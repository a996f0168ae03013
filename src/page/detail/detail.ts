/** One row, over the list: its pictures, texts and facts, and the reviewer's mark. */

import { markOf, type Part } from '../list/shown.ts';
import type { Mark } from '../marks/mark.ts';
import { element } from '../shared/elements.ts';
import { nextAttempt } from './attempts.ts';
import { createOpenRow, type OpenRow } from './open-row.ts';
import { createRowView, type RowOrders, type RowView } from './row-view.ts';

/** What the detail requests from the page. */
export interface DetailOrders {
  /** Shows the row this many places further. */
  step(by: number): void;
  /** The reader has closed it. */
  close(): void;
  /** Saves a mark. */
  mark(id: string, mark: Mark): void;
}

/** What keys and buttons do with the open row. */
interface RowActions {
  play(): void;
  stepFrame(by: number): void;
  judge(verdict: Mark['verdict']): void;
  focusNote(): void;
  /** Opens the editor of the texts. */
  correct(): void;
  /** Shows the video of the next attempt. */
  switchAttempt(): void;
  /** Shows two attempts side by side, or one again. */
  compare(): void;
  /** Lets the attempt on the screen stand for the row. */
  prefer(): void;
  /** Shows the texts again: formulas can be rendered now. */
  forget(): void;
}

/** The detail, open while the address names a row. */
export interface Detail extends Part, RowActions {
  readonly isOpen: boolean;
}

export function createDetail({ step, close, mark }: DetailOrders): Detail {
  const open = createOpenRow(mark);
  const choose = (attempt: number) => {
    const seen = view.isOne() ? open.choose(attempt) : null;
    if (seen !== null) view.showAttempt(seen, false);
  };
  const view = createRowView(open, {
    step,
    choose,
    judge: (verdict) => actions.judge(verdict),
    prefer: () => actions.prefer(),
    compare: () => actions.compare(),
  });
  const actions = createActions(open, view, { step, choose });
  const dialog = element('dialog', { class: 'detail', 'aria-labelledby': 'detail-id' }, ...view.elements);
  /** The address names a row; the reader may have closed the dialog since, which its event reports. */
  let isAddressed = false;
  const leave = () => {
    isAddressed = false;
    open.close();
    view.leave();
  };
  // This event is a task of its own. Where the page closed the dialog, the address may name a row again by now: that one stays open.
  dialog.addEventListener('close', () => {
    if (!isAddressed || dialog.open) return;
    leave();
    close();
  });
  dialog.addEventListener('cancel', (event) => {
    if (view.isOne()) return;
    event.preventDefault();
    actions.compare();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    ...actions,
    element: dialog,
    get isOpen() {
      return dialog.open;
    },
    update(shown) {
      const id = shown.address.row;
      if (id === null) {
        if (isAddressed) leave();
        dialog.close();
        return;
      }
      const { seen } = open;
      const row = seen?.row.id === id ? shown.rows.get(seen.row.key) : shown.rows.find(id);
      // The row may not be read yet.
      if (row === null && !shown.isRead) return;
      if (!isAddressed) dialog.showModal();
      isAddressed = true;
      if (row === null) {
        open.close();
        view.showNothing(id);
      } else view.showRow(open.open(row, markOf(shown, id)), shown, seen?.row.key !== row.key);
    },
  };
}

function createActions(
  open: OpenRow,
  view: RowView,
  { step, choose }: Pick<RowOrders, 'step' | 'choose'>,
): RowActions {
  return {
    play: view.play,
    stepFrame: view.stepFrame,
    judge(verdict) {
      if (!view.isOne()) return;
      open.judge(verdict);
      if (view.isFollowed() && verdict !== null) step(1);
    },
    focusNote: () => view.isOne() && view.focusNote(),
    correct: () => view.isOne() && view.correct(),
    switchAttempt() {
      const next = open.seen && nextAttempt(open.seen.row, open.seen.attempt);
      if (next !== null) choose(next);
    },
    compare: () => open.seen && view.compare(open.seen),
    prefer: () => open.seen && view.isOne() && open.prefer(open.seen.attempt),
    forget: view.forget,
  };
}
