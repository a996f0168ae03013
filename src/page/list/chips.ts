/** The rows by status, those worth a look, and the reasons of those that ended badly: each a filter of the list. */

import { type Status, statuses } from '../../money/item.ts';
import type { PageTotals } from '../../reports/page.ts';
import { toggled } from '../address.ts';
import { arrange, drawing, element, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber } from '../shared/formats.ts';
import { currentLanguage } from '../shared/words.ts';
import { signOf, statusParts } from '../status.ts';
import { words } from '../words.ts';
import { type Reason, reasonsOf, reasonText } from './reasons.ts';
import type { Go, Shown } from './shown.ts';

/** A bar and chips. */
export interface Chips {
  readonly element: HTMLElement;
  /** Shows other rows. */
  draw(totals: PageTotals, shown: Shown): void;
  /** Shows which of them are chosen. */
  choose(shown: Shown): void;
}

/** From the left: what is done, what is on its way, what ended badly, what waits; as in the live block of a terminal. */
const early: readonly Status[] = ['completed', 'downloading', 'open', 'submitting'];
const late: readonly Status[] = ['pending'];
const between = statuses.filter((status) => !early.includes(status) && !late.includes(status));
const shownOrder = [...early, ...between, ...late];

/** Reasons shown, as many as on a terminal; the search finds the others. */
const shownReasons = 5;

export function createChips(go: Go): Chips {
  const w = words();
  const bar = drawing('svg', { class: 'bar', viewBox: '0 0 1000 10', preserveAspectRatio: 'none' });
  setAttribute(bar, 'aria-hidden', 'true');
  const byStatus = element('div', { class: 'chips', role: 'group', 'aria-label': w.states });
  const byReason = element('div', { class: 'chips reasons-bar', role: 'group', 'aria-label': w.whyBadly });
  const statusChips = new Map<Status, HTMLButtonElement>();
  const reasonChips = new Map<string, HTMLButtonElement>();
  let address: Shown['address'] | null = null;

  const chooseStatus = (status: Status) =>
    address !== null && go({ statuses: toggled(address.statuses, status), reason: null, page: 1 });
  const chooseReason = (name: string) =>
    go({ reason: address?.reason === name ? null : name, statuses: new Set(), suspect: null, page: 1 });
  const suspects = createSuspectsChip(() =>
    go({ suspect: address?.suspect === null ? 'any' : null, reason: null, page: 1 }),
  );
  const drawStatuses = ({ counts }: PageTotals, suspectCount: number) => {
    const present = shownOrder.filter((status) => (counts[status] ?? 0) > 0 || statusChips.has(status));
    const chips = present.map((status) => {
      const chip = statusChips.get(status) ?? createStatusChip(status, () => chooseStatus(status));
      statusChips.set(status, chip);
      return counted(chip, counts[status] ?? 0);
    });
    if (suspectCount > 0)
      chips.splice(present[0] === 'completed' ? 1 : 0, 0, counted(suspects, suspectCount));
    arrange(byStatus, chips);
  };
  const drawReasons = (reasons: readonly Reason[]) => {
    const chips = reasons.slice(0, shownReasons).map((reason) => {
      const { name, count } = reason;
      const chip = reasonChips.get(name) ?? createReasonChip(reason, () => chooseReason(name));
      reasonChips.set(name, chip);
      return counted(chip, count);
    });
    arrange(byReason, chips);
    byReason.hidden = chips.length === 0;
  };

  return {
    element: element('div', { class: 'states' }, bar, byStatus, byReason),
    draw(totals, { rows }) {
      showBar(bar, totals, chooseStatus);
      drawStatuses(totals, rows.suspectCount);
      drawReasons(reasonsOf(rows.all()));
    },
    choose(shown) {
      address = shown.address;
      const { statuses: chosen, reason, suspect } = address;
      for (const [status, chip] of statusChips) press(chip, chosen.has(status));
      for (const [name, chip] of reasonChips) press(chip, name === reason);
      press(suspects, suspect !== null);
      for (const part of bar.children) {
        const isQuiet = chosen.size > 0 && !chosen.has(part.getAttribute('data-status') as Status);
        part.classList.toggle('quiet', isQuiet);
      }
    },
  };
}

function createStatusChip(status: Status, click: () => void): HTMLButtonElement {
  const attributes = { class: `chip status ${status}`, title: words().meaning[status], click };
  return createChip(attributes, ...statusParts(status), element('b'));
}

function createReasonChip(reason: Reason, click: () => void): HTMLButtonElement {
  const { status } = reason;
  const text = reasonText(reason, currentLanguage());
  return createChip(
    { class: `chip status ${status}`, title: `${words().status[status]}: ${text}`, click },
    signOf(status),
    element('span', { class: 'reason' }, text),
    element('b'),
  );
}

function createSuspectsChip(click: () => void): HTMLButtonElement {
  return createChip(
    { class: 'chip status worth-a-look', title: words().worthALookHint, click },
    element('span', { class: 'sign', 'aria-hidden': 'true' }, '⚑'),
    element('b'),
    element('span', {}, words().chipWorthALook),
  );
}

function createChip(
  attributes: Parameters<typeof element>[1],
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  return element('button', { type: 'button', ...attributes }, ...children);
}

/** Only a chip that is chosen has a cross: a click takes its filter away. */
function press(chip: HTMLButtonElement, isPressed: boolean): void {
  setAttribute(chip, 'aria-pressed', `${isPressed}`);
  const cross = chip.querySelector('.remove');
  if (!isPressed) cross?.remove();
  else if (cross === null)
    chip.append(element('span', { class: 'remove', role: 'img', 'aria-label': words().removeFilter }, '✕'));
}

function counted(chip: HTMLButtonElement, count: number): HTMLButtonElement {
  const shown = chip.querySelector('b');
  if (shown !== null) setText(shown, formatNumber(count));
  return chip;
}

const barWidth = 1000;
/** Keeps one row among thousands visible. */
const leastWidth = 4;

function showBar(bar: SVGSVGElement, { counts }: PageTotals, choose: (status: Status) => void): void {
  const present = shownOrder.filter((status) => (counts[status] ?? 0) > 0);
  const widthOf = (status: Status, whole: number): number =>
    Math.max(leastWidth, ((counts[status] ?? 0) / whole) * barWidth);
  const whole = present.reduce((all, status) => all + (counts[status] ?? 0), 0);
  const scale = barWidth / present.reduce((all, status) => all + widthOf(status, whole), 0);
  let x = 0;
  const parts = present.map((status) => {
    const width = widthOf(status, whole) * scale;
    const title = `${words().status[status]}: ${formatNumber(counts[status] ?? 0)}`;
    const part = drawing(
      'rect',
      { class: status, 'data-status': status, x, y: 0, width, height: 10, click: () => choose(status) },
      drawing('title', {}, title),
    );
    x += width;
    return part;
  });
  bar.replaceChildren(...parts);
}
