/** The menu of marks: export, import, and redo the bad rows. */

import type { PageHeading } from '../../reports/page.ts';
import { marksFile, retryCommand } from '../commands.ts';
import type { Part, Shown } from '../list/shown.ts';
import { copyButton } from '../shared/copy.ts';
import { element, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { fileButton, saveAs } from '../text-files.ts';
import { words } from '../words.ts';
import type { Unsaved } from './review.ts';

export function createMarksMenu(): Part {
  const w = words();
  let shown: Shown | null = null;
  const count = element('span');
  const hint = element('p');
  const said = element('p', { class: 'said', role: 'status' });
  const command = element('code', { class: 'command' });
  const retry = element(
    'div',
    { class: 'retry' },
    element('b', {}, w.retry),
    element('p', {}, w.retryHint),
    command,
    copyButton(command),
  );
  const noBad = element('p', {}, w.noBad);
  const takeAway = () => {
    if (shown?.marks) saveAs(marksFile, shown.marks.exportCsv(shown.rows.all()));
  };
  const bringIn = (text: string) => {
    const { taken = 0, foreign = 0 } = shown?.marks?.importCsv(text) ?? {};
    const none = foreign > 0 ? w.importedForeign : w.importedNone;
    setText(said, taken === 0 ? none : w.imported(formatNumber(taken), taken === 1));
  };
  const buttons = element(
    'div',
    { class: 'buttons' },
    element('button', { type: 'button', id: 'export-marks', click: takeAway }, w.exportMarks),
    fileButton(w.importMarks, bringIn),
  );
  const body = element('div', { class: 'menu' }, hint, buttons, said, retry, noBad);
  const whole = createMenu(element('summary', {}, `${w.marks} `, count), body);

  return {
    element: whole,
    update(now) {
      shown = now;
      const { marks, heading, unsaved } = now;
      if (marks === null || heading === null) return;
      setText(hint, hintOf(heading, unsaved));
      const { good, bad, noted } = marks.count;
      setText(count, good + bad + noted === 0 ? '' : w.marksCount(formatNumber(good), formatNumber(bad)));
      retry.hidden = bad === 0;
      noBad.hidden = bad > 0;
      if (bad > 0)
        setText(
          command,
          retryCommand(heading, marks.badIds(), marks.isBadCorrected ? null : marks.badAttempt),
        );
    },
  };
}

/** Where the marks are kept. */
function hintOf({ reviewer }: PageHeading, { endsWithPage }: Unsaved): string {
  const w = words();
  if (reviewer !== undefined) return w.savedHint(reviewer);
  return endsWithPage ? w.notKept : w.marksHint;
}

/** Opens below its summary; a click elsewhere or Escape closes it. */
function createMenu(summary: HTMLElement, body: HTMLElement): HTMLDetailsElement {
  const menu = element('details', { class: 'marks-menu' }, summary, body);
  const close = () => {
    menu.open = false;
  };
  menu.addEventListener('toggle', () => {
    if (!menu.open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && menu.contains(event.target)) return;
      close();
    };
    document.addEventListener('pointerdown', outside);
    menu.addEventListener('toggle', () => document.removeEventListener('pointerdown', outside), {
      once: true,
    });
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.stopPropagation();
    close();
    summary.focus();
  });
  return menu;
}
