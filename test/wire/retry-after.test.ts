/** Every form of Retry-After, heard on a socket by the real adapter and then waited for by a run in virtual time. */

import { describe, expect, it } from 'vitest';
import type { AskedPause } from '../../src/money/answers/retry-after.ts';
import { fixed } from '../../src/money/policy.ts';
import { always, answer, openService, startServer } from '../service/wire.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { openTrial } from '../support/virtual-run.ts';

const never = new AbortController().signal;
const tickMs = 30_000;
const hourMs = 3_600_000;
/** Further ahead than any pause may be. */
const later = new Date(Date.now() + 2 * hourMs);
const rfc1123 = later.toUTCString();
const sooner = new Date(later.getTime() - 4_000).toUTCString();

const [, weekday = '', day = '', month = '', year = '', time = ''] =
  /^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(rfc1123) ?? [];
const rfc850 = `Someday, ${day}-${month}-${year.slice(2)} ${time} GMT`;
const asctime = `${weekday} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;

/** What a header asks for (ms); `two hours` are less by the time that has passed since. */
type Asked = AskedPause | 'two hours';

const forms: readonly (readonly [name: string, lines: readonly string[], asked: Asked])[] = [
  ['seconds', ['45'], 45_000],
  ['zero seconds', ['0'], 0],
  ['seconds with zeros in front', ['0045'], 45_000],
  ['seconds between spaces', [' \t 45 \t '], 45_000],
  ['seconds for a day', ['86400'], 86_400_000],
  ['seconds beyond all numbers', ['9'.repeat(400)], Number.MAX_SAFE_INTEGER],
  ['negative seconds', ['-45'], 'unclear'],
  ['a fraction', ['44.997'], 45_000],
  ['an exponent', ['1e9'], 'unclear'],
  ['hex', ['0x2d'], 'unclear'],
  ['seconds with their unit', ['45s'], 45_000],
  ['Infinity', ['Infinity'], 'unclear'],
  ['NaN', ['NaN'], 'unclear'],
  ['nothing', [''], null],
  ['a word', ['soon'], 'unclear'],
  ['bytes', ['\xff\xfe\xb2'], 'unclear'],
  ['a date', [rfc1123], 'two hours'],
  ['a date in small letters', [rfc1123.toLowerCase()], 'two hours'],
  ['a date as in RFC 850', [rfc850], 'two hours'],
  ['a date as of asctime', [asctime], 'two hours'],
  ['a date of the past', ['Sun, 06 Nov 1994 08:49:37 GMT'], 0],
  ['a date without sense', ['Sun, 99 Nov 2094 08:49:37 GMT'], 'unclear'],
  ['a date in UTC', [rfc1123.replace('GMT', 'UTC')], 'two hours'],
  ['a date without an offset', [rfc1123.replace('GMT', '+0000')], 'two hours'],
  ['a date in another zone', [rfc1123.replace('GMT', '+0800')], 'unclear'],
  ['a date as in ISO 8601', [later.toISOString()], 'unclear'],
  ['a date of a clock that is hours ahead', [`${rfc1123}\r\ndate: ${sooner}`], 4_000],
  ['two headers', ['45', '900'], 900_000],
  ['two values in one header', ['5, 5'], 5_000],
];

function expectAsked(retryAfterMs: AskedPause, asked: Asked): void {
  if (asked !== 'two hours') expect(retryAfterMs).toBe(asked);
  else expect(retryAfterMs).toSatisfy((ms: number) => ms > fixed.retryAfterMaxMs && ms <= 2 * hourMs);
}

/** The pause that a run makes of it: at least its own, at most what the policy allows; what is unclear doubles its own. */
const paused = (own: number, retryAfterMs: AskedPause, mostMs: number) =>
  Math.max(own, Math.min(retryAfterMs === 'unclear' ? 2 * own : (retryAfterMs ?? 0), mostMs));

/** A server that refuses everything with this status and these headers. */
const refuse = (status: number, lines: readonly string[]) =>
  startServer(
    always(
      Buffer.from(
        answer(
          status,
          '',
          lines.map((line) => `retry-after: ${line}`),
        ),
        'latin1',
      ),
    ),
  );

describe('Retry-After', () => {
  it.for(forms)(
    '%s with HTTP 429 holds the next creation back, never for longer than allowed',
    async ([, lines, asked]) => {
      await using server = await refuse(429, lines);
      await using service = openService(`http://127.0.0.1:${server.port}`);
      const refused = await service.create('{}', never);
      expect(refused).toMatchObject({ type: 'creation-refused', passing: true });
      const retryAfterMs = refused.type === 'creation-refused' ? refused.retryAfterMs : null;
      expectAsked(retryAfterMs, asked);

      await using trial = await openTrial(namedRows(2), {
        create: ({ question, attempt }) => (question === 'Question 1' && attempt === 1 ? refused : undefined),
      });
      expect((await trial.run({ concurrency: 1, outageTimeoutMs: 2 * hourMs })).reason).toBe('done');
      const [first = 0, second = 0] = trial.tasks.sentMs('Question 1');
      const latencyMs = 200;
      expect(second - first - latencyMs).toBe(
        paused(fixed.creationPauseMs, retryAfterMs, fixed.retryAfterMaxMs),
      );
      expect(Math.min(...trial.tasks.sentMs('Question 2'))).toBeGreaterThanOrEqual(second);
      expect(await trial.statuses()).toEqual(['completed', 'completed']);
    },
  );

  it.for([429, 503].flatMap((status) => forms.map((form) => [status, ...form] as const)))(
    'with HTTP %i: %s holds the next poll back, never for longer than allowed',
    async ([status, , lines, asked]) => {
      await using server = await refuse(status, lines);
      await using service = openService(`http://127.0.0.1:${server.port}`);
      const refused = await service.status('task-1', never);
      expect(refused.type).toBe('poll-unanswered');
      const retryAfterMs = refused.type === 'poll-unanswered' ? refused.retryAfterMs : null;
      expectAsked(retryAfterMs, asked);

      await using trial = await openTrial(namedRows(2), {
        status: ({ queriedMs }) => (queriedMs.length === 2 ? refused : undefined),
      });
      expect((await trial.run()).reason).toBe('done');
      for (const { queriedMs } of trial.tasks.tasks.values()) {
        const [, before = 0, after = 0] = queriedMs;
        const latencyMs = 100;
        const askedMs = retryAfterMs === 'unclear' ? 2 * tickMs : retryAfterMs;
        const allowed = paused(tickMs - latencyMs, askedMs, fixed.pollPauseMaxMs);
        expect(after - before - latencyMs).toBe(allowed);
      }
      expect(await trial.statuses()).toEqual(['completed', 'completed']);
    },
  );
});
