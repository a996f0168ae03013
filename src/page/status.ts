/** A status as a sign, a colour and a word, so that any one of them is enough. */

import type { Status } from '../money/item.ts';
import { element } from './shared/elements.ts';
import { words } from './words.ts';

const signs: Readonly<Record<Status, string>> = {
  pending: '·',
  submitting: '↑',
  open: '○',
  downloading: '↓',
  completed: '✓',
  failed: '✕',
  rejected: '⊘',
  uncertain: '?',
  undelivered: '⇣',
  lost: '∅',
  invalid: '!',
};

/** Sign and word of a status. */
export function statusLabel(status: Status): HTMLElement {
  return element(
    'span',
    { class: `status ${status}`, title: words().meaning[status] },
    ...statusParts(status),
  );
}

/** The same without its frame. */
export function statusParts(status: Status): HTMLElement[] {
  return [signOf(status), element('span', {}, words().status[status])];
}

export function signOf(status: Status): HTMLElement {
  return element('span', { class: 'sign', 'aria-hidden': 'true' }, signs[status]);
}
