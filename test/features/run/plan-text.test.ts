import { describe, expect, it } from 'vitest';
import { type PlanText, renderPlan } from '../../../src/features/run/plan-text.ts';
import { estimatePoints, noRows, type QualityCounts } from '../../../src/money/forecast/estimate.ts';
import type { Plan } from '../../../src/money/plan.ts';
import { createLedger, type Ledger } from '../../../src/money/summary.ts';
import { english } from '../../../src/terminal/phrases/phrases.ts';
import { folderWords, sharedWords } from '../../../src/text/run-words.ts';
import { emptyPlan as nothing } from '../../support/empty-plan.ts';

const { counts } = createLedger();

/** A plan in which all rows to submit are new. */
function fresh(rows: number, part: Partial<Plan> = {}): Plan {
  const shares = { ...nothing.shares, newRows: rows };
  return { ...nothing, rows, newRows: rows, toSubmit: rows, shares, now: { ...noRows, none: rows }, ...part };
}

type Words = Partial<Omit<PlanText, 'estimate' | 'plan' | 'found'>> & {
  readonly limit?: number;
  readonly images?: Partial<PlanText['found']['images']>;
};

function linesOf(plan: Plan, words: Words = {}): readonly string[] {
  const { limit = null, images, ...text } = words;
  const ledger = text.ledger ?? createLedger();
  return renderPlan(
    {
      file: 'q.csv',
      found: {
        encoding: 'UTF-8',
        format: 'csv',
        notes: [],
        images: { rows: 0, files: 0, inline: 0, kept: 0, addresses: 0, ...images },
      },
      firstRow: null,
      plan,
      reuse: null,
      repeats: { count: 0, points: null },
      estimate: estimatePoints(plan.now, ledger, { quality: null, limit }),
      ledger,
      range: null,
      charged: 0,
      maxPoints: null,
      concurrency: 10,
      isRehearsal: false,
      alike: 0,
      pilot: null,
      isSample: false,
      rerunsChanged: false,
      rerunCommand: '`batch run q.csv --rerun-changed`',
      words: folderWords('./videos'),
      allQuestions: 'q.csv',
      ...text,
    },
    english,
  );
}

function priced(price: number, spent: number): Ledger {
  const ledger = createLedger();
  ledger.largestPoints.set('m', price);
  ledger.spent = spent;
  return ledger;
}

