/** What a free question showed of the account, in one line. */

import type { AccountAnswer } from '../../money/answers/account-check.ts';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';

/** Null for a rehearsal. */
export function renderAccount(
  check: (AccountAnswer & { address: string; ms: number }) | null,
  { plan: say, render }: Phrases,
): string {
  if (check === null) return say.rehearsalAccount;
  const { address, outcome, failure, ms } = check;
  return toTerminalText(say.account(say.accounts[outcome](address, render(failure ?? '')), ms));
}
