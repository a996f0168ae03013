/**
 * Pure. How a statement is written, where that changes what it says: the sign of its charges, the mark before its decimals,
 * the zone of its times. The statement itself and the tasks that are in the books as well tell it; nothing is guessed.
 */

import { type Amount, type DecimalMark, decimalMarks } from './read-amount.ts';

/** How long after the end of a task its points may be missing in a statement. */
export const billingMs = 600_000;

/** Clocks differ by less. */
const clockMs = 300_000;

/** Sums of decimals differ in their last digits. */
const tolerance = 1e-6;

export function isSamePoints(one: number, other: number): boolean {
  return Math.abs(one - other) < tolerance;
}

/** Zones of the world, in whole hours before UTC. */
const hours = Array.from({ length: 27 }, (_, at) => at - 12);
const hourMs = 3_600_000;

/** Whether times are read as they are meant; a number is the zone (hours before UTC) of those that name none. */
export type KnownZone = 'sure' | 'unknown' | number;

/** What a line of a statement charges, and when. */
export interface BilledLine {
  /** Where it stands in the file, from 1. */
  readonly line: number;
  /** As it is written, with its sign. */
  readonly amount: Amount;
  /** Its amount goes back to the account, whatever its sign. */
  readonly isRefund: boolean;
  /** Epoch ms; null where none is known. */
  readonly at: number | null;
  /** How long (ms) that may last: times often have no seconds. */
  readonly span: number;
  /** What a time without a zone shows, as if it were of UTC (epoch ms); null for any other. */
  readonly wall: number | null;
}

/** What the books say of a task. */
export interface PaidTask {
  readonly points: number | null;
  /** Epoch ms. */
  readonly submittedAt: number | null;
  readonly endedAt: number | null;
}

export class StatementClues {
  /** The mark that the user names; null for none. */
  readonly #given: DecimalMark | null;
  /** Lines that charge above and below zero, and the same of tasks whose points are known. */
  readonly #lines = { above: 0, below: 0 };
  readonly #tasks = { above: 0, below: 0 };
  readonly #marks = new Set<DecimalMark>();
  /** The first line whose amount depends on the mark. */
  #unsure: BilledLine | null = null;
  /** True where a time names no zone. */
  isLocal = false;
  /** Between which zones (ms) all tasks lie, and whether that of this machine fits. */
  readonly #zone = { tasks: 0, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  readonly #local = { isFit: true, zones: new Set<number>() };

  constructor(given: DecimalMark | null) {
    this.#given = given;
  }

  add(line: BilledLine): void {
    const { amount, isRefund } = line;
    const value = amount.point ?? amount.comma ?? 0;
    if (!isRefund) count(this.#lines, value);
    if (amount.point === null && amount.comma !== null) this.#marks.add('comma');
    if (amount.comma === null && amount.point !== null) this.#marks.add('point');
    if (amount.point !== null && amount.comma !== null && amount.point !== amount.comma)
      this.#unsure ??= line;
    this.isLocal ||= line.wall !== null;
  }

  /** True where tasks that are in the books as well have something to tell. */
  get isOpen(): boolean {
    const { above, below } = this.#lines;
    return (above > 0 && below > 0) || this.#unsure !== null || this.isLocal;
  }

  /** A task of both: what the books say of it, and all its lines. */
  learn({ points, submittedAt, endedAt }: PaidTask, lines: readonly [BilledLine, ...BilledLine[]]): void {
    const charges = lines.filter(({ isRefund }) => !isRefund).map(({ amount }) => amount);
    const sums = decimalMarks.map((mark) => ({ mark, sum: sumOf(charges, mark) }));
    const known = points ?? 0;
    const same = sums.filter(({ sum }) => known > 0 && isSamePoints(Math.abs(sum), known));
    const [first] = same;
    if (first !== undefined) count(this.#tasks, first.sum);
    if (first !== undefined && same.length === 1) this.#marks.add(first.mark);
    const [{ at, span, wall }] = lines;
    // What comes back may come at any time.
    if (lines.length > 1 || at === null || wall === null || submittedAt === null || endedAt === null) return;
    const [low, high] = [wall - endedAt - billingMs, wall + span - submittedAt + clockMs];
    this.#zone.tasks += 1;
    this.#zone.low = Math.max(this.#zone.low, low);
    this.#zone.high = Math.min(this.#zone.high, high);
    this.#local.isFit &&= low <= wall - at && wall - at <= high;
    this.#local.zones.add((wall - at) / hourMs);
  }

  /** Charges are written as negative numbers. Of lines alone those that are more are charges: each refund follows one. */
  get isNegative(): boolean {
    const { above, below } = this.#tasks.above === this.#tasks.below ? this.#lines : this.#tasks;
    return below > above;
  }

  /** A line whose amount cannot be told; null for none. */
  get unsure(): BilledLine | null {
    return this.#given !== null || this.#marks.size === 1 ? null : this.#unsure;
  }

  get zone(): KnownZone {
    if (!this.isLocal) return 'sure';
    const { tasks, low, high } = this.#zone;
    const { isFit, zones } = this.#local;
    if (tasks === 0) return 'unknown';
    const others = hours.filter((zone) => low <= zone * hourMs && zone * hourMs <= high && !zones.has(zone));
    if (isFit) return others.length === 0 ? 'sure' : 'unknown';
    const [other, rival] = others;
    return other === undefined || rival !== undefined ? 'unknown' : other;
  }

  /** Below zero for what comes back; null where it cannot be read. */
  chargeOf({ amount, isRefund }: BilledLine): number | null {
    const value = this.#valueOf(amount);
    if (value === null) return null;
    if (isRefund) return -Math.abs(value);
    return this.isNegative ? -value : value;
  }

  #valueOf(amount: Amount): number | null {
    const [known = null] = this.#given === null ? this.#marks : [this.#given];
    return known === 'comma' ? (amount.comma ?? amount.point) : (amount.point ?? amount.comma);
  }
}

function count(signs: { above: number; below: number }, value: number): void {
  if (value > 0) signs.above += 1;
  if (value < 0) signs.below += 1;
}

/** NaN where one cannot be read. */
function sumOf(amounts: readonly Amount[], mark: DecimalMark): number {
  return amounts.reduce((sum, amount) => sum + (amount[mark] ?? Number.NaN), 0);
}
