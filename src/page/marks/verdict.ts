/** The controls a reviewer marks a video with. */

import { element, keySign, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { recall, remember } from '../shared/settings.ts';
import { words } from '../words.ts';
import { type Mark, verdictElsewhere, verdictNow } from './mark.ts';

/** The buttons and the note of the open row. */
export interface VerdictBar {
  readonly element: HTMLElement;
  readonly note: HTMLTextAreaElement;
  /** `attempt` is on the screen; `isNew` where another row is shown than before. */
  show(mark: Mark | null, attempt: number, isNew: boolean): void;
  /** What is said of what is not saved; '' where all is. */
  say(unsaved: string, hasFailed: boolean): void;
  /** Whether a mark leads to the next row. */
  isFollowed(): boolean;
}

/** Buttons that give a verdict, and a note that is saved as it is typed. */
export function createVerdictBar(
  judge: (verdict: Mark['verdict']) => void,
  write: (note: string) => void,
): VerdictBar {
  const w = words();
  const verdicts = [
    { verdict: 'good', name: w.good, sign: '✓', key: 'g' },
    { verdict: 'bad', name: w.bad, sign: '✕', key: 'b' },
    { verdict: null, name: w.unmark, sign: '', key: 'u' },
  ] as const;
  const buttons = verdicts.map(({ verdict, name, sign, key }) =>
    element(
      'button',
      {
        type: 'button',
        class: `verdict ${verdict ?? 'none'}`,
        'aria-keyshortcuts': key,
        click: () => judge(verdict),
      },
      `${sign} ${name} `,
      keySign(key),
    ),
  );
  const note = element('textarea', {
    class: 'note',
    rows: 1,
    'aria-label': w.note,
    placeholder: w.notePlaceholder,
    'aria-keyshortcuts': 'n',
    input: () => write(note.value),
    keydown: (event) => {
      const { key, isComposing } = event as KeyboardEvent;
      if (key !== 'Escape' || isComposing) return;
      // Leaves the note, and does not close the row.
      event.preventDefault();
      event.stopPropagation();
      note.blur();
    },
  });
  const follow = element('input', { type: 'checkbox', checked: recall('next-after-mark') === 'yes' });
  follow.addEventListener('change', () => remember('next-after-mark', follow.checked ? 'yes' : 'no'));
  const group = element('div', { class: 'group', role: 'group', 'aria-label': w.mark }, ...buttons);
  const elsewhere = element('span', { class: 'mark-before', hidden: true });
  const unsaved = element('span', { class: 'unsaved', role: 'status' });
  const label = element('label', { class: 'follow' }, follow, ` ${w.nextAfterMark}`);
  return {
    element: element('div', { class: 'verdict-bar' }, group, elsewhere, note, label, unsaved),
    note,
    show(mark, attempt, isNew) {
      const verdict = verdictNow(mark, attempt);
      for (const [index, button] of buttons.entries()) {
        setAttribute(button, 'aria-pressed', `${verdicts[index]?.verdict === verdict}`);
      }
      const other = verdictElsewhere(mark, attempt);
      elsewhere.hidden = other === null;
      setText(elsewhere, other === null ? '' : w.markedOn[other.verdict](formatNumber(other.attempt)));
      // While the reader types, the field is ahead of the saved note.
      if (isNew || document.activeElement !== note) note.value = mark?.note ?? '';
    },
    say(text, hasFailed) {
      setText(unsaved, text);
      unsaved.classList.toggle('failed', hasFailed);
    },
    isFollowed: () => follow.checked,
  };
}
