/** One row, over the list: its pictures, texts and facts, and the reviewer's mark. */

import type { PageHeading } from '../../reports/page.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { arrange, element, setText } from '../elements.ts';
import { factList, textSections, whySections } from '../facts.ts';
import { formatNumber } from '../formats.ts';
import { unsavedText } from '../heading.ts';
import { markOf, othersOn, type Part, type Shown } from '../list/shown.ts';
import { createCorrections } from '../marks/corrections.ts';
import { annotated, corrected, judged, type Mark, preferring, standingAttempt } from '../marks/mark.ts';
import { createSavedList } from '../marks/saved-list.ts';
import { createVerdictBar } from '../marks/verdict.ts';
import { statusLabel } from '../status.ts';
import { words } from '../words.ts';
import { createAttemptBar, firstAttempt, nextAttempt, seenAt } from './attempts.ts';
import { createComparison, isComparable } from './comparison.ts';
import { createStage } from './stage.ts';

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
  const head = createHead(orders);
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

/** Pictures and verdict on one side, texts and facts on the other. */
function createPanes(attempts: HTMLElement, bar: HTMLElement, others: HTMLElement, corrections: HTMLElement) {
  const stage = createStage();
  const texts = element('div', { class: 'text-body' });
  const why = element('div', { class: 'why' });
  const right = element('div', { class: 'texts' }, why, others, corrections, texts);
  const left = element('div', { class: 'left' }, stage.element, attempts, bar);
  const body = element('div', { class: 'detail-body' }, left, right);
  let staged: readonly unknown[] = [];
  /** The source of the texts: new frames do not change them, and the reader may have selected words. */
  let said = '';
  let saidWhy = '';
  /** Without pictures there is no screen. Why there is no video comes first. */
  const placePanes = ({ video, frames, failure }: PageRow): void => {
    const isEmpty = video === null && frames.length === 0;
    stage.element.hidden = isEmpty;
    body.classList.toggle('without-pictures', isEmpty);
    const areTextsFirst = isEmpty || (video === null && failure !== null);
    // A move would take the focus from what the reader types.
    if (!right.contains(document.activeElement)) arrange(body, areTextsFirst ? [right, left] : [left, right]);
  };
  return {
    element: body,
    /** `row` is as this attempt shows it. */
    showPictures(row: PageRow, attempt: number, isNew: boolean): void {
      left.hidden = false;
      placePanes(row);
      const next = [row.key, attempt, row.video, row.captions, row.frames.join('\n')];
      const isSameRow = staged[0] === row.key && !isNew;
      if (!isSameRow) stage.show(row, true);
      else if (staged[1] !== attempt) stage.swap(row);
      else if (next.some((one, at) => one !== staged[at])) stage.show(row, false);
      staged = next;
    },
    showWhy(row: PageRow, heading: PageHeading | null): void {
      const toSay = JSON.stringify([{ ...row, frames: null }, heading?.out]);
      if (toSay !== saidWhy) why.replaceChildren(...whySections(row, heading));
      saidWhy = toSay;
    },
    showTexts(row: PageRow, mark: Mark | null, isNew: boolean): void {
      corrections.hidden = false;
      const toSay = JSON.stringify([{ ...row, frames: null }, mark?.question, mark?.answer]);
      if (toSay !== said) texts.replaceChildren(...textSections(row, mark), factList(row));
      said = toSay;
      if (isNew) for (const pane of [body, right]) pane.scrollTo({ top: 0 });
    },
    showNothing(id: string): void {
      left.hidden = true;
      corrections.hidden = true;
      others.hidden = true;
      why.replaceChildren();
      said = '';
      saidWhy = '';
      texts.replaceChildren(element('p', { class: 'whole' }, words().noSuchRow(id)));
    },
    play: () => stage.play(),
    step: (by: number) => stage.step(by),
    /** Leaves its place to a comparison, and releases its files. */
    compare(isCompared: boolean): void {
      body.hidden = isCompared;
      staged = [];
      stage.leave();
    },
    forget(): void {
      said = '';
      saidWhy = '';
    },
  };
}

function createHead(orders: DetailOrders) {
  const w = words();
  const id = element('h2', { id: 'detail-id', tabindex: -1, autofocus: true });
  const about = element('span', { class: 'about' });
  const place = element('span', { class: 'place-in-list' });
  const button = (name: string, sign: string, keys: string, click: () => void) =>
    element('button', { type: 'button', title: `${name} (${keys})`, 'aria-label': name, click }, sign);
  const previous = button(w.previousRow, '‹', 'k', () => orders.step(-1));
  const next = button(w.nextRow, '›', 'j', () => orders.step(1));
  const close = button(w.close, '✕', 'Esc', () => close.closest('dialog')?.close());
  const buttons = element('div', { class: 'head-buttons' }, place, previous, next, close);
  return {
    element: element('header', { class: 'detail-head' }, id, about, buttons),
    focus: () => id.focus(),
    show(name: string, row: PageRow | null, at: number | null, said: string): void {
      setText(id, name);
      const number = row?.row === null ? w.gone : w.rowNumber(formatNumber(row?.row ?? 0));
      about.replaceChildren(...(row === null ? [] : [element('span', {}, number), statusLabel(row.status)]));
      setText(place, said);
      previous.disabled = at === 0;
    },
  };
}
