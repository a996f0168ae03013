import { expect, test } from 'vitest';
import { parseDurationMs } from '../../src/text/duration.ts';

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['30', 30_000],
  ['0', 0],
  ['1.5h', 5_400_000],
  ['0.5', 500],
  [' 10 s ', 10_000],
  ['007s', 7_000],
])('"%s" is %d ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms);
});

test.each([
  '',
  ' ',
  's',
  'abc',
  '-1s',
  '+1s',
  '1e3',
  '1d',
  '1S',
  '1.s',
  '.5s',
  '1,5s',
  '5 m s',
  '1h30m',
  '0x10',
  'NaN',
  'Infinity',
  '٣s',
])('"%s" is no duration', (text) => {
  expect(parseDurationMs(text)).toBeNull();
});
