/** What rows may cost, in words: the number and its basis. */

import { renderNumber } from '../../messages/numbers.ts';
import { type Estimate, rowsWithin } from '../../money/forecast/estimate.ts';
import type { PriceRange } from '../../money/forecast/price-range.ts';
import { type Ledger, mostPoints, reservedPoints } from '../../money/summary.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';

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
  /** The cap that the one of this command takes the place of; absent where it is the same, or nothing was sent before. */
  readonly capBefore?: number | null;
  /** Tasks that may be open at once. */
  readonly concurrency: number;
  /** The points go to the embedded service. */
  readonly isRehearsal: boolean;
  /** How many of the rows were refused alike: they are sent once more when creations are accepted. */
  readonly alike: number;
  /** The command that tries a few rows first; null where that is useless. */
  readonly pilot: string | null;
}

export function renderEstimate(text: EstimateText, phrases: Phrases): readonly string[] {
  const { estimate, isRehearsal, range, pilot } = text;
  const say = phrases.plan;
  const alike = text.alike === 0 ? [] : [say.alike(text.alike)];
  const { capBefore, maxPoints } = text;
  const change = capBefore === undefined ? [] : [say.capChange(capBefore, maxPoints)];
  const reach = [...alike, ...change, ...renderReach(text, phrases)];
  if (estimate.rows === 0) return [say.nothingToSubmit, ...reach];
  const said = say.estimate({
    amount: estimate.points === null ? null : renderAmount(text, phrases),
    rows: range === null ? null : estimate.rows,
    basis: estimateBasis(text, phrases),
    isRehearsal,
    pilot: isRehearsal ? null : pilot,
  });
  return [said, ...reach];
}

/** `9,400 to 11,200 points`, or `about 17,300 points`; also for the question before a run. */
export function renderAmount(
  { estimate, range }: Pick<EstimateText, 'estimate' | 'range'>,
  { plan: say }: Phrases,
): string {
  if (range !== null) return say.range(range.low, range.high);
  const { points, isMost } = estimate;
  if (points === null) return say.unknownAmount;
  return say.amount(points, isMost);
}

/** The basis of an estimate, or why there is none. */
export function estimateBasis(
  { estimate, range, charged }: Pick<EstimateText, 'estimate' | 'range' | 'charged'>,
  { plan: say }: Phrases,
): string {
  if (estimate.rows === 0) return say.basisOfNothing;
  if (range !== null) return say.rangeBasis(range.videos, range.byQuality, range.byLength);
  if (estimate.points === null) return say.basisUnpaid(estimate.unpriced);
  const isOne = estimate.parts.length === 1;
  const parts = estimate.parts.map(({ qualities, rows, each }) =>
    say.basisPart(rows, { qualities: isOne ? [] : qualities, each, isOne }),
  );
  return say.basis(parts, charged);
}

/** How far the cap on points goes. */
function renderReach(
  { estimate, ledger, maxPoints, concurrency }: EstimateText,
  { plan: say }: Phrases,
): readonly string[] {
  if (maxPoints === null) return [];
  const cap = `  --max-points ${renderNumber(maxPoints)}`;
  if (estimate.rows === 0) return [say.capSpent(cap, ledger.spent)];
  const rows = rowsWithin(maxPoints, ledger, estimate);
  const passed = say.capPassed(concurrency, estimate.points === null ? null : mostPoints(ledger));
  if (rows === null) return [say.capOneByOne(cap, estimate.unpriced), passed];
  const reach = { cap, spent: ledger.spent, reserved: reservedPoints(ledger) ?? 0 };
  if (rows === 0) return [say.capNoRoom(reach)];
  return [rows >= estimate.rows ? say.capEnough(reach) : say.capCovers(reach, rows), passed];
}