describe('the plan', () => {
  it('of a first file says what is known, and how to know more', () => {
    expect(linesOf(fresh(12), { pilot: 'batch run q.csv --sample 20' })).toEqual([
      'q.csv: 12 rows, CSV, UTF-8',
      'Plan: 12 to submit: 12 new',
      'Estimate: unknown, no video has been paid for in this folder yet. Try a pilot: batch run q.csv --sample 20',
    ]);
  });

  it('of an edited file says what becomes of every row', () => {
    const plan = fresh(1_700, {
      rows: 3_001,
      toSubmit: 1_760,
      shares: { newRows: 1_700, waiting: 18, changed: 30, rerun: 12 },
      now: { ...noRows, none: 1_760 },
      kept: { ...counts, completed: 1_204, open: 50, failed: 11 },
      gone: 3,
      unsendable: 5,
    });
    expect(linesOf(plan, { ledger: priced(10, 12_040), charged: 1_204 }).slice(1)).toEqual([
      'Plan: 1,760 to submit: 1,700 new, 18 waiting, 30 changed, 12 paid for again; 50 open, 1,204 done, 11 failed; 3 gone from the file; 5 cannot be sent',
      'Estimate: about 17,600 points: 1,760 rows at 10 each, the highest price of that quality among 1,204 videos in this folder',
    ]);
  });

  it.each([
    [
      { low: 9_400, high: 11_200, byQuality: true, byLength: true },
      '9,400 to 11,200 points for 480 rows, judging by 20 videos, by quality and length',
    ],
    [
      { low: 9_400, high: 11_200, byQuality: false, byLength: true },
      '9,400 to 11,200 points for 480 rows, judging by 20 videos, by length',
    ],
    [
      { low: 4_800, high: 4_800, byQuality: false, byLength: false },
      '4,800 points for 480 rows, judging by 20 videos',
    ],
  ])('after a pilot has a range, and its basis', (part, said) => {
    const range = { ...part, points: 10_000, videos: 20 };
    const ledger = priced(22, 200);
    expect(linesOf(fresh(480), { ledger, range, charged: 20, maxPoints: 5_000 }).slice(2)).toEqual([
      `Estimate: ${said}`,
      '  --max-points 5,000 covers about 218 of them: 200 points spent so far',
      expect.stringContaining('it can be passed only by'),
    ]);
  });

  it('shows the first row as it will be sent, unless nothing will be', () => {
    const firstRow = {
      row: 3,
      place: { line: 5, row: 4 },
      id: 'q-3',
      question: 'What\nis it?',
      answer: '42',
      quality: 'h' as const,
      images: [
        { kind: 'file' as const, name: 'a.png', bytes: 12_340 },
        { kind: 'url' as const, name: 'https://x.example/b.png', bytes: null },
        { kind: 'inline' as const, name: null, bytes: 900 },
        { kind: 'kept' as const, name: null, bytes: 2_000_000 },
        { kind: 'inline' as const, name: null, bytes: 900 },
      ],
    };
    expect(linesOf(fresh(12), { firstRow })[1]).toBe(
      '  first row that can be sent (line 5, sheet row 4): id q-3, question "What is it?", answer "42", quality h, 5 images: file a.png (12.4 kB), address https://x.example/b.png, in the row itself (900 bytes), in a cell (2 MB), 1 more',
    );
    const bare = { row: 1, place: { line: 2, row: null }, id: null, question: '', answer: '', quality: null };
    const images = firstRow.images.slice(0, 1);
    expect(linesOf(fresh(12), { firstRow: { ...bare, images } })[1]).toBe(
      '  first row: no text, 1 image: file a.png (12.4 kB)',
    );
    expect(linesOf({ ...nothing, rows: 1 }, { firstRow })[1]).toBe('Plan: 0 to submit');
  });

  it('of a sample says how many rows it has', () => {
    expect(linesOf(fresh(500), { limit: 20, isSample: true })[1]).toBe(
      'Plan: 20 of 500 to submit now (--sample): 500 new',
    );
  });

  it('of a file that is done says so', () => {
    const plan = { ...nothing, rows: 1, kept: { ...counts, completed: 1 } };
    expect(linesOf(plan, { ledger: priced(10, 10) })).toEqual([
      'q.csv: 1 row, CSV, UTF-8',
      'Plan: 0 to submit; 1 done',
      'Estimate: nothing to submit, 0 points',
    ]);
  });

  it('of a file whose rows are all gone says so', () => {
    expect(linesOf({ ...nothing, gone: 2 })[1]).toBe('Plan: 0 to submit; 2 gone from the file');
  });

  it.each([
    [{ rows: 1, files: 1 }, '  1 row with 1 image: 1 in a file'],
    [
      { rows: 412, files: 410, inline: 8, addresses: 1 },
      '  412 rows with 419 images: 410 in files, 8 in the rows themselves, 1 address',
    ],
    [{ rows: 2, addresses: 3 }, '  2 rows with 3 images: 3 addresses'],
  ])('counts images: %j', (images, line) => {
    expect(linesOf(fresh(500), { images })[1]).toBe(line);
  });

  it('warns of new rows with the question of a row that was submitted and is gone', () => {
    expect(linesOf(fresh(20, { askedBefore: 1, gone: 1 }))[1]).toBe(
      '  warning: 1 new row has the question of a row that was submitted and is gone from the file, with another answer, image, quality or address: it counts as new, and paid for',
    );
  });

  it.each([
    [1, '1 row without id repeats another row word for word; it counts as a separate question, and paid for'],
    [
      12,
      '12 rows without id repeat another row word for word; each counts as a separate question, and paid for',
    ],
  ])('warns of %d rows that stand twice', (twins, line) => {
    expect(linesOf(fresh(20, { twins }))[1]).toBe(`  warning: ${line}`);
  });

  it.each([
    [1, 10, '1 row sends what an earlier row sends, and is paid for, about 10 points'],
    [18, null, '18 rows send what an earlier row sends, and are paid for'],
  ])(
    'says of %d rows that they are paid for twice, in place of what it says of those without ids',
    (count, points, line) => {
      const said = linesOf(fresh(20, { twins: 1 }), { repeats: { count, points } })[1];
      expect(said).toBe(`  warning: ${line}; \`--reuse ./videos\` pays for each question once`);
    },
  );

  it('promises no videos of other rows in a run that machines share', () => {
    const words = sharedWords('exam', 'postgres://server/exams');
    expect(linesOf(fresh(20), { repeats: { count: 2, points: null }, words })[1]).toBe(
      '  warning: 2 rows send what an earlier row sends, and are paid for',
    );
  });

  it.each([
    [{ reused: 212, held: 0, points: 2_100 }, 'Reuse: 212 reused, about 2,100 points saved'],
    [{ reused: 1, held: 1, points: null }, 'Reuse: 1 reused; 1 waits for the video of another row'],
    [{ reused: 0, held: 5, points: 0 }, 'Reuse: 0 reused; 5 wait for the videos of other rows'],
  ])('says what need not be paid for: %j', (reuse, line) => {
    expect(linesOf(fresh(20), { reuse: { ...reuse, elsewhere: [] } })[2]).toBe(line);
  });

  it.each([
    [
      4,
      1,
      '4 are being made and 1 may have been paid for in ../a: not sent now; the same line takes the videos once they are',
    ],
    [1, 0, '1 is being made in ../a: not sent now; the same line takes the video once it is'],
    [0, 2, '2 may have been paid for in ../a: not sent now; the same line takes the videos once they are'],
  ])('says what another run makes, or may make: %i, %i', (made, doubtful, line) => {
    const elsewhere = [{ folder: '../a', made, doubtful }];
    expect(linesOf(fresh(20), { reuse: { reused: 0, held: 0, points: null, elsewhere } })[3]).toContain(line);
  });

  it('says nothing of videos that might be taken where nothing is to be done', () => {
    expect(linesOf(fresh(0), { reuse: { reused: 0, held: 0, points: 0, elsewhere: [] } })).toHaveLength(3);
  });

  it('warns of rows that changed too late, and of those that are paid for again', () => {
    const plan = fresh(1, {
      changedSent: 2,
      rerunnable: 1,
      changedSentIds: ['a', 'b'],
      rerunnableIds: ['a'],
      keepingIds: ['b'],
    });
    expect(linesOf(plan)[1]).toBe(
      '  warning: 2 rows changed after they were submitted and keep their result: a, b; `batch run q.csv --rerun-changed` pays for them again with the new text, `batch retry ./videos --only ID` for some of them',
    );
    expect(linesOf(plan, { rerunsChanged: true }).slice(1, 3)).toEqual([
      '  1 row changed after it was submitted and is paid for again (--rerun-changed): a',
      '  warning: 1 row changed after it was submitted and keeps its result: b',
    ]);
  });

  it('names the rows that a table of failed rows takes away, and how to get them back', () => {
    expect(linesOf(fresh(1, { gone: 2, goneIds: ['row-3', 'row-5'] }))[1]).toMatch(
      /^ {2}warning: 2 failed rows are not in this table, .*: row-3, row-5; `batch run q\.csv --out \.\/videos` with the file of all questions brings them back$/,
    );
  });

  it('says how many of the rows --limit or --only lets pass', () => {
    expect(linesOf(fresh(9), { limit: 5 })[1]).toBe('Plan: 5 of 9 to submit now (--limit): 9 new');
    expect(linesOf(fresh(9, { now: { ...noRows, m: 2 } }))[1]).toBe(
      'Plan: 2 of 9 to submit now (--only): 9 new',
    );
    expect(linesOf(fresh(9), { limit: 9 })[1]).toBe('Plan: 9 to submit: 9 new');
  });
});

