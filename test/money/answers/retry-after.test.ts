import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AskedPause, parseRetryAfter } from '../../../src/money/answers/retry-after.ts';

const now = Date.UTC(2026, 1, 28, 23, 59, 30);

test.each<[string | null, AskedPause]>([
  ['299.997', 300_000],
  ['5s', 5_000],
  ['5 seconds', 5_000],
  ['5, 5', 5_000],
  ['5, 900, soon', 900_000],
  ['Sun, 01 Mar 2026 00:00:30 UTC', 60_000],
  ['Sun, 01 Mar 2026 00:00:30 +0000', 60_000],
  ['Sun, 01 Mar 2026 00:00:30 GMT, Sun, 01 Mar 2026 00:01:30 GMT', 120_000],
  ['120', 120_000],
  [' 0 ', 0],
  ['999999999999999999999', Number.MAX_SAFE_INTEGER],
  ['Sun, 01 Mar 2026 00:00:30 GMT', 60_000],
  ['sun, 01 mar 2026 00:00:30 gmt', 60_000],
  ['Sunday, 01-Mar-26 00:00:30 GMT', 60_000],
  ['Sun Mar  1 00:00:30 2026', 60_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['1.5', 2_000],
  ['-5', 'unclear'],
  ['+5', 'unclear'],
  ['1e3', 'unclear'],
  ['0x10', 'unclear'],
  ['', null],
  [' ', null],
  [null, null],
  ['soon', 'unclear'],
  ['2026-03-01T00:00:30Z', 'unclear'],
  ['Sun, 01 Foo 2026 00:00:30 GMT', 'unclear'],
  ['Sun, 32 Mar 2026 00:00:30 GMT', 'unclear'],
  ['Sun, 01 Mar 2026 24:00:30 GMT', 'unclear'],
  ['Sun, 01 Mar 2026 00:00:30 CET', 'unclear'],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected);
});

test('dates are counted as the platform counts them, leap years included', () => {
  for (let year = 1999; year <= 2101; year++) {
    for (const [month, day] of [
      [0, 1],
      [1, 28],
      [1, 29],
      [2, 1],
      [11, 31],
    ] as const) {
      const at = new Date(Date.UTC(year, month, day, 12, 34, 56));
      const past = at.getTime() - 1_000;
      expect(parseRetryAfter(at.toUTCString(), past)).toBe(1_000);
    }
  }
});

test('any moment comes back from its HTTP date, to the second', () => {
  const moment = fc.integer({ min: 0, max: 4_102_444_800 }).map((seconds) => seconds * 1_000);
  fc.assert(
    fc.property(moment, fc.nat(100_000_000), (at, ahead) => {
      const early = at - ahead * 1_000;
      expect(parseRetryAfter(new Date(at).toUTCString(), early)).toBe(at - early);
    }),
  );
});

test('any header is a whole number of milliseconds that is not negative, or unclear, or says nothing', () => {
  const letters = 'Sun, 06 Nov 1994 08:49:37 GMT -:/.+eE'.split('');
  const header = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...letters), maxLength: 32 }));
  fc.assert(
    fc.property(header, (text) => {
      const pause = parseRetryAfter(text, now);
      if (typeof pause === 'number') expect(Number.isSafeInteger(pause) && pause >= 0).toBe(true);
      else expect(pause).toBe(/[^\s,]/.test(text) ? 'unclear' : null);
    }),
    { numRuns: 1_000 },
  );
});
