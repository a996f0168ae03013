/** The body of the detail: pictures and verdict on one side, texts and facts on the other. */

import type { PageHeading } from '../../reports/page.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { factList, ownSection, textSections, whySections } from '../facts.ts';
import type { Mark } from '../marks/mark.ts';
import { arrange, element } from '../shared/elements.ts';
import { words } from '../words.ts';
import { createStage } from './stage.ts';

/** Places the parts that show the attempts, the verdict, the marks of others and the corrections. */
export function createPanes(
  attempts: HTMLElement,
  bar: HTMLElement,
  others: HTMLElement,
  corrections: HTMLElement,
) {
  const stage = createStage();
  const texts = element('div', { class: 'text-body' });
  const why = element('div', { class: 'why' });
  const right = element('div', { class: 'texts' }, why, others, corrections, texts);
  const left = element('div', { class: 'left' }, stage.element, attempts, bar);
  const body = element('div', { class: 'detail-body' }, left, right);
  let staged: readonly unknown[] = [];
  /** The sources of what is shown: new frames do not change them, and the reader may have selected words. */
  let shown = { texts: '', why: '' };
  const forget = (): void => {
    shown = { texts: '', why: '' };
  };
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
      const source = JSON.stringify([{ ...row, frames: null }, heading?.out]);
      if (source !== shown.why) why.replaceChildren(...whySections(row, heading));
      shown.why = source;
    },
    showTexts(row: PageRow, mark: Mark | null, columns: readonly string[], isNew: boolean): void {
      corrections.hidden = false;
      const source = JSON.stringify([{ ...row, frames: null }, mark?.question, mark?.answer, columns]);
      if (source !== shown.texts) {
        const own = ownSection(row, columns);
        texts.replaceChildren(...textSections(row, mark), ...(own === null ? [] : [own]), factList(row));
      }
      shown.texts = source;
      if (isNew) for (const pane of [body, right]) pane.scrollTo({ top: 0 });
    },
    showNothing(id: string): void {
      for (const part of [left, corrections, others]) part.hidden = true;
      why.replaceChildren();
      forget();
      texts.replaceChildren(element('p', { class: 'whole' }, words().noSuchRow(id)));
    },
    play: stage.play,
    step: stage.step,
    /** Leaves its place to a comparison, and releases its files. */
    compare(isCompared: boolean): void {
      body.hidden = isCompared;
      staged = [];
      stage.leave();
    },
    forget,
  };
}
