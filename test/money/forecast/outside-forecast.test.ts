import { describe, expect, it } from 'vitest';
import { courseOfRun, type SeenLimits, type SeenRow } from '../../../src/money/forecast/outside-forecast.ts';

const at = Date.UTC(2026, 2, 1);
const free = { cap: null, spent: 0, each: null, limit: null, ordered: null };
const leftOfRun = (rows: SeenRow[], known: SeenLimits, now: number) => courseOfRun(rows, known, now).leftMs;

const rowOf = (part: Partial<SeenRow>): SeenRow => ({
  status: 'pending',
  row: 1,
  taskId: null,
  submittedAt: null,
  endedAt: null,
  seconds: null,
  ...part,
});
const ended = (fromMs: number, tookMs: number, seconds: number | null = null): SeenRow =>
  rowOf({ status: 'completed', taskId: 't', submittedAt: fromMs, endedAt: fromMs + tookMs, seconds });
const open = (fromMs: number): SeenRow => rowOf({ status: 'open', taskId: 't', submittedAt: fromMs });
const many = (count: number, row: SeenRow): SeenRow[] => Array.from({ length: count }, () => row);

describe('the time left, as the rows tell it', () => {
  it('is nothing where nothing is to come, and unknown before a task has ended', () => {
    expect(leftOfRun([ended(at, 10_000)], free, at)).toBe(0);
    expect(leftOfRun([rowOf({}), open(at), rowOf({ status: 'submitting' })], free, at)).toBeNull();
  });

  it('is that of the pending rows, through as many slots as are in use', () => {
    const rows = [ended(at, 10_000), open(at), open(at), ...many(9, rowOf({}))];
    expect(leftOfRun(rows, free, at)).toBe(8.5 * 5_000 + 10_000);
    expect(leftOfRun([...rows, ...many(50, rowOf({ row: null }))], free, at)).toBe(8.5 * 5_000 + 10_000);
  });

  it('is the rest of the latest task where no row is pending', () => {
    expect(leftOfRun([ended(at - 10_000, 10_000), open(at - 4_000), open(at)], free, at + 3_000)).toBe(7_000);
  });

  it('counts no row that the cap leaves no points for', () => {
    const rows = [ended(at, 10_000), open(at), ...many(9, rowOf({}))];
    const left = (cap: number, each: number | null) => leftOfRun(rows, { ...free, cap, spent: 10, each }, at);
    // Ten are spent, ten reserved: room for three more.
    expect(left(50, 10)).toBe(2.5 * 10_000 + 10_000);
    expect(left(0, 10)).toBe(10_000);
    expect(left(50, null)).toBe(8.5 * 10_000 + 10_000);
    expect(left(50, 0)).toBe(8.5 * 10_000 + 10_000);
  });

  it('follows the latest hundred tasks, in whatever order the rows come', () => {
    const old = many(100, ended(at, 1_000));
    const late = many(100, ended(at + 100_000, 60_000));
    for (const rows of [
      [...old, ...late],
      [...late, ...old],
    ])
      expect(leftOfRun([...rows, rowOf({})], free, at)).toBe(0.5 * 60_000 + 60_000);
  });

  it('takes the service’s word where nobody was there to see the end', () => {
    const night = 8 * 3_600_000;
    expect(leftOfRun([ended(at, night, 60), rowOf({})], free, at)).toBe(0.5 * 60_000 + 60_000);
    expect(leftOfRun([ended(at, 90_000, 60), rowOf({})], free, at)).toBe(0.5 * 90_000 + 90_000);
    expect(leftOfRun([ended(at, -5_000), rowOf({})], free, at)).toBe(0);
  });

  it('says what comes before the last row, and how many rows wait then', () => {
    const rows = [ended(at, 10_000), open(at), ...many(9, rowOf({}))];
    const stop = (part: Partial<SeenLimits>) =>
      courseOfRun(rows, { ...free, spent: 10, each: 10, ...part }, at).stop;
    expect(stop({})).toBeNull();
    expect(stop({ cap: 1_000, limit: { rows: 11, since: at } })).toBeNull();
    expect(stop({ cap: 50 })).toEqual({ why: 'points-cap', rows: 6 });
    expect(stop({ cap: 50, limit: { rows: 4, since: at } })).toEqual({ why: 'limit', rows: 7 });
    expect(stop({ limit: { rows: 4, since: at + 1 } })).toEqual({ why: 'limit', rows: 5 });
    expect(stop({ limit: { rows: 1, since: at } })).toEqual({ why: 'limit', rows: 9 });
  });

  it('counts the rows that somebody has ordered to send, and no others', () => {
    const rows = [ended(at, 60_000), ...many(9, rowOf({}))];
    const leftFor = (ordered: number | null) => leftOfRun(rows, { ...free, ordered }, at);
    expect(leftFor(0)).toBe(0);
    expect(leftFor(9)).toBe(leftFor(null));
    expect(leftFor(2)).toBeLessThan(Number(leftFor(null)));
    expect(courseOfRun(rows, { ...free, ordered: 2 }, at).stop).toBeNull();
  });
});
