import { expect, test } from 'vitest';
import { renderAccount } from '../../../src/features/check/account-text.ts';
import type { AccountOutcome } from '../../../src/money/answers/account-check.ts';
import { english } from '../../../src/terminal/phrases/phrases.ts';

const address = 'https://api.example';

test.each<[AccountOutcome, string | null, string]>([
  ['good', null, 'good: https://api.example answers as the service does, and takes the API key'],
  [
    'odd',
    'HTTP 404',
    'not sure: https://api.example may not be the service; asked about a task that cannot exist, it answered "HTTP 404"',
  ],
  [
    'wrong-service',
    'it redirects',
    'wrong address: https://api.example is not the service: it redirects; correct --base-url',
  ],
  ['no-host', 'ENOTFOUND', 'no such host: ENOTFOUND'],
  ['tls', 'expired', 'no secure connection (TLS): expired'],
  ['proxy', 'HTTP 407', 'the proxy is in the way: HTTP 407'],
  ['misconfigured', 'bad', 'no request can be sent: bad'],
  [
    'key-refused',
    'Unauthorized',
    'https://api.example refused the API key: Unauthorized; set a valid key in BATCH_API_KEY or --api-key-file',
  ],
  ['no-points', 'HTTP 402', 'https://api.example says that the account has no points left: HTTP 402'],
  ['key-forbidden', 'HTTP 403', 'https://api.example says that the API key lacks permission: HTTP 403'],
  ['unreachable', 'refused', 'no answer: refused'],
])('an account that is %s is told in one line', (outcome, failure, said) => {
  expect(renderAccount({ outcome, failure, address, ms: 1234 }, english)).toBe(
    `Account: ${said} (a free question, 1,234 ms)`,
  );
});

test('a rehearsal has no account', () => {
  expect(renderAccount(null, english)).toContain('rehearsal');
});
