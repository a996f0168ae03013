/** One row, over the list: its pictures, texts and facts, and the reviewer's mark. */

import type { PageHeading } from '../../reports/page.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { element } from '../elements.ts';
import { formatNumber } from '../formats.ts';
import { unsavedText } from '../heading.ts';
import { markOf, othersOn, type Part, type Shown } from '../list/shown.ts';
import { createCorrections } from '../marks/corrections.ts';
import { annotated, corrected, judged, type Mark, preferring, standingAttempt } from '../marks/mark.ts';
import { createSavedList } from '../marks/saved-list.ts';
import { createVerdictBar } from '../marks/verdict.ts';
import { words } from '../words.ts';
import { createAttemptBar, firstAttempt, nextAttempt, seenAt } from './attempts.ts';
import { createComparison, isComparable } from './comparison.ts';
import { createHead } from './head.ts';
import { createPanes } from './panes.ts';

/** What the detail requests from the page. */
export interface DetailOrders {
  /** Shows the row this many places further. */
  step(by: number): void;
  /** The reader has closed it. */
  close(): void;
  /** Saves a mark. */
  mark(id: string, mark: Mark): void;
}

/** The detail, open while the address names a row. */
export interface Detail extends Part {
  readonly isOpen: boolean;
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

/** The row on the screen. */
interface Seen {
  readonly row: PageRow;
  readonly mark: Mark | null;
  /** The attempt whose video is on the screen: marks are about it. */
  readonly attempt: number;
}

export function createDetail(orders: DetailOrders): Detail {
  const w = words();
  let now: Seen | null = null;
  let heading: PageHeading | null = null;
  const change = (edit: (seen: Seen) => Mark) => {
    if (now !== null) orders.mark(now.row.id, edit(now));
  };
  /** Marks are about the attempt on the screen: there is none while two are compared. */
  const isOne = (): boolean => !comparison.isOpen;
  const note = (text: string) => change(({ mark, attempt }) => annotated(mark, text, attempt));
  const judge = (verdict: Mark['verdict']) => {
    if (!isOne()) return;
    change(({ mark, attempt }) => judged(mark, verdict, attempt));
    if (bar.isFollowed() && verdict !== null) orders.step(1);
  };
  const prefer = (attempt: number | undefined) => {
    if (attempt === undefined || now === null || now.row.videos.length === 0) return;
    change(({ row, mark }) => preferring(mark, attempt === row.attempts ? 'latest' : attempt, attempt));
  };
  const compare = () => {
    if (now === null) return;
    if (comparison.isOpen) {
      comparison.close();
      panes.compare(false);
      showSeen(now, true);
      head.focus();
    } else if (isComparable(now.row)) {
      panes.compare(true);
      comparison.open(now.row, now.attempt, standingAttempt(now.row, now.mark));
    }
  };
  const choose = (attempt: number | null) => {
    if (now === null || attempt === null || !isOne()) return;
    now = { ...now, attempt };
    showSeen(now, false);
  };
  const bar = createVerdictBar(judge, note);
  const attempts = createAttemptBar({ choose, prefer: () => prefer(now?.attempt), compare });
  const comparison = createComparison(prefer, compare);
  const corrections = createCorrections(
    (field, text) =>
      change(({ row, mark, attempt }) => corrected(mark, field, text, { own: row[field], attempt })),
    () => head.focus(),
  );
  const head = createHead(orders.step);
  const others = createSavedList();
  const panes = createPanes(attempts.element, bar.element, others.element, corrections.element);
  const dialog = element('dialog', { class: 'detail', 'aria-labelledby': 'detail-id' });
  dialog.append(head.element, panes.element, comparison.element);
  /** The address names a row; the reader may have closed the dialog since, which its event tells. */
  let isAddressed = false;
  const leave = () => {
    isAddressed = false;
    now = null;
    comparison.close();
    panes.compare(false);
  };
  // This event is a task of its own. Where the page closed the dialog, the address may name a row again by now: that one stays open.
  dialog.addEventListener('close', () => {
    if (!isAddressed || dialog.open) return;
    leave();
    orders.close();
  });
  dialog.addEventListener('cancel', (event) => {
    if (isOne()) return;
    event.preventDefault();
    compare();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });

  const showSeen = ({ row, mark, attempt }: Seen, isNew: boolean) => {
    const seen = seenAt(row, attempt);
    panes.showPictures(seen, attempt, isNew);
    panes.showWhy(seen, heading);
    attempts.show(row, attempt, standingAttempt(row, mark));
    bar.show(mark, attempt, isNew);
  };
  const showRow = (row: PageRow, shown: Shown) => {
    const isNew = now?.row.key !== row.key;
    const mark = markOf(shown, row.id);
    const isKept = !isNew && now?.row.attempts === row.attempts;
    const attempt = isKept && now !== null ? now.attempt : firstAttempt(row, mark);
    now = { row, mark, attempt };
    heading = shown.heading;
    if (isNew && comparison.isOpen) {
      comparison.close();
      panes.compare(false);
    }
    if (isOne()) showSeen(now, isNew);
    else comparison.stand(standingAttempt(row, mark));
    bar.say(unsavedText(shown.unsaved));
    others.show(othersOn(shown, row.id));
    corrections.show(row, mark, isNew);
    panes.showTexts(row, mark, isNew);
    const place = shown.found.indexOf(row);
    const count = formatNumber(shown.found.length);
    head.show(row.id, row, place, place < 0 ? '' : w.placeOf(formatNumber(place + 1), count));
  };

  return {
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
      const row = now?.row.id === id ? shown.rows.get(now.row.key) : shown.rows.find(id);
      // The row may not be read yet.
      if (row === null && !shown.isRead) return;
      if (!isAddressed) dialog.showModal();
      isAddressed = true;
      if (row !== null) {
        showRow(row, shown);
        return;
      }
      now = null;
      panes.showNothing(id);
      head.show(id, null, null, '');
    },
    play: () => (isOne() ? panes.play() : comparison.play()),
    stepFrame: panes.step,
    judge,
    focusNote: () => isOne() && bar.note.focus(),
    correct: () => isOne() && corrections.open(),
    switchAttempt: () => choose(now === null ? null : nextAttempt(now.row, now.attempt)),
    compare,
    prefer: () => isOne() && prefer(now?.attempt),
    forget: panes.forget,
  };
}
