import { describe, expect, it } from 'vitest';
import type { SampleBody } from '../../src/money/review/sample-wire.ts';
import { drawSample, type WatchSample } from '../../src/money/review/watch-sample.ts';
import type { Mark } from '../../src/page/marks/mark.ts';
import { createSampleView, keysToDraw, type RowMarks, standRow } from '../../src/page/sample/drawn.ts';
import { createSampling, type DrawEnd, type SampleFacts } from '../../src/page/sample/sampling.ts';
import { rowsToDraw, sampleSentence, wayToGo } from '../../src/page/sample/sentence.ts';
import type { PageRow } from '../../src/reports/page-wire.ts';
import { type SomeRow, somePageRow } from './support/page-rows.ts';

const video = 'v.mp4';
const madeRow = (some: SomeRow): PageRow => somePageRow({ video, ...some });
const rowsUpTo = (count: number): PageRow[] =>
  Array.from({ length: count }, (_, at) => madeRow({ key: at + 1 }));

const marked = (verdict: Mark['verdict'], attempt: number | null = 1): Mark => ({
  verdict,
  note: '',
  attempt,
});
const saidBy = (own: Mark | null, ...others: readonly Mark[]): RowMarks => ({
  own,
  all: [...(own === null ? [] : [own]), ...others],
});
const nobody = saidBy(null);

it.each<readonly [string, Partial<PageRow>, boolean]>([
  ['a completed row', {}, true],
  ['a row without a video', { video: null }, false],
  ['a row whose new attempt is not completed', { status: 'open' }, false],
  ['a row that left the input', { row: null }, false],
  ['a row with a reason to look', { findings: [{ code: 'silent' }] }, false],
])('%s is drawn from, or not', (_, some, isDrawnFrom) => {
  expect(keysToDraw([madeRow({ key: 7, ...some })])).toEqual(isDrawnFrom ? [7] : []);
});

const again: Partial<PageRow> = {
  attempts: 2,
  submittedAt: 500,
  videos: [
    [1, 'one.mp4', 1, {}],
    [2, video, 1, {}],
  ],
};
it.each<readonly [string, Partial<PageRow>, RowMarks, ReturnType<typeof standRow>]>([
  ['nobody has seen', {}, nobody, { verdict: null, before: null }],
  ['its reader calls good', {}, saidBy(marked('good')), { verdict: 'good', before: null }],
  ['another reviewer calls bad', {}, saidBy(marked('good'), marked('bad')), { verdict: 'bad', before: null }],
  ['has only a note', {}, saidBy(marked(null)), { verdict: null, before: null }],
  ['was marked without an attempt', {}, saidBy(marked('good', null)), { verdict: null, before: null }],
  ['was made again', again, saidBy(marked('bad')), { verdict: null, before: 'bad' }],
  [
    'was made again and seen',
    again,
    saidBy(marked('bad'), marked('good', 2)),
    { verdict: 'good', before: 'bad' },
  ],
  [
    'was made again before it was drawn',
    { ...again, submittedAt: 50 },
    saidBy(marked('bad')),
    { verdict: null, before: null },
  ],
  [
    'has the video of its first attempt again',
    { ...again, preferred: 1, video: 'one.mp4', submittedAt: 50 },
    saidBy(marked('good')),
    { verdict: 'good', before: null },
  ],
  [
    'is made again now',
    { attempts: 2, status: 'open', submittedAt: 50, videos: [[1, video, 1, {}]] },
    saidBy(marked('bad')),
    { verdict: 'bad', before: null },
  ],
  [
    'has another standing attempt for its reader',
    again,
    saidBy({ ...marked('good'), prefer: 1 }),
    { verdict: 'good', before: null },
  ],
])('a drawn row that %s counts as such', (_, some, marks, drawn) => {
  expect(standRow(madeRow({ key: 1, ...some }), marks, { at: 100 })).toEqual(drawn);
});

