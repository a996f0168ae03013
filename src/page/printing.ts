/** The printed page: the matching rows, as a plain list without controls. */

import type { PageRow } from '../reports/page-wire.ts';
import { failureText } from './list/reasons.ts';
import { markOf, type Shown } from './list/shown.ts';
import { suspectLine } from './list/suspects.ts';
import { standingAttempt, verdictElsewhere, verdictNow } from './marks/mark.ts';
import { element } from './shared/elements.ts';
import { formatDuration, formatNumber } from './shared/formats.ts';
import { showText } from './shared/formulas.ts';
import { imagesOf } from './shared/images.ts';
import { currentLanguage } from './shared/words.ts';
import { statusLabel } from './status.ts';
import { words } from './words.ts';

/** Nobody prints more, and a browser could not. */
const mostRows = 5_000;

/** Fills the print area with the matching rows. */
export function fillPaper(paper: HTMLElement, shown: Shown): void {
  const rows = shown.found.slice(0, mostRows);
  paper.replaceChildren(...rows.map((row) => printed(row, shown)));
  const left = shown.found.length - rows.length;
  if (left > 0) paper.append(element('li', {}, words().leftOut(formatNumber(left))));
}

function printed(row: PageRow, shown: Shown): HTMLElement {
  const w = words();
  const mark = markOf(shown, row.id);
  const standing = standingAttempt(row, mark);
  const verdict = verdictNow(mark, standing);
  const elsewhere = verdictElsewhere(mark, standing);
  const facts = [
    row.points === null ? null : w.points(formatNumber(row.points), row.points === 1),
    row.seconds === null ? null : formatDuration(row.seconds),
    verdict === null ? null : `${w.mark}: ${w[verdict]}`,
    elsewhere === null ? null : w.markedOn[elsewhere.verdict](formatNumber(elsewhere.attempt)),
  ].filter((fact) => fact !== null);
  const question = element('p', { class: 'whole' });
  showText(question, row.question);
  const number = row.row === null ? '' : `${formatNumber(row.row)}. `;
  return element(
    'li',
    {},
    element(
      'p',
      {},
      `${number}`,
      element('b', {}, row.id),
      ' ',
      statusLabel(row.status),
      ` ${facts.join(' · ')}`,
    ),
    question,
    imagesOf(row.questionImages, w.questionImages),
    suspectLine(row),
    row.failure === null ? null : element('p', { class: 'failure' }, failureText(row, currentLanguage())),
    !mark?.note ? null : element('p', { class: 'whole' }, `${w.note}: ${mark.note}`),
  );
}
