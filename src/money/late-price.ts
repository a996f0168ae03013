/**
 * When the points of a completed task are its price. What the service says first, above 0, is believed at once. Under a points
 * cap nothing else is: 0, or another number than before, may still rise, and the task reserves what it may cost until the
 * same was said at several ticks, some minutes after its end.
 */

import type { Item } from './item.ts';
import { fixed, type Policy } from './policy.ts';

/** The points to keep where the service says `said` of this completed task; null while it has no price. */
export function pointsAfter(
  item: Pick<Item, 'points' | 'endedAt'>,
  said: number | null,
  policy: Pick<Policy, 'maxPoints'>,
): number | null {
  if (said === null) return item.points;
  const isFirstWord = item.endedAt === null && said > 0;
  return isFirstWord || said === item.points || policy.maxPoints === null ? said : null;
}

/** What the ticks since the task was completed have said of its points. */
export interface PriceWatch {
  /** False where nobody waits until the price stands: nothing is submitted. */
  readonly isPatient: boolean;
  readonly ticks: number;
  /** Ticks at which the service answered. */
  readonly answers: number;
  /** The last tick had an answer. */
  readonly isAnswered: boolean;
  /** What it said last; null where that was nothing readable. */
  readonly said: number | null;
  /** Ticks in a row that said so. */
  readonly agreed: number;
}

export function openWatch(isPatient: boolean): PriceWatch {
  return { isPatient, ticks: 0, answers: 0, isAnswered: false, said: null, agreed: 0 };
}

/** A tick without an answer. */
export const noAnswer = 'no answer';

/** The watch after a tick that said these points, or nothing. */
export function watchTick(watch: PriceWatch, said: number | null | typeof noAnswer): PriceWatch {
  const ticks = watch.ticks + 1;
  if (said === noAnswer) return { ...watch, ticks, isAnswered: false };
  const agreed = said === null ? 0 : said === watch.said ? watch.agreed + 1 : 1;
  return { ...watch, ticks, answers: watch.answers + 1, isAnswered: true, said, agreed };
}

/** Whether the watch continues: `over` where the points stay as they are, or the price. `ageMs`: since the end of the task. */
export function judgeWatch(
  { isPatient, ticks, answers, isAnswered, said, agreed }: PriceWatch,
  ageMs: number,
  policy: Pick<Policy, 'maxPoints'>,
): 'goes on' | 'over' | { readonly price: number } {
  const isEnough = answers >= fixed.priceAnswers || ticks >= fixed.priceTicks;
  // Where nothing is reserved, and where nothing is said, a few answers are enough.
  const isLong = ageMs >= fixed.priceSettleMs;
  if (policy.maxPoints === null || said === null || (!isPatient && !isLong))
    return isEnough ? 'over' : 'goes on';
  // What was agreed before an outage may have risen in it.
  if (agreed >= fixed.priceSettleTicks && isLong && isAnswered) return { price: said };
  return ticks >= fixed.priceTicks && ageMs >= 2 * fixed.priceSettleMs ? 'over' : 'goes on';
}
