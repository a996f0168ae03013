/** The rows as a table. */

import type { WireMark } from '../../money/review/review-wire.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { renderSort, type start } from '../address.ts';
import { type Mark, type MarkableRow, standingAttempt, verdictElsewhere } from '../marks/mark.ts';
import { asMark } from '../marks/saved-marks.ts';
import { element, setAttribute, setText } from '../shared/elements.ts';
import { formatDuration, formatNumber, formatShortTime } from '../shared/formats.ts';
import { currentLanguage } from '../shared/words.ts';
import { statusLabel } from '../status.ts';
import { words } from '../words.ts';
import type { Entry } from './entry.ts';
import { failureText } from './reasons.ts';
import type { SortField } from './rows.ts';
import { type Go, type Part, shownSort } from './shown.ts';
import { suspectLine } from './suspects.ts';

const columns = ['row', 'id', 'status', 'question', 'own', 'points', 'seconds', 'submitted', 'mark'] as const;
type Column = (typeof columns)[number];

/** The table with its head; the lines go into `body`. */
export interface Table extends Part {
  readonly body: HTMLElement;
}

export function createTable(go: Go): Table {
  let sort: typeof start.sort | null = null;
  const order = (field: SortField) =>
    go({ sort: { field, isDown: sort?.field === field && !sort.isDown }, page: 1 });
  const heads = columns.map((column) => {
    const field = isSortField(column) ? column : null;
    const name = field === null ? columnName(column) : words().sort[field];
    const click = () => field !== null && order(field);
    const content = field === null ? name : element('button', { type: 'button', click }, name);
    return element('th', { scope: 'col', class: classOf(column) }, content);
  });
  const own = heads[columns.indexOf('own')] as HTMLElement;
  const body = element('tbody', { id: 'rows' });
  const head = element('thead', {}, element('tr', {}, ...heads));
  return {
    element: element('table', {}, head, body),
    body,
    update(shown) {
      sort = shownSort(shown);
      const { column } = shown.address;
      own.hidden = column === null || !shown.rows.columns.includes(column);
      setText(own, column ?? '');
      for (const [index, head] of heads.entries()) {
        const own = columns[index] === sort?.field ? sort : null;
        setAttribute(head, 'aria-sort', own && (own.isDown ? 'descending' : 'ascending'));
        setAttribute(head, 'data-sort', own && renderSort(own));
        const button = head.querySelector('button');
        if (button !== null) button.disabled = sort === null;
      }
    },
  };
}

/** The class `status` styles a status anywhere, so its column needs another name. */
function classOf(column: Column): string {
  return column === 'status' ? 'state' : column;
}

function isSortField(column: Column): column is Exclude<Column, 'question' | 'own' | 'mark'> {
  return column !== 'question' && column !== 'own' && column !== 'mark';
}

/** That of the user's own is known when it is chosen. */
function columnName(column: Column): string {
  if (column === 'own') return '';
  return column === 'mark' ? words().columnMark : words().columnQuestion;
}

/** Shown where a question has no text. */
export function noText({ questionImages }: PageRow): HTMLElement {
  return element('i', {}, questionImages.length > 0 ? words().noText : words().noQuestion);
}

/** One line of the table. */
export function createLine({ row, mark, others, own, link, showText }: Entry): HTMLTableRowElement {
  const open = element('a', { class: 'open', href: link, 'data-id': row.id, title: row.id }, row.id);
  const cell = (column: Column, ...children: readonly (Node | string | null)[]) =>
    element('td', { class: classOf(column) }, ...children);
  const question = element('div', { class: 'text' });
  if (row.question === '') question.append(noText(row));
  else showText(question, row.question);
  return element(
    'tr',
    { class: row.status, click: openOnClick(open) },
    cell('row', row.row === null ? '–' : formatNumber(row.row)),
    element('th', { scope: 'row', class: 'id' }, open),
    cell('status', statusLabel(row.status)),
    cell('question', question, failureLine(row), suspectLine(row)),
    ...(own === null
      ? []
      : [element('td', { class: classOf('own'), 'data-column': own.column }, element('div', {}, own.text))]),
    cell('points', row.points === null ? '?' : formatNumber(row.points)),
    cell('seconds', row.seconds === null ? '' : formatDuration(row.seconds)),
    cell('submitted', row.submittedAt === null ? '' : formatShortTime(row.submittedAt)),
    cell('mark', markSign(mark, row), ...signsOf(others, row)),
  );
}

/** A click next to the link also opens the row, unless it ends a text selection. */
export function openOnClick(link: HTMLElement): (event: Event) => void {
  return (event) => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button') !== null;
    if (isOnControl || getSelection()?.isCollapsed === false) return;
    link.click();
  };
}

/** The failure of a row, if any. */
export function failureLine(row: PageRow): HTMLElement | null {
  const failure = failureText(row, currentLanguage());
  return failure === null ? null : element('div', { class: 'failure' }, failure);
}

/** The reviewer's mark as a word, with the note as a hint; muted where it is about another attempt. */
export function markSign(mark: Mark | null, row: MarkableRow): HTMLElement | null {
  if (mark === null) return null;
  const { verdict, note } = mark;
  const isCorrected = mark.question !== undefined || mark.answer !== undefined;
  if (verdict === null && note === '' && !isCorrected) return null;
  const before = verdictElsewhere(mark, standingAttempt(row, mark));
  const sign = note === '' && !isCorrected ? null : element('span', { 'aria-hidden': 'true' }, ' ✎');
  if (before !== null) {
    const said = words().markedOn[before.verdict](formatNumber(before.attempt));
    return element('span', { class: 'mark-before', title: note }, said, sign);
  }
  const name = words().markFilter[verdict ?? (isCorrected ? 'corrected' : 'noted')];
  return element('span', { class: `mark-sign ${verdict ?? 'noted'}`, title: note }, name, sign);
}

/** More would hide the row. */
const mostSigns = 3;

/** The marks of others on the attempt that stands for the row, each with the name of its reviewer. */
export function signsOf(others: readonly WireMark[], row: MarkableRow): HTMLElement[] {
  const standing = standingAttempt(row, null);
  const current = others.filter((other) => verdictElsewhere(asMark(other), standing) === null);
  return current.slice(0, mostSigns).flatMap((other) => {
    const sign = markSign(asMark(other), row);
    const name = other.reviewer === '' ? words().someReviewer : other.reviewer;
    return sign === null ? [] : [element('div', { class: 'other-mark' }, sign, ` ${name}`)];
  });
}
