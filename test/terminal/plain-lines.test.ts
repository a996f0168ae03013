import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Forecast } from '../../src/money/forecast/progress.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { createLedger, type Ledger } from '../../src/money/summary.ts';
import type { RunView } from '../../src/ports.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { createPlainLines, renderProgress } from '../../src/terminal/plain-lines.ts';
import { folderWords } from '../../src/text/run-words.ts';
import { itemIn } from '../money/lives.ts';

function linesOf(isColor = false) {
  const lines: string[] = [];
  return {
    lines,
    plain: createPlainLines({
      write: (line) => lines.push(line),
      isColor,
      words: folderWords('./videos'),
      say: english,
      now: Date.now,
    }),
  };
}

const unknown: Forecast = { taskMs: null, leftMs: null, totalPoints: null, hasOwnTasks: false, stop: null };
const now = new Date(2026, 2, 1, 9, 5).getTime();

function ledgerOf(): Ledger {
  const ledger = createLedger();
  Object.assign(ledger.counts, { completed: 1_204, pending: 1_735, open: 50, failed: 11 });
  ledger.spent = 12_040;
  ledger.reserving.set('m', 50);
  return ledger;
}

const viewOf = (ledger: Ledger, part: Partial<RunView> = {}): RunView => ({
  ledger,
  policy: defaultPolicy,
  concurrency: 10,
  toSubmit: ledger.counts.pending,
  obstacle: null,
  openItems: () => [],
  ownRows: () => ({}),
  ...part,
});

beforeEach(() => {
  vi.useFakeTimers({ now });
});
afterEach(() => {
  vi.useRealTimers();
});

test('progress says what is done, what is on its way, what ended badly, what it cost, and what is to come', () => {
  const outlook = { ...unknown, leftMs: 4_300_000, totalPoints: 29_900 };
  expect(renderProgress(viewOf(ledgerOf()), outlook, now, english)).toBe(
    '1,204 of 3,000 done · 50 open · 11 failed · 12,040 points, about 29,900 in all · about 1 h 12 min left (done at 10:16)',
  );
});

test('what is not known is not said', () => {
  expect(renderProgress(viewOf(ledgerOf()), unknown, now, english)).toBe(
    '1,204 of 3,000 done · 50 open · 11 failed · 12,040 points',
  );
  const ledger = createLedger();
  ledger.counts.pending = 1;
  expect(renderProgress(viewOf(ledger), { ...unknown, leftMs: 0 }, now, english)).toBe(
    '0 of 1 done · 0 points',
  );
});

test('a pilot counts its own rows, as its time and points do, and says how many it leaves', () => {
  const ledger = createLedger();
  Object.assign(ledger.counts, { completed: 3, open: 2, pending: 35 });
  const outlook = { ...unknown, leftMs: 4_300_000, totalPoints: 200 };
  expect(renderProgress(viewOf(ledger, { toSubmit: 15 }), outlook, now, english)).toBe(
    '3 of 20 done · 2 open · 20 left for later · 0 points, about 200 in all · about 1 h 12 min left (done at 10:16)',
  );
});

test('progress is written once a minute, with the time of day and what keeps the run, until it has ended', () => {
  const { lines, plain } = linesOf();
  plain.changed(itemIn('pending'), itemIn('submitting'));
  plain.started(viewOf(ledgerOf(), { obstacle: { why: 'closed', reason: 'halt' } }));
  plain.changed(itemIn('pending'), itemIn('submitting'));
  vi.advanceTimersByTime(59_999);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(60_001);
  expect(lines.map((line) => line.split(/ {2}| · /))).toEqual([
    [
      '09:06',
      '1,204 of 3,000 done',
      '50 open',
      '11 failed',
      '12,040 points',
      'nothing more is submitted: too many rows ended badly (--halt)',
    ],
    expect.arrayContaining(['09:07']),
  ]);
  plain.suspended();
  plain.ended();
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(2);
});

test('notes and warnings are single lines without orders to the terminal', () => {
  const { lines, plain } = linesOf();
  plain.note('read\n3 rows\u001b[2J');
  plain.warn('row a\u202eb\r\nfailed');
  plain.say('Stopping');
  expect(lines).toEqual(['read 3 rows', 'warning: row ab failed', 'Stopping']);
});

test('colours stand only where they are asked for', () => {
  const { lines, plain } = linesOf(true);
  plain.warn('careful');
  plain.started(viewOf(createLedger()));
  vi.advanceTimersByTime(60_000);
  plain.ended();
  expect(lines).toEqual([
    '\u001b[33mwarning:\u001b[39m careful',
    '\u001b[2m09:06\u001b[22m  0 of 0 done · 0 points',
  ]);
});