describe('the sample on the page', () => {
  const all = rowsUpTo(300);
  const sample = drawSample(keysToDraw(all), { seed: 1, at: 100, confidence: 0.95 });
  const viewOf = (verdicts: readonly Mark['verdict'][], rows: readonly PageRow[] = all) => {
    const marks = new Map(verdicts.map((verdict, at) => [`r-${sample.keys[at]}`, marked(verdict)]));
    const view = createSampleView(
      (key) => rows.find((row) => row.key === key) ?? null,
      () => rows,
    );
    return view(sample, 0.95, (id) => saidBy(marks.get(id) ?? null));
  };

  it('has its rows in the order drawn, and begins with the first that has no verdict', () => {
    const { rows, next, gap } = viewOf(['good', 'bad']);
    expect(rows.map(({ key }) => key)).toEqual(sample.keys.slice(0, sample.size));
    expect([next?.key, gap]).toEqual([sample.keys[2], null]);
  });

  it('names the row that was passed over, after which nothing counts', () => {
    const { gap, next, standing } = viewOf(['good', null, 'good']);
    expect([gap?.key, next?.key, standing.watched]).toEqual([sample.keys[1], sample.keys[1], 1]);
  });

  it('does not guess of rows that the page does not have', () => {
    const { absent, gap, standing } = viewOf(
      ['good', 'good'],
      all.filter(({ key }) => key !== sample.keys[0]),
    );
    expect([absent, gap, standing.watched]).toEqual([1, null, 0]);
  });

  it('reads its bounds once, until a verdict changes', () => {
    const marks = new Map<string, Mark>();
    const view = createSampleView(
      (key) => all[key - 1] ?? null,
      () => all,
    );
    const look = () => view(sample, 0.95, (id) => saidBy(marks.get(id) ?? null)).standing;
    const before = look();
    expect(look()).toBe(before);
    marks.set(`r-${sample.keys[0]}`, marked('good'));
    expect(look()).toMatchObject({ watched: 1, bad: 0 });
  });

  const good = (count: number) => Array.from({ length: count }, () => 'good' as const);
  it.each<readonly [string, readonly Mark['verdict'][], string, string]>([
    [
      'nobody has begun',
      [],
      `Watch these ${sample.size} videos, drawn at random: if all of them are good, at most 2 % of all 300 are bad, with 95 % confidence`,
      '',
    ],
    [
      'some were watched',
      [...good(39), 'bad'],
      '40 of 300 watched, drawn at random: 1 bad; with 95 % confidence at most 31 of the other 260 are (10.4 % of all)',
      'Watch 101 more, all of them good, to be as sure that at most 2 % of all are bad.',
    ],
    [
      'all were watched and are good',
      good(sample.size),
      `${sample.size} of 300 watched, drawn at random: 0 bad; with 95 % confidence at most 6 of the other ${300 - sample.size} are (2 % of all)`,
      'Enough for what was asked: at most 2 % of all are bad.',
    ],
  ])('says in words how it stands where %s', (_, verdicts, sentence, way) => {
    const { standing } = viewOf(verdicts);
    expect([sampleSentence(standing), wayToGo(standing)]).toEqual([sentence, way]);
  });

  it('has as many rows as it takes, and asks for more where a bad one was seen', () => {
    expect(rowsToDraw(viewOf([]).standing)).toBe(0);
    const { standing } = viewOf(['good', 'bad']);
    expect(standing.left).toBeGreaterThan(sample.size - 2);
    expect(rowsToDraw(standing)).toBe(2 + standing.left - sample.size);
    expect(rowsToDraw(viewOf(['good', null, 'bad']).standing)).toBe(0);
  });
});

/** A page whose server answers as a test says. */
function createDesk(facts: Partial<SampleFacts> = {}, keys: readonly number[] = [1, 2, 3]) {
  const sent: SampleBody[] = [];
  let answer: DrawEnd = 'saved';
  let changes = 0;
  const sampling = createSampling({
    keys: () => keys,
    send: async (body) => {
      sent.push(body);
      return answer;
    },
    seed: () => 77,
    now: () => 900,
    changed: () => {
      changes += 1;
    },
  });
  const look = (news: Partial<SampleFacts> = {}) =>
    sampling.look({ run: 'run-1', writtenAt: 500, ...facts, ...news });
  look();
  const answerWith = (end: DrawEnd) => {
    answer = end;
  };
  return { sampling, sent, look, answerWith, changes: () => changes };
}

