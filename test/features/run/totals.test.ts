import { expect, onTestFinished, test } from 'vitest';
import { type RunEnding, renderTotals } from '../../../src/features/run/totals.ts';
import type { Status } from '../../../src/money/item.ts';
import { createLedger, type EndingReason, type Ledger } from '../../../src/money/summary.ts';
import { english } from '../../../src/terminal/phrases/phrases.ts';
import { shownLines } from '../../../src/terminal/wrap-lines.ts';
import { folderWords, typeAs } from '../../../src/text/run-words.ts';
import { groupOf } from '../../terminal/failures.ts';

function ledgerOf(counts: Partial<Record<Status, number>>, spent = 0): Ledger {
  const ledger = createLedger();
  Object.assign(ledger.counts, counts);
  ledger.spent = spent;
  return ledger;
}

function totalsOf(
  ledger: Ledger,
  part: Partial<RunEnding> = {},
  columns: number | null = null,
): readonly string[] {
  const usual = {
    reason: 'done',
    stopped: null,
    detail: null,
    out: './videos',
    words: folderWords('./videos'),
    crew: null,
    rest: null,
    course: null,
    uncertainId: null,
    mark: null,
    sample: null,
    held: null,
    failures: { groups: [], areAll: true },
    gone: {},
    offers: null,
    pointsPerVideo: null,
    isRehearsal: false,
    isInUse: false,
    holder: null,
    isPaused: false,
    asked: null,
    pause: null,
    hasReports: true,
  } as const;
  return renderTotals({ ledger, ...usual, ...part }, english, columns).flatMap((line) =>
    shownLines(line, columns),
  );
}

test('a run in which all went well says so, and how to make sure', () => {
  expect(totalsOf(ledgerOf({ completed: 1 }, 10), { pointsPerVideo: 10 })).toEqual([
    '1 row: 1 completed',
    '10 points spent, 10 a video',
    'Look at ./videos/report.html; every row: ./videos/report.csv',
    'Next: batch view --open ./videos   nothing is left to do; this shows the videos in your browser',
  ]);
});

test('a narrow terminal gets every line within its width, and commands whole', () => {
  const ledger = ledgerOf({ completed: 2_951, failed: 31, rejected: 12, lost: 6 }, 29_510);
  const lines = totalsOf(ledger, { pointsPerVideo: 10, reason: 'uncertain-breaker' }, 50);
  expect(lines).toEqual([
    '3,000 rows: 2,951 completed, 31 failed, 12',
    '  rejected, 6 lost',
    '29,510 points spent, 10 a video; about 0 more',
    '  reserved by 6 lost rows',
    'Stopped submitting: what was sent last got no',
    '  readable answer',
    'Look at ./videos/report.html; every row:',
    '  ./videos/report.csv; rows to correct:',
    '  ./videos/failed.csv',
    'Next: batch collect ./videos',
    '      6 rows lost: asks again, free of charge',
    'Then: batch retry ./videos --failed',
    '      31 rows failed: a new attempt',
    'Then: batch retry ./videos --rejected',
    '      12 rows rejected: a new attempt',
    'Then: batch retry ./videos --lost',
    '      6 rows lost: pays again',
  ]);
  expect(totalsOf(ledger, {}, 200)).toEqual(totalsOf(ledger));
});

test('commands are whole and lines within the width where they are typed with npx, too', () => {
  typeAs('npx batch');
  onTestFinished(() => typeAs('batch'));
  const ledger = ledgerOf({ completed: 1, pending: 3, uncertain: 6 }, 10);
  const pause = { until: null };
  const lines = totalsOf(ledger, { pause }, 60);
  expect(lines).toContain('  `npx batch continue ./videos` ends the pause');
  expect(lines).toContain('Next: npx batch resolve ./videos --list --to uncertain.csv');
  expect(lines).toContain('      `npx batch resolve ./videos --from uncertain.csv`');
  for (const line of lines) expect(line.length).toBeLessThan(60);
});

