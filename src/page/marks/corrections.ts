/** The editor of the open row: a corrected question or answer, with its formulas as they will look. */

import type { PageRow } from '../../reports/page-wire.ts';
import { hasFormula } from '../../text/formulas.ts';
import { element, keySign } from '../shared/elements.ts';
import { showText } from '../shared/formulas.ts';
import { words } from '../words.ts';
import type { Mark } from './mark.ts';

/** The texts that a reviewer can correct. */
export type TextField = 'question' | 'answer';

/** An editor above the texts, closed until it is asked for. */
export interface CorrectionEditor {
  readonly element: HTMLElement;
  /** `isNew` where another row is shown than before. */
  show(row: PageRow, mark: Mark | null, isNew: boolean): void;
  open(): void;
}

/** `correct` receives each text as it is typed; `leave` gets the focus when the editor closes. */
export function createCorrections(
  correct: (field: TextField, text: string) => void,
  leave: () => void,
): CorrectionEditor {
  const w = words();
  const fields = { question: createField('question', correct), answer: createField('answer', correct) };
  const both = [fields.question, fields.answer];
  const open = () => {
    start.hidden = true;
    form.hidden = false;
    for (const field of both) field.preview();
    fields.question.area.focus();
  };
  const close = () => {
    start.hidden = false;
    form.hidden = true;
  };
  const done = () => {
    close();
    leave();
  };
  const start = element(
    'button',
    { type: 'button', class: 'correct', 'aria-keyshortcuts': 'e', click: open },
    `✎ ${w.correct} `,
    keySign('e'),
  );
  const form = element(
    'div',
    {
      class: 'correction',
      hidden: true,
      keydown: (event) => {
        const { key, isComposing } = event as KeyboardEvent;
        if (key !== 'Escape' || isComposing) return;
        // Closes the editor, and not the row.
        event.preventDefault();
        event.stopPropagation();
        done();
      },
    },
    ...both.map((field) => field.element),
    element('p', { class: 'hint' }, w.correctHint),
    element('button', { type: 'button', click: done }, `${w.correctDone} (Esc)`),
  );
  return {
    element: element('div', { class: 'corrections' }, start, form),
    show(row, mark, isNew) {
      if (isNew) close();
      for (const name of ['question', 'answer'] as const)
        fields[name].show(mark?.[name] ?? row[name], row[name], isNew);
    },
    open,
  };
}

function createField(name: TextField, correct: (field: TextField, text: string) => void) {
  const w = words();
  let own = '';
  const area = element('textarea', {
    class: 'corrected-text',
    rows: 3,
    'aria-label': w.correctField[name],
    spellcheck: 'false',
    input: () => change(area.value),
  });
  const shown = element('div', { class: 'whole', 'aria-hidden': 'true' });
  const preview = () => {
    shown.replaceChildren();
    // Without a formula it would be the same text twice.
    shown.hidden = !hasFormula(area.value);
    if (!shown.hidden) showText(shown, area.value);
    reset.disabled = area.value === own;
  };
  const change = (text: string) => {
    preview();
    correct(name, text);
  };
  const reset = element(
    'button',
    {
      type: 'button',
      disabled: true,
      click: () => {
        area.value = own;
        change(own);
        area.focus();
      },
    },
    w.correctReset,
  );
  const head = element('div', { class: 'correction-head' }, element('h3', {}, w.correctField[name]), reset);
  return {
    element: element('section', {}, head, area, shown),
    area,
    preview,
    show(text: string, original: string, isNew: boolean): void {
      own = original;
      // While the reader types, the field is ahead of what is saved.
      if (!isNew && document.activeElement === area) return;
      if (area.value !== text || isNew) area.value = text;
      if (area.offsetParent !== null) preview();
    },
  };
}