describe('the estimate', () => {
  const of = (now: QualityCounts, words: Words): readonly string[] => {
    const rows = now.h + now.m + now.l + now.none;
    return linesOf(fresh(rows, { now }), words).slice(2);
  };

  it('of one row rests on the one video that was paid for', () => {
    expect(of({ ...noRows, m: 1 }, { ledger: priced(1, 1), charged: 1 })).toEqual([
      'Estimate: about 1 point: 1 row at 1, the price of the one video in this folder',
    ]);
  });

  it('distinguishes qualities where their prices differ', () => {
    const ledger = priced(10, 35);
    ledger.largestPoints.set('h', 25);
    expect(of({ h: 2, m: 1, l: 0, none: 0 }, { ledger, charged: 2 })).toEqual([
      'Estimate: about 60 points: 2 rows (h) at 25, 1 row (m) at 10, the highest price of that quality among 2 videos in this folder',
    ]);
  });

  it('is unknown where a quality has no price: its rows go one at a time, and that of another is no figure', () => {
    const known = { ledger: priced(10, 20), charged: 2 };
    const unpaid = 'Estimate: unknown, no video in quality h has been paid for in this folder yet';
    expect(of({ ...noRows, h: 5, m: 40 }, { ...known, maxPoints: 75 })).toEqual([
      unpaid,
      '  --max-points 75: rows in quality h go one at a time until the price of the first one is known',
      '  it can be passed only by what that first row, or a later price above all before, costs more',
    ]);
    expect(of({ ...noRows, h: 5 }, { ...known, maxPoints: 25 })).toEqual([
      unpaid,
      '  --max-points 25 leaves no room for another row: 20 points spent so far',
    ]);
  });

  it('is an upper bound where it is not known which rows go first', () => {
    const ledger = priced(10, 35);
    ledger.largestPoints.set('h', 25);
    expect(of({ ...noRows, h: 3, m: 9 }, { ledger, charged: 2, limit: 4 })[0]).toMatch(
      /^Estimate: at most about 85 points: 3 rows \(h\) at 25, 1 row \(m\) at 10, /,
    );
  });

  it('of a rehearsal is play money, and needs no pilot', () => {
    const words = { isRehearsal: true, pilot: 'batch run q.csv --sample 20' };
    expect(of({ ...noRows, m: 9 }, words)).toEqual([
      'Estimate: unknown, no video has been paid for in this folder yet; a rehearsal: points are play money',
    ]);
    expect(of({ ...noRows, m: 9 }, { ...words, ledger: priced(10, 10), charged: 1, pilot: null })).toEqual([
      'Estimate: about 90 points: 9 rows at 10 each, the price of the one video in this folder; a rehearsal: points are play money',
    ]);
  });

  it.each([
    [1_000, '  --max-points 1,000 is enough for that'],
    [75, '  --max-points 75 covers about 5 of them: 20 points spent so far'],
    [25, '  --max-points 25 leaves no room for another row: 20 points spent so far'],
  ])('says how far a cap of %d points reaches', (maxPoints, line) => {
    expect(of({ ...noRows, m: 9 }, { ledger: priced(10, 20), charged: 2, maxPoints })[1]).toBe(line);
  });

  it('says how many of its rows were refused before', () => {
    expect(of({ ...noRows, m: 9 }, { alike: 5 })[1]).toBe(
      '  5 of them were refused with others alike: sent once more when the service accepts creations',
    );
    expect(of({ ...noRows, m: 1 }, { alike: 1 })[1]).toBe(
      '  1 of them was refused with others alike: sent once more when the service accepts creations',
    );
  });

  it('says by what a cap can be passed, with the figures', () => {
    const at = (concurrency: number) =>
      of({ ...noRows, m: 9 }, { ledger: priced(10, 20), charged: 2, maxPoints: 75, concurrency })[2];
    expect(at(10)).toBe(
      '  it can be passed only by what the up to 10 tasks open at a time then cost above 10 points, the most so far',
    );
    expect(at(1)).toBe(
      '  it can be passed only by what the one task open at a time then costs above 10 points, the most so far',
    );
  });

  it('says how a cap works while no price is known', () => {
    expect(of({ ...noRows, m: 9 }, { maxPoints: 50 }).slice(1)).toEqual([
      '  --max-points 50: rows go one at a time until the price of the first one is known',
      '  it can be passed only by what that first row, or a later price above all before, costs more',
    ]);
  });
});