test('a pilot says what the rest would cost, and play money is called so', () => {
  const ledger = ledgerOf({ completed: 20, pending: 980 }, 200);
  const estimate = { rows: 980, points: 9_800, parts: [], unpriced: [], isMost: false };
  const range = { low: 9_400, high: 11_200, points: 10_000, videos: 20, byQuality: true, byLength: false };
  const rest = { estimate, range, charged: 20, isRehearsal: false };
  expect(totalsOf(ledger, { rest })).toContain(
    'The rest: 980 rows for 9,400 to 11,200 points (judging by 20 videos, by quality)',
  );
  expect(totalsOf(ledger, { rest: { ...rest, isRehearsal: true } })).toContain(
    'The rest: 980 rows for 9,400 to 11,200 points of play money (judging by 20 videos, by quality)',
  );
});

test('who looks at a run that continues sees its bar, on a terminal, and the time left', () => {
  const ledger = ledgerOf({ completed: 10, open: 5, pending: 5 }, 100);
  const now = new Date(2026, 2, 3, 13, 20).getTime();
  const [bar, counts, left] = totalsOf(
    ledger,
    { isInUse: true, course: { leftMs: 600_000, stop: null, now } },
    40,
  );
  expect([bar, counts, left]).toEqual([
    `${'█'.repeat(16)}${'▓'.repeat(8)}${'░'.repeat(8)}  50 %`,
    '20 rows: 10 completed, 5 pending, 5',
    '  open',
  ]);
  const piped = totalsOf(ledger, { isInUse: true, course: { leftMs: 600_000, stop: null, now } });
  expect(piped.slice(0, 2)).toEqual([
    '20 rows: 10 completed, 5 pending, 5 open',
    'about 10 min left, done at 13:30',
  ]);
  const stop = { why: 'points-cap', rows: 1_113 } as const;
  expect(totalsOf(ledger, { course: { leftMs: 600_000, stop, now } })[1]).toBe(
    'about 10 min left, cap reached at about 13:30, about 1,113 rows left',
  );
  for (const leftMs of [null, 0])
    expect(totalsOf(ledger, { course: { leftMs, stop: null, now } })).toEqual(totalsOf(ledger));
});

test('a run with bad rows says what they are, what they may cost and, once, what to do', () => {
  const ledger = ledgerOf({ completed: 2_951, failed: 31, rejected: 12, uncertain: 6 }, 29_510);
  ledger.largestPoints.set('m', 10);
  ledger.reserving.set('m', 6);
  const groups = [groupOf({ kind: '内容不符合规范', count: 31 })];
  const failures = { groups, areAll: true };
  const lines = totalsOf(ledger, { uncertainId: 'row-17', pointsPerVideo: 29_510 / 2_951, failures });
  expect(lines.slice(0, 5)).toEqual([
    '3,000 rows: 2,951 completed, 31 failed, 12 rejected, 6 uncertain',
    '29,510 points spent, 10 a video; about 60 more reserved by 6 uncertain rows',
    'Why rows ended badly:',
    '  31 failed  "内容不符合规范"',
    'Look at ./videos/report.html; every row: ./videos/report.csv; rows to correct: ./videos/failed.csv',
  ]);
  expect(lines[5]).toMatch(
    /^Next: batch resolve \.\/videos --list --to uncertain\.csv {3}6 rows uncertain: /,
  );
  expect(lines.slice(6).map((line) => line.split(/ {3,}/)[0])).toEqual([
    'Then: batch retry ./videos --failed',
    'Then: batch retry ./videos --rejected',
  ]);
});

test('points that are not known are never passed over', () => {
  const ledger = ledgerOf({ open: 1, uncertain: 2, lost: 1 });
  ledger.reserving.set('m', 4);
  expect(totalsOf(ledger)[1]).toBe(
    '0 points spent; an unknown number more reserved by 1 open, 2 uncertain and 1 lost rows',
  );
});

test('lost rows hold what a task costs: it may have been charged', () => {
  const ledger = ledgerOf({ completed: 2, lost: 1 }, 20);
  ledger.largestPoints.set('m', 10);
  ledger.reserving.set('m', 1);
  expect(totalsOf(ledger)[1]).toBe('20 points spent; about 10 more reserved by 1 lost row');
});

