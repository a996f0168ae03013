import { expect, test } from 'vitest';
import { createLedger } from '../../src/core/summary.ts';
import { createPlainLines, renderProgress } from '../../src/terminal/plain-lines.ts';

function linesOf(isColor = false) {
  const lines: string[] = [];
  return { lines, plain: createPlainLines({ write: (line) => lines.push(line), isColor }) };
}

test('progress says what is done, what is on its way, what ended badly, and what it cost', () => {
  const ledger = createLedger();
  Object.assign(ledger.counts, { completed: 1_204, pending: 1_735, open: 50, failed: 11 });
  ledger.spent = 12_040;
  expect(renderProgress(ledger)).toBe('1,204 of 3,000 done · 50 open · 11 failed · 12,040 points');
});

test('a run at its start has nothing done', () => {
  const ledger = createLedger();
  ledger.counts.pending = 1;
  expect(renderProgress(ledger)).toBe('0 of 1 done · 0 points');
});

test('progress is written once a minute, with the time of day', () => {
  const { lines, plain } = linesOf();
  const at = new Date(2026, 2, 1, 9, 5).getTime();
  for (const after of [0, 1_000, 59_999, 60_000, 119_999]) plain.progress(createLedger(), at + after);
  expect(lines).toEqual(['09:05  0 of 0 done · 0 points', '09:06  0 of 0 done · 0 points']);
});

test('notes and warnings are single lines without orders to the terminal', () => {
  const { lines, plain } = linesOf();
  plain.note('read\n3 rows\u001b[2J');
  plain.warn('row a\u202eb\r\nfailed');
  expect(lines).toEqual(['read 3 rows', 'warning: row ab failed']);
});

test('colours stand only where they are asked for', () => {
  const { lines, plain } = linesOf(true);
  plain.warn('careful');
  expect(lines).toEqual(['\u001b[33mwarning:\u001b[39m careful']);
});
