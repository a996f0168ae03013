/** What the answer to a probe says about an account: whether address and key are right. */

import type { RunBar } from '../event.ts';
import type { Obstacle } from './silent-creation.ts';
import type { ProbeAnswer } from './status-answer.ts';

/** `good`: the service answered and did not refuse the key. `odd`: it may not have been the service. */
export type AccountOutcome = 'good' | 'odd' | 'wrong-service' | 'unreachable' | Obstacle | RunBar;

export interface AccountAnswer {
  readonly outcome: AccountOutcome;
  /** Why it is not good, without secrets; null where it is. */
  readonly failure: string | null;
}

export function judgeAccount(answer: ProbeAnswer): AccountAnswer {
  switch (answer.outcome) {
    case 'service':
      return { outcome: 'good', failure: null };
    case 'foreign':
      return { outcome: 'wrong-service', failure: answer.failure };
    case 'refused':
      return { outcome: answer.endsRun, failure: answer.failure };
    case 'gateway':
      return { outcome: 'unreachable', failure: answer.failure };
    case 'odd':
      return { outcome: 'odd', failure: answer.failure };
    case 'unreachable':
      return { outcome: answer.obstacle ?? 'unreachable', failure: answer.failure };
  }
}

/** The exit code of a check whose file is fine: the code with which a run would end, and 1 where it is not sure. */
export const accountExitCodes: Readonly<Record<AccountOutcome, 0 | 1 | 2 | 3 | 4>> = {
  good: 0,
  odd: 1,
  'wrong-service': 2,
  'no-host': 2,
  tls: 2,
  proxy: 2,
  misconfigured: 2,
  'key-refused': 3,
  'no-points': 3,
  'key-forbidden': 3,
  unreachable: 4,
};
