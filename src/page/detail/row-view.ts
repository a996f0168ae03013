/** What the detail shows of a row: an attempt with its marks, or two attempts side by side. */

import type { PageHeading } from '../../reports/page.ts';
import { unsavedText } from '../heading.ts';
import { othersOn, type Shown } from '../list/shown.ts';
import { createCorrections } from '../marks/corrections.ts';
import { type Mark, standingAttempt } from '../marks/mark.ts';
import { createSavedList } from '../marks/saved-list.ts';
import { createVerdictBar } from '../marks/verdict.ts';
import { sampleSentence } from '../sample/sentence.ts';
import { element, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { words } from '../words.ts';
import { type AttemptOrders, createAttemptBar, seenAt } from './attempts.ts';
import { createComparison, isComparable } from './comparison.ts';
import { createHead } from './head.ts';
import type { OpenRow, Seen } from './open-row.ts';
import { createPanes } from './panes.ts';

/** What the buttons of a row do. */
export interface RowOrders extends AttemptOrders {
  judge(verdict: Mark['verdict']): void;
  /** Shows the row this many places further. */
  step(by: number): void;
}

export type RowView = ReturnType<typeof createRowView>;

/** What is typed and preferred goes to the open row. */
export function createRowView(open: OpenRow, orders: RowOrders) {
  let heading: PageHeading | null = null;
  const bar = createVerdictBar(orders.judge, open.note);
  const attempts = createAttemptBar(orders);
  const comparison = createComparison(open.prefer, orders.compare);
  const head = createHead(orders.step);
  const corrections = createCorrections(open.correct, head.focus);
  const others = createSavedList();
  const sampled = element('p', { class: 'sample-line', role: 'status' });
  bar.element.append(sampled);
  const panes = createPanes(attempts.element, bar.element, others.element, corrections.element);
  const isOne = (): boolean => !comparison.isOpen;
  const showAttempt = ({ row, mark, attempt }: Seen, isNew: boolean) => {
    const seen = seenAt(row, attempt);
    panes.showPictures(seen, attempt, isNew);
    panes.showWhy(seen, heading);
    attempts.show(row, attempt, standingAttempt(row, mark));
    bar.show(mark, attempt, isNew);
  };
  const leave = () => {
    comparison.close();
    panes.compare(false);
  };
  return {
    elements: [head.element, panes.element, comparison.element],
    /** Marks are about the attempt on the screen: there is none while two are compared. */
    isOne,
    showAttempt,
    showRow(seen: Seen, shown: Shown, isNew: boolean): void {
      const { row, mark } = seen;
      heading = shown.heading;
      if (isNew && !isOne()) leave();
      if (isOne()) showAttempt(seen, isNew);
      else comparison.stand(standingAttempt(row, mark));
      bar.say(unsavedText(shown.unsaved), shown.unsaved.hasFailed);
      setText(sampled, shown.sample === null ? '' : sampleSentence(shown.sample.standing));
      others.show(othersOn(shown, row.id));
      corrections.show(row, mark, isNew);
      panes.showTexts(row, mark, shown.rows.columns, isNew);
      const place = shown.found.indexOf(row);
      const [number, count] = [formatNumber(place + 1), formatNumber(shown.found.length)];
      head.show(row.id, row, place, place < 0 ? '' : words().placeOf(number, count));
    },
    showNothing(id: string): void {
      panes.showNothing(id);
      head.show(id, null, null, '');
    },
    /** Shows two attempts, or one again. */
    compare(seen: Seen): void {
      if (!isOne()) {
        leave();
        showAttempt(seen, true);
        head.focus();
      } else if (isComparable(seen.row)) {
        panes.compare(true);
        comparison.open(seen.row, seen.attempt, standingAttempt(seen.row, seen.mark));
      }
    },
    /** Ends a comparison, and releases the files. */
    leave,
    play: () => (isOne() ? panes.play() : comparison.play()),
    stepFrame: panes.step,
    isFollowed: bar.isFollowed,
    focusNote: () => bar.note.focus(),
    correct: corrections.open,
    forget: panes.forget,
  };
}
