/** What submitting rows may cost, from the points seen in this folder. */

import { type Quality, qualities } from '../item.ts';
import {
  effectiveQuality,
  expectedPoints,
  type Ledger,
  mostPoints,
  reservedPoints,
  roundPoints,
} from '../summary.ts';

/** How many rows name each quality; `none` counts those that name none. */
export type QualityCounts = Readonly<Record<Quality | 'none', number>>;

/** Rows of one price. */
interface EstimatePart {
  readonly qualities: readonly Quality[];
  readonly rows: number;
  /** Points of one row. */
  readonly each: number;
}

/** An estimate from the largest points seen for one task in the checkpoint. */
export interface Estimate {
  /** Rows to submit now. */
  readonly rows: number;
  /** null while a price is not known. */
  readonly points: number | null;
  /** The most expensive first; empty while a price is not known. */
  readonly parts: readonly EstimatePart[];
  /** Qualities of these rows without a price, where others have one: it says nothing of theirs. */
  readonly unpriced: readonly Quality[];
  /** True where it is unknown which rows go first, so the most expensive are assumed. */
  readonly isMost: boolean;
}

/** The rows to estimate. */
export interface EstimateOptions {
  /** For rows without a quality of their own; null leaves it to the service. */
  readonly quality: Quality | null;
  /** Rows to submit at most; null for all. */
  readonly limit: number | null;
}

export const noRows: QualityCounts = { h: 0, m: 0, l: 0, none: 0 };

export function countQualities(counts: QualityCounts): number {
  return counts.h + counts.m + counts.l + counts.none;
}

export function addQualities(one: QualityCounts, other: QualityCounts): QualityCounts {
  return {
    h: one.h + other.h,
    m: one.m + other.m,
    l: one.l + other.l,
    none: one.none + other.none,
  };
}

export function withoutCounts(all: QualityCounts, { h, m, l, none }: QualityCounts): QualityCounts {
  return addQualities(all, { h: -h, m: -m, l: -l, none: -none });
}

export function estimatePoints(
  counts: QualityCounts,
  ledger: Ledger,
  { quality, limit }: EstimateOptions,
): Estimate {
  const all = countQualities(counts);
  const rows = Math.min(all, limit ?? all);
  const { parts, unpriced } = pricedParts(counts, ledger, effectiveQuality(quality));
  if (unpriced.length > 0) {
    const unlike = mostPoints(ledger) === null ? [] : unpriced;
    return { rows, points: rows === 0 ? 0 : null, parts: [], unpriced: unlike, isMost: false };
  }
  let left = rows;
  const taken: EstimatePart[] = [];
  for (const part of parts) {
    const count = Math.min(part.rows, left);
    if (count > 0) taken.push({ ...part, rows: count });
    left -= count;
  }
  const points = roundPoints(taken.reduce((sum, part) => sum + part.rows * part.each, 0));
  return { rows, points, parts: taken, unpriced, isMost: rows < all && parts.length > 1 };
}

/** Groups the qualities by price, the most expensive first. */
function pricedParts(
  counts: QualityCounts,
  ledger: Ledger,
  unsaid: Quality,
): { readonly parts: EstimatePart[]; readonly unpriced: readonly Quality[] } {
  const parts: EstimatePart[] = [];
  const unpriced: Quality[] = [];
  for (const quality of qualities) {
    const rows = counts[quality] + (quality === unsaid ? counts.none : 0);
    if (rows === 0) continue;
    const each = expectedPoints(ledger, quality);
    const same = parts.findIndex((part) => part.each === each);
    const part = parts[same];
    if (each === null) unpriced.push(quality);
    else if (part === undefined) parts.push({ qualities: [quality], rows, each });
    else parts[same] = { ...part, qualities: [...part.qualities, quality], rows: part.rows + rows };
  }
  return { parts: parts.sort((a, b) => b.each - a.each), unpriced };
}

/** What the budget of a proposed command must be. */
export interface BudgetNeed {
  /** What the rows may cost; null while a price is not known. */
  readonly points: number | null;
  /** The cap in force; null for none. */
  readonly cap: number | null;
  /** Nobody has agreed to pay for these rows yet: they come after a pilot. */
  readonly isNew: boolean;
  /** The run stopped because of its budget. */
  readonly hasStopped: boolean;
}

/**
 * The cap with which a command pays for these rows; null where it needs none of its own. Of a price that is not known it has
 * room to learn it: as much as a run asks for before it sends one row.
 */
export function decideBudget(
  ledger: Ledger,
  { points, cap, isNew, hasStopped }: BudgetNeed,
): number | 'none' | null {
  const reserved = reservedPoints(ledger);
  const next = points ?? (hasStopped ? mostPoints(ledger) : null);
  if (next === null || reserved === null) return hasStopped ? 'none' : null;
  const needed = Math.ceil(roundPoints(ledger.spent + reserved + next));
  return cap === null ? (isNew ? needed : null) : needed > cap ? needed : null;
}

/** At least how many of the estimated rows fit under a cap on points; null while a price is not known and can be learned. */
export function rowsWithin(maxPoints: number, ledger: Ledger, { parts }: Estimate): number | null {
  const reserved = reservedPoints(ledger);
  if (reserved === null) return null;
  let room = roundPoints(maxPoints - ledger.spent - reserved);
  if (parts.length === 0) return room < (mostPoints(ledger) ?? 0) ? 0 : null;
  let rows = 0;
  for (const part of parts) {
    const fitting = Math.max(0, Math.min(part.rows, Math.floor(roundPoints(room / part.each))));
    rows += fitting;
    room -= fitting * part.each;
    if (fitting < part.rows) break;
  }
  return rows;
}