const other: WatchSample = { seed: 5, at: 600, population: 3, size: 2, keys: [3, 1, 2] };

describe('without a server that saves, the page draws by itself', () => {
  it('the same rows wherever it is opened, others for another run, and keeps them while rows come', () => {
    const [one, two, foreign] = [createDesk(), createDesk(), createDesk({ run: 'run-2' })];
    const drawn = one.sampling.current();
    expect(drawn).toEqual(two.sampling.current());
    expect(drawn).toMatchObject({ at: 500, population: 3, size: 3 });
    expect(foreign.sampling.current()?.seed).not.toBe(drawn?.seed);
    one.look({ writtenAt: 700 });
    expect(one.sampling.current()).toBe(drawn);
    expect(one.sent).toEqual([]);
  });

  it('nothing while there is nothing to draw from', () => {
    expect(createDesk({}, []).sampling.current()).toBeNull();
  });

  it('and lets the sample of the run grow for its reader, until the run has another one', async () => {
    const { sampling, look, sent, changes } = createDesk({ sample: other });
    expect(sampling.current()).toEqual(other);
    await sampling.more(1);
    expect([sampling.current()?.size, sent, changes()]).toEqual([3, [], 1]);
    look();
    expect(sampling.current()?.size).toBe(3);
    look({ sample: { ...other, at: 800 } });
    expect(sampling.current()).toMatchObject({ at: 800, size: 2 });
  });
});

describe('with a server that saves, reviewers share what is drawn', () => {
  it('nothing is drawn unasked; what is drawn is sent, and shown once it is saved', async () => {
    const { sampling, sent, look } = createDesk({ review: true });
    expect(sampling.current()).toBeNull();
    const end = sampling.draw();
    expect(sampling.current()).toBeNull();
    await end;
    const drawn = sampling.current();
    expect(drawn).toMatchObject({ seed: 77, at: 900, population: 3 });
    expect(sent).toEqual([{ sample: drawn, instead: null }]);
    // News that left the server before.
    look();
    expect(sampling.current()).toEqual(drawn);
    look({ sample: other });
    expect(sampling.current()).toEqual(other);
    look();
    expect(sampling.current()).toBeNull();
  });

  it('more rows are drawn in the order that is saved, and others take their place', async () => {
    const { sampling, sent } = createDesk({ review: true, sample: other });
    await sampling.more(1);
    await sampling.draw();
    expect(sent.map(({ sample: { at, size }, instead }) => [at, size, instead])).toEqual([
      [600, 3, 600],
      [900, 3, 600],
    ]);
    expect(sampling.current()?.at).toBe(900);
  });

  it.each(['other', 'unsaved'] as const)(
    'what is not saved is not shown, and it is said (%s)',
    async (end) => {
      const { sampling, answerWith, look } = createDesk({ review: true, sample: other });
      answerWith(end);
      await sampling.draw();
      expect([sampling.trouble, sampling.current()]).toEqual([end, other]);
      look({ sample: { ...other, at: 700 } });
      expect(sampling.current()?.at).toBe(700);
      answerWith('saved');
      await sampling.draw();
      expect([sampling.trouble, sampling.current()?.at]).toEqual([null, 900]);
    },
  );

  it('who asks twice before the answer draws once, and who has no video draws nothing', async () => {
    const { sampling, sent } = createDesk({ review: true });
    await Promise.all([sampling.draw(), sampling.draw()]);
    expect(sent).toHaveLength(1);
    const none = createDesk({ review: true }, []);
    await none.sampling.draw();
    expect([none.sampling.trouble, none.sent]).toEqual(['nothing', []]);
  });
});
