/**
 * Which terms a process of a run knows. Options, round and steering are read one after the other, and a claim must not be made
 * under a mixture of old and new ones: so the mark is read first, every change of the terms makes another one, and the store refuses
 * claims with an earlier mark.
 */

import type { TermsMark } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import { readSteering } from '../steering/steering-source.ts';

/** Read before the options. */
export async function readMark({ settings, sharing }: Store): Promise<TermsMark> {
  if (sharing !== null) return sharing.mark();
  return { round: 0, steering: (await readSteering({ settings })).number };
}

/** What a command knows that read its options as of `read` and has begun a round since; null for none. */
export function markAfter(read: TermsMark, begun: TermsMark | null): TermsMark {
  // Where the run was tuned meanwhile, the command must know that before it submits anything.
  return { round: begun?.round ?? read.round, steering: read.steering };
}
