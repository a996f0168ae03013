/** The part of a runner in a run that its process alone has: all rows are its own, and it waits for no other. */

import type { CommitExtras } from '../stores/port/checkpoint.ts';
import type { QueuedEvent, RunContext } from './context.ts';
import type { Recovery } from './recovery.ts';
import type { SharedRun } from './shared-run.ts';
import type { Submissions } from './submitting/submissions.ts';

/** The same in any run; `extrasOf` returns undefined where a commit has nothing to check. */
export interface RunPart extends Omit<Pick<SharedRun, keyof SharedRun>, 'extrasOf'> {
  extrasOf(...commit: Parameters<SharedRun['extrasOf']>): CommitExtras | undefined;
}

export function aloneIn(
  run: RunContext,
  { submissions, recovery }: { readonly submissions: Submissions; readonly recovery: Recovery },
): RunPart {
  return {
    isKeeper: true,
    isOver: true,
    isIdle: false,
    nextAt: Number.POSITIVE_INFINITY,
    owns: () => true,
    givesUp: () => false,
    look: () => recovery.recover(),
    lookIfDue: async () => {},
    /** Only the steering is checked. */
    extrasOf(claims: readonly QueuedEvent[]) {
      if (claims.length === 0) return undefined;
      const known = { round: null, creations: 0, lastSent: null, lastFact: 0 };
      return { room: submissions.roomInRun(run.ports.clock.now(), known), facts: [] };
    },
    noteRoomTaken() {},
    // Its store neither goes away nor forgets.
    keepSent() {},
    keepAnswer() {},
    syncAnswers() {},
    forgetTasks() {},
  };
}
