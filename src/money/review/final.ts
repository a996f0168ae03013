/** Pure. Finals: rows whose draft a reviewer called good, made once more in another quality. */

import type { LastAttempt } from '../event.ts';
import type { Quality } from '../item.ts';
import type { ReviewMark } from '../review.ts';
import { type AttemptFacts, isCounted } from '../standing-attempt.ts';

/** What is ordered for a row. */
export interface OrderedFinal {
  readonly quality: Quality;
  /** The attempt that was called good. */
  readonly draft: number;
}

/** The same as it is saved. */
export interface Final extends OrderedFinal {
  /** The first attempt of this quality. Later ones have it too, until the row has another text. */
  readonly since: number;
  /** True until a final is there that nobody calls bad: the draft stands for the row, unless another attempt is preferred. */
  readonly isDraftStanding: boolean;
}

/** A row whose order for a final falls away, because its text is another one by now, or somebody calls the draft bad. */
export interface EndedFinal {
  readonly id: string;
  readonly why: 'changed' | 'bad';
}

/** Why the order of a final that waits falls away; null where it stands. */
export function whyFinalEnds({
  final,
  edit,
  marks,
}: {
  readonly final: Pick<OrderedFinal, 'draft'> | null;
  readonly edit: object | null;
  readonly marks: readonly Pick<ReviewMark, 'attempt' | 'mark'>[];
}): EndedFinal['why'] | null {
  if (final === null) return null;
  if (edit !== null) return 'changed';
  return marks.some(({ attempt, mark }) => mark === 'bad' && attempt === final.draft) ? 'bad' : null;
}

/** What the last attempt that came to anything made of its row; the attempts are in their order, and one of them has a draft. */
export function lastOf(attempts: readonly AttemptFacts[]): LastAttempt {
  const last = attempts.findLast(isCounted);
  if (last === undefined) throw new Error('a final was ordered for a row without an attempt');
  const { attempt: _, ...facts } = last;
  return facts;
}
