/** What a free question showed of the account, in one line. */

import type { AccountAnswer, AccountOutcome } from '../core/account-check.ts';
import { renderNumber } from './numbers.ts';
import { toTerminalText } from './terminal-text.ts';

/** Null for a rehearsal. */
export function renderAccount(check: (AccountAnswer & { address: string; ms: number }) | null): string {
  if (check === null) return 'Account: the run is a rehearsal (--simulate), which needs none';
  const { address, outcome, failure, ms } = check;
  const said = verdicts[outcome](address, failure ?? '');
  return toTerminalText(`Account: ${said} (a free question, ${renderNumber(ms)} ms)`);
}

/** The failure of an address that cannot be reached names it, and says what to do. */
const verdicts: Readonly<Record<AccountOutcome, (address: string, failure: string) => string>> = {
  good: (address) => `good: ${address} answers as the service does, and takes the API key`,
  odd: (address, failure) =>
    `not sure: ${address} may not be the service; asked about a task that cannot exist, it answered "${failure}"`,
  'wrong-service': (address, failure) =>
    `wrong address: ${address} is not the service: ${failure}; correct --base-url`,
  'no-host': (_, failure) => `no such host: ${failure}`,
  tls: (_, failure) => `no secure connection (TLS): ${failure}`,
  proxy: (_, failure) => `the proxy is in the way: ${failure}`,
  misconfigured: (_, failure) => `no request can be sent: ${failure}`,
  'key-refused': (address, failure) =>
    `${address} refused the API key: ${failure}; set a valid key in BATCH_API_KEY or --api-key-file`,
  'no-points': (address, failure) => `${address} says that the account has no points left: ${failure}`,
  'key-forbidden': (address, failure) => `${address} says that the API key lacks permission: ${failure}`,
  unreachable: (_, failure) => `no answer: ${failure}`,
};
