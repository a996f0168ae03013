import { expect, test } from 'vitest';
import { accountExitCodes, judgeAccount } from '../../../src/money/answers/account-check.ts';
import type { ProbeAnswer } from '../../../src/money/answers/status-answer.ts';

test.each<[ProbeAnswer, string, string | null, number]>([
  [{ outcome: 'service' }, 'good', null, 0],
  [{ outcome: 'odd', failure: 'HTTP 404' }, 'odd', 'HTTP 404', 1],
  [{ outcome: 'foreign', failure: 'a page answered' }, 'wrong-service', 'a page answered', 2],
  [{ outcome: 'gateway', failure: 'HTTP 502' }, 'unreachable', 'HTTP 502', 4],
  [{ outcome: 'refused', failure: 'no key', endsRun: 'key-refused' }, 'key-refused', 'no key', 3],
  [{ outcome: 'refused', failure: 'empty', endsRun: 'no-points' }, 'no-points', 'empty', 3],
  [{ outcome: 'unreachable', failure: 'gone', obstacle: 'no-host' }, 'no-host', 'gone', 2],
  [{ outcome: 'unreachable', failure: 'away', obstacle: null }, 'unreachable', 'away', 4],
])('%j means an account that is %s', (answer, outcome, failure, code) => {
  const judged = judgeAccount(answer);
  expect(judged).toEqual({ outcome, failure });
  expect(accountExitCodes[judged.outcome]).toBe(code);
});