test.each([
  [{ completed: 20 }, 20, 'an unknown number more reserved by 20 tasks whose points are unknown'],
  [{ completed: 1 }, 1, 'an unknown number more reserved by 1 task whose points are unknown'],
  [
    { completed: 2, open: 1 },
    2,
    'an unknown number more reserved by 1 open row and 2 tasks whose points are unknown',
  ],
] as const)('tasks whose points cannot be read are counted: %j', (counts, unpriced, said) => {
  const ledger = { ...ledgerOf(counts), unpriced };
  ledger.reserving.set('m', unpriced + ledger.counts.open);
  expect(totalsOf(ledger)[1]).toBe(`0 points spent; ${said}`);
});

test('a task that a retry left behind is still one that may have been charged', () => {
  const ledger = ledgerOf({ completed: 1 }, 10);
  ledger.largestPoints.set('m', 10);
  ledger.reserving.set('m', 2);
  expect(totalsOf(ledger)[1]).toBe('10 points spent; about 20 more reserved by 2 tasks of earlier attempts');
});

test.each<[EndingReason, RegExp]>([
  ['interrupted', /^Interrupted/],
  ['terminated', /^Terminated/],
  ['key-refused', /refused the API key/],
  ['no-points', /no points/],
  ['key-forbidden', /lacks permission/],
  ['checkpoint', /checkpoint/],
  ['bug', /bug/],
  ['collected', /nothing was submitted/],
  ['limit', /--limit/],
  ['points-cap', /--max-points/],
  ['halt', /--halt/],
  ['uncertain-breaker', /no readable answer/],
  ['refusal-breaker', /same reason/],
  ['unreachable', /cannot be reached/],
  ['unpriced', /price of a task is unknown.*--max-points/],
  ['delivery-breaker', /videos that are paid for cannot be fetched/],
  ['lost-breaker', /does not know several tasks in a row.*--base-url/],
  ['foreign-answer', /not by the service.*--base-url/],
  ['wrong-service', /^Nothing was sent.*--base-url/],
  ['busy', /refused every creation.*--outage-timeout/],
  ['misconfigured', /not set up/],
  ['disk', /files cannot be saved/],
])('a run that ended by %s says so in one line', (reason, said) => {
  const ledger = ledgerOf({ completed: 1, pending: 3 });
  expect(totalsOf(ledger)).toHaveLength(4);
  const lines = totalsOf(ledger, { reason });
  expect(lines).toHaveLength(5);
  expect(lines[2]).toMatch(said);
});

test('a run that collected calls nothing collected of which the video is not here', () => {
  const said = (counts: Partial<Ledger['counts']>): string | undefined =>
    totalsOf(ledgerOf({ completed: 1, ...counts }), { reason: 'collected' }).find((line) =>
      /nothing was submitted/i.test(line),
    );
  expect(said({ pending: 3 })).toBe('Collected everything paid for; nothing was submitted');
  expect(said({ undelivered: 1 })).toBe(
    'Nothing was submitted; 1 row whose task is or may be paid for has no video yet',
  );
  expect(said({ undelivered: 1, lost: 2 })).toBe(
    'Nothing was submitted; 3 rows whose task is or may be paid for have no video yet',
  );
});

test('what the service or the system said stands behind the reason, on the same line', () => {
  const lines = totalsOf(ledgerOf({ pending: 1 }), {
    reason: 'key-refused',
    detail: 'Unauthorized:\n\u001b[31mInvalid API key',
  });
  expect(lines[2]).toBe('Stopped: the service refused the API key: Unauthorized: Invalid API key');
});

test('a folder with a space in its name is quoted', () => {
  expect(
    totalsOf(ledgerOf({ failed: 1 }), { out: 'my videos', words: folderWords('my videos') }).slice(2),
  ).toEqual([
    "Look at 'my videos/report.html'; every row: 'my videos/report.csv'; rows to correct: 'my videos/failed.csv'",
    "Next: batch retry 'my videos' --failed   1 row failed: a new attempt",
  ]);
});

test('reports that are not there are not named', () => {
  expect(totalsOf(ledgerOf({ open: 1 }), { hasReports: false }).join('\n')).not.toContain('report.html');
});

