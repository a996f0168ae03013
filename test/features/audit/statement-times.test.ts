import { expect, it } from 'vitest';
import { createDays, readTime, readZone } from '../../../src/features/audit/statement-times.ts';

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
  const isLocal = !/^\d+$|[Z+]|-\d{4}$/.test(text);
  const wall = isLocal ? expect.any(Number) : null;
  expect(readTime(text)).toEqual({ at, span, wall });
});

it.each([
  ['UTC', 0],
  ['z', 0],
  [' +8 ', 8],
  ['UTC+08:00', 8],
  ['-0130', -1.5],
  ['+05:30', 5.5],
  ['', null],
  ['+15', null],
  ['08:00', null],
  ['Asia/Shanghai', null],
])('%j is a zone %s hours before UTC', (text, hours) => {
  expect(readZone(text)).toBe(hours === null ? null : hours * 3_600_000);
});

it('a time without a zone is of the one that is named', () => {
  const shown = Date.UTC(2026, 10, 27, 8, 9, 10);
  expect(readTime('2026-11-27 08:09:10', 3_600_000)).toMatchObject({ at: shown - 3_600_000, wall: null });
  expect(readTime('2026-11-27 08:09:10Z', 3_600_000)).toMatchObject({ at: shown, wall: null });
  expect(readTime('2026-11-27 08:09:10')?.wall).toBe(shown);
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
