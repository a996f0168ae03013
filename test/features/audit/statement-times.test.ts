import { expect, it } from 'vitest';
import { createDays, readTime } from '../../../src/features/audit/statement-times.ts';

const local = (...parts: [number, number, number, number?, number?, number?, number?]): number => {
  const [year, month, date, hour = 0, minute = 0, second = 0, ms = 0] = parts;
  return new Date(year, month - 1, date, hour, minute, second, ms).getTime();
};

it.each([
  ['2026-11-27T08:09:10.250Z', Date.UTC(2026, 10, 27, 8, 9, 10, 250), 1],
  ['2026-11-27T08:09:10+08:00', Date.UTC(2026, 10, 27, 0, 9, 10), 1_000],
  ['2026-11-27 08:09 -0130', Date.UTC(2026, 10, 27, 9, 39), 60_000],
  ['2026-11-27 08:09:10', local(2026, 11, 27, 8, 9, 10), 1_000],
  ['2026/1/2 8:09', local(2026, 1, 2, 8, 9), 60_000],
  ['2026.1.2', local(2026, 1, 2), 86_400_000],
  ['2026年1月2日 8时09分10秒', local(2026, 1, 2, 8, 9, 10), 1_000],
  ['2026年1月2日 下午 3:05', local(2026, 1, 2, 15, 5), 60_000],
  ['2026/1/2 12:05 AM', local(2026, 1, 2, 0, 5), 60_000],
  ['1764201600', 1_764_201_600_000, 1_000],
  ['1764201600123', 1_764_201_600_123, 1],
])('%s is read', (text, at, span) => {
  expect(readTime(text)).toEqual({ at, span });
});

it.each(['', 'yesterday', '11/27/26', '2026-13-01', '2026-12-32', '2026-12-01 25:00', '2026-12-01 10:60'])(
  '%j is no time that can be told for sure',
  (text) => {
    expect(readTime(text)).toBe(null);
  },
);

it('a day is that of this machine', () => {
  const dayOf = createDays();
  expect(dayOf(local(2026, 1, 2, 23, 59))).toBe('2026-01-02');
  expect(dayOf(local(2026, 1, 2))).toBe('2026-01-02');
});