test('a mean that is not whole is shown to the hundredth, and a rehearsal that it costs nothing', () => {
  const lines = totalsOf(ledgerOf({ completed: 3 }, 40), { pointsPerVideo: 40 / 3, isRehearsal: true });
  expect(lines[1]).toBe('40 points spent (play money), 13.33 a video');
});

test('a run that continues says so, and offers nothing that would be refused', () => {
  const lines = totalsOf(ledgerOf({ completed: 2, open: 3, failed: 1 }), { isInUse: true });
  expect(lines).toContain('Running: another process works in this folder; `batch stop ./videos` ends it');
  expect(lines.filter((line) => /^(Next|Then):/.test(line))).toEqual([
    expect.stringMatching(/^Next: batch status \.\/videos /),
  ]);
});

test('an empty run is zero rows', () => {
  expect(totalsOf(createLedger())[0]).toBe('0 rows');
});

test('rows that hold most places are said, with the time until when', () => {
  const held = { held: 2, of: 3, until: new Date(2026, 2, 1, 14, 32).getTime() };
  expect(totalsOf(ledgerOf({ uncertain: 2, pending: 5 }), { held })).toContain(
    'Uncertain rows hold 2 of 3 slots until 14:32; settle them with `batch resolve` to free the slots',
  );
});

test('a pause is named while rows wait for its end', () => {
  const waiting = ledgerOf({ completed: 1, pending: 2 }, 10);
  const line = 'Paused: nothing is submitted until Mon 22:00; `batch continue ./videos` ends the pause';
  expect(totalsOf(waiting, { pause: { until: 'Mon 22:00' } })).toContain(line);
  expect(totalsOf(waiting, { pause: { until: null } })).toContain(line.replace(' until Mon 22:00', ''));
  expect(totalsOf(waiting).join()).not.toContain('Paused');
  expect(totalsOf(ledgerOf({ completed: 1 }, 10), { pause: { until: null } }).join()).not.toContain('Paused');
});

test('what a sample says of the others is told after the totals, and how far it is to go', () => {
  const ledger = ledgerOf({ completed: 3000 });
  const watched = {
    ...{ population: 3000, size: 143, confidence: 0.95, watched: 125, bad: 2 },
    ...{ madeAgain: 0, toWatchAgain: 0, others: 2875, othersAgain: 0, mostBad: 144, left: 163 },
  };
  const told = (part: Partial<typeof watched> = {}, columns: number | null = null): readonly string[] =>
    totalsOf(ledger, { watched: { ...watched, ...part } }, columns).filter(
      (line) => !/^(3,000|0 points|Look|Next)/.test(line),
    );
  const said =
    '125 of 3,000 watched, drawn at random: 2 bad; with 95 % confidence at most 144 of the other 2,875 are (4.8 % of all)';
  const more = '  watch 163 more, all of them good, to be as sure that at most 2 % of all are';
  const caveat = '  it speaks of what reviewers see and call bad, not of what nobody noticed';
  expect(told()).toEqual([said, more, caveat]);
  const again = '  3 of them were made again since: what was said before still speaks for the others';
  expect(told({ madeAgain: 3 })).toEqual([said, again, more, caveat]);
  expect(told({ madeAgain: 3, toWatchAgain: 1 })).toEqual([said, `${again}; watch 1 again`, more, caveat]);
  const aside = '  nothing is said of 4 that were not drawn and were made again since';
  expect(told({ othersAgain: 4 })).toEqual([said, aside, more, caveat]);
  expect(told({ confidence: 0.999, mostBad: 60, left: 0 })).toEqual([
    expect.stringContaining('with 99.9 % confidence at most 60 of the other 2,875 are (2 % of all)'),
    caveat,
  ]);
  expect(totalsOf(ledger, { watched: { ...watched, mostBad: null, watched: 0, bad: 0 } })).toContain(
    '143 of 3,000 are drawn at random to be watched, and count in the order drawn; none does yet',
  );
  for (const line of told({}, 50)) expect(line.length).toBeLessThanOrEqual(50);
});
