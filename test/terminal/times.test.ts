import { describe, expect, it, test } from 'vitest';
import { renderMoment, renderRough, renderSpan, renderTime } from '../../src/terminal/times.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
  [-5, '0 s'],
  [999, '0 s'],
  [41 * second, '41 s'],
  [minute, '1 min'],
  [3 * minute + 20 * second, '3 min 20 s'],
  [hour + 12 * minute + 59 * second, '1 h 12 min'],
  [51 * hour, '2 d 3 h'],
])('a span of %d ms reads %s', (ms, text) => {
  expect(renderSpan(ms)).toBe(text);
});

test.each([
  [1, '5 s'],
  [41 * second, '45 s'],
  [56 * second, '1 min'],
  [61 * second, '1 min 10 s'],
  [601 * second, '11 min'],
  [hour + 11.5 * minute, '1 h 12 min'],
])('an estimate of %d ms reads %s', (ms, text) => {
  expect(renderRough(ms)).toBe(text);
});

describe('a moment', () => {
  const now = new Date(2026, 2, 3, 9, 5).getTime();

  it('of today is its hour and minute', () => {
    expect(renderTime(now)).toBe('09:05');
    expect(renderMoment(now + 5 * hour, now)).toBe('14:05');
  });

  it('of another day says which', () => {
    expect(renderMoment(now + 24 * hour, now)).toBe('Wed 09:05');
    expect(renderMoment(now + 10 * 24 * hour, now)).toBe('13 Mar 09:05');
  });
});
