/** What rows may cost, in words: the number and its basis. */

import { type Estimate, rowsWithin } from '../core/estimate.ts';
import type { PriceRange } from '../core/price-range.ts';
import { type Ledger, reservedPoints } from '../core/summary.ts';
import { renderNumber, renderPoints, renderRows } from './numbers.ts';

/** The facts behind an estimate. */
export interface EstimateText {
  readonly estimate: Estimate;
  /** What all these rows will cost; null while too little was paid for to know, or where a limit lets only some through. */
  readonly range: PriceRange | null;
  /** Totals of the checkpoint. */
  readonly ledger: Ledger;
  /** Charged tasks in this folder: the basis of the estimate. */
  readonly charged: number;
  /** `--max-points`; null for none. */
  readonly maxPoints: number | null;
  /** The points go to the embedded service. */
  readonly isRehearsal: boolean;
  /** The command that tries a few rows first; null where that is useless. */
  readonly pilot: string | null;
}

export function renderEstimate(text: EstimateText): readonly string[] {
  const { estimate, isRehearsal } = text;
  if (estimate.rows === 0) return ['Estimate: nothing to submit, 0 points', ...renderReach(text)];
  const pilot = text.pilot === null || isRehearsal ? '' : `. Try a pilot: ${text.pilot}`;
  const play = isRehearsal ? '; a rehearsal: points are play money' : '';
  const between = text.range === null ? ': ' : '; ';
  const amount = estimate.points === null ? 'unknown, ' : `${renderAmount(text)}${between}`;
  return [`Estimate: ${amount}${estimateBasis(text)}${play}${pilot}`, ...renderReach(text)];
}

/** `9,400 to 11,200 points`, or `about 17,300 points`; also for the question before a run. */
export function renderAmount({ estimate, range }: Pick<EstimateText, 'estimate' | 'range'>): string {
  if (range !== null) return renderRange(range);
  const { points, isMost, parts } = estimate;
  if (points === null) return 'an unknown number of points';
  return `${isMost && parts.every(({ isSeen }) => isSeen) ? 'at most ' : ''}about ${renderPoints(points)}`;
}

function renderRange({ low, high }: PriceRange): string {
  return low === high ? renderPoints(low) : `${renderNumber(low)} to ${renderPoints(high)}`;
}

function rangeBasis({ videos, byQuality, byLength }: PriceRange): string {
  const by = [...(byQuality ? ['quality'] : []), ...(byLength ? ['length'] : [])].join(' and ');
  return `${renderNumber(videos)} videos${by === '' ? '' : `, by ${by}`}`;
}

/** The basis of an estimate, or why there is none. */
export function estimateBasis({
  estimate,
  range,
  charged,
}: Pick<EstimateText, 'estimate' | 'range' | 'charged'>): string {
  if (estimate.rows === 0) return 'nothing to submit';
  if (range !== null) return rangeBasis(range);
  if (estimate.points === null) return 'no video has been paid for in this folder yet';
  const isOne = estimate.parts.length === 1;
  const parts = estimate.parts.map(({ qualities, rows, each, isSeen }) => {
    const notes = [...(isOne ? [] : qualities), ...(isSeen ? [] : ['none of this quality was paid for yet'])];
    const which = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
    return `${renderRows(rows)}${which} at ${renderNumber(each)}${isOne && rows > 1 ? ' each' : ''}`;
  });
  const seen =
    charged === 1
      ? 'the price of the one video'
      : `the highest price of that quality among ${renderNumber(charged)} videos`;
  return `${parts.join(', ')}, ${seen} in this folder`;
}

/** How far the cap on points goes. */
function renderReach({ estimate, ledger, maxPoints }: EstimateText): readonly string[] {
  if (maxPoints === null) return [];
  const cap = `--max-points ${renderNumber(maxPoints)}`;
  if (estimate.rows === 0) return [`  ${cap}: ${renderPoints(ledger.spent)} spent so far`];
  const rows = rowsWithin(maxPoints, ledger, estimate);
  if (rows === null) return [`  ${cap}: rows go one at a time until the price of the first one is known`];
  const unseen = estimate.parts.filter(({ isSeen }) => !isSeen).flatMap(({ qualities }) => qualities);
  const condition = unseen.length === 0 ? '' : `, if ${unseen.join(' and ')} costs no more than the others`;
  if (rows >= estimate.rows) return [`  ${cap} is enough for that${condition}`];
  const reserved = reservedPoints(ledger);
  const held = reserved === null || reserved === 0 ? '' : `, ${renderNumber(reserved)} more reserved`;
  const spent = `${renderPoints(ledger.spent)} spent so far${held}${condition}`;
  if (rows === 0) return [`  ${cap} leaves no room for another row: ${spent}`];
  return [`  ${cap} covers about ${renderNumber(rows)} of them: ${spent}`];
}
