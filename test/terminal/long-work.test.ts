import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { beginLongWork } from '../../src/terminal/long-work.ts';
import { english, phrasesOf } from '../../src/terminal/phrases/phrases.ts';

const clear = '\r\u001b[2K';

/** Time in which no timer had a turn. */
let busyMs = 0;

function workOn(columns: number | null, say = english, what = message('work.files')) {
  const writes: string[] = [];
  const work = beginLongWork(what, {
    say,
    columns: () => columns,
    write: (text) => void writes.push(text),
    now: Date.now,
    steady: () => performance.now() + busyMs,
  });
  return { writes, work };
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 2, 1, 9, 5).getTime() });
});
afterEach(() => {
  vi.useRealTimers();
});

test.each([80, null])('work of less than two seconds says nothing (columns: %s)', (columns) => {
  const { writes, work } = workOn(columns);
  work.done(50, 100);
  vi.advanceTimersByTime(1_990);
  work[Symbol.dispose]();
  vi.advanceTimersByTime(600_000);
  expect(writes).toEqual([]);
});

test('on a terminal it is one line with a bar and the time left, which goes away at the end', () => {
  const { writes, work } = workOn(80);
  work.done(25, 100);
  vi.advanceTimersByTime(2_000);
  expect(writes).toEqual([
    `${clear}Checking the files  █████░░░░░░░░░░░░░░░ 25 %  25 of 100 done, about 10 s left`,
  ]);
  work[Symbol.dispose]();
  expect(writes.at(-1)).toBe(clear);
  vi.advanceTimersByTime(10_000);
  expect(writes).toHaveLength(2);
});

test.each([80, null])('a name in it gives no order to the terminal (columns: %s)', (columns) => {
  const { writes, work } = workOn(
    columns,
    english,
    message('work.reading', { name: 'a\u001b[2J\u009b1Ab.csv' }),
  );
  vi.advanceTimersByTime(2_000);
  work.clear();
  expect(writes.join('').replaceAll(clear, '')).toMatch(/Reading a\S*b\.csv/);
  expect(writes.join('').replaceAll(clear, '').trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('its line is redrawn four times a second, also where only the work itself gets a turn', () => {
  const { writes, work } = workOn(80);
  vi.advanceTimersByTime(3_000);
  const drawn = writes.length;
  expect(drawn).toBe(5);
  busyMs += 250;
  for (let count = 1; count <= 100; count += 1) work.done(count, 100);
  expect(writes).toHaveLength(drawn + 1);
});

test('the line makes room for what is printed, and comes again', () => {
  const { writes, work } = workOn(80);
  work.clear();
  vi.advanceTimersByTime(2_000);
  work.clear();
  work.clear();
  expect(writes.slice(1)).toEqual([clear]);
  vi.advanceTimersByTime(250);
  expect(writes.at(-1)).toBe(`${clear}Checking the files  running 2 s`);
});

test.each([
  [40, 'Checking the files  1,200 of 1,200 done'],
  [24, 'Checking the files  ...'],
])('in %i columns it stays one line', (columns, line) => {
  const { writes, work } = workOn(columns);
  work.done(1_200, 1_000);
  vi.advanceTimersByTime(2_000);
  expect(writes).toEqual([clear + line]);
});

test('work that is known to be long is shown before anything else gets a turn', () => {
  const writes: string[] = [];
  const place = { say: english, columns: () => 80, now: Date.now, steady: () => 0 };
  const write = (text: string): number => writes.push(text);
  using _ = beginLongWork(message('work.checkpoint'), { ...place, write }, true);
  expect(writes).toEqual([`${clear}Checking the saved state of the run  running 0 s`]);
});

test('elsewhere it is a line after two seconds, and then one a minute', () => {
  const { writes, work } = workOn(null);
  work.done(400, 1_277);
  vi.advanceTimersByTime(2_000 + 2 * 60_000);
  work.done(1_277, 1_277);
  vi.advanceTimersByTime(60_000);
  expect(writes).toEqual([
    '09:05  Checking the files · 400 of 1,277 done · about 5 s left\n',
    '09:06  Checking the files · 400 of 1,277 done · about 2 min 20 s left\n',
    '09:07  Checking the files · 400 of 1,277 done · about 4 min 30 s left\n',
    '09:08  Checking the files · 1,277 of 1,277 done\n',
  ]);
  work[Symbol.dispose]();
  expect(writes).toHaveLength(4);
});

test('where nobody knows how much there is, it says how much is done', () => {
  const { writes, work } = workOn(null, phrasesOf('zh'));
  work.done(12_000, null);
  vi.advanceTimersByTime(2_000);
  expect(writes).toEqual(['09:05  正在检查文件 · 目前 12,000\n']);
});
