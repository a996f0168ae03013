import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportLine } from '../../src/reports/columns.ts';
import {
  addTotals,
  noTotals,
  type PageFacts,
  type PageTotals,
  pageHeading,
  renderPageHead,
  renderPageRows,
  renderPageTail,
} from '../../src/reports/page.ts';
import { createOwnCells, pageRow } from '../../src/reports/page-row.ts';
import { pagePolicy } from '../../src/reports/page-shell.ts';
import { type PageRow, packRow } from '../../src/reports/page-wire.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { artifactOf, attemptOf, rowOf, source, submittedAt } from './report-rows.ts';

const facts: PageFacts = {
  out: './videos',
  folder: '/somewhere/videos',
  run: 'run-1',
  writtenAt: Date.UTC(2026, 2, 1),
  running: false,
};
const assets = { script: 'page()', style: 'a{}', mathScript: 'formulas()', mathStyle: 'b{}' };
const noLinks = () => null;
const head = renderPageHead(assets);
const tail = (out: Partial<PageFacts> = {}, totals = noTotals, withMath = false) =>
  renderPageTail(assets, pageHeading({ ...facts, ...out }, totals), withMath);

function island(text: string): unknown {
  const [, json = ''] = /^<script type="application\/json" [a-z]+="\w+">(.*)<\/script>$/m.exec(text) ?? [];
  return JSON.parse(json);
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function textsOf(page: string, tag: string): string[] {
  return [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text = '']) => text);
}

test('the policy lets the page run its own scripts and styles, and nothing else', () => {
  const page = head + tail({}, noTotals, true);
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.split('; ') ?? [];
  expect(textsOf(page, 'script')).toEqual(['page()', 'formulas()']);
  expect(policy).toContain(`script-src ${textsOf(page, 'script').map(hashOf).join(' ')}`);
  expect(policy).toContain(`style-src ${textsOf(page, 'style').map(hashOf).join(' ')}`);
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]),
  );
  expect(page).not.toMatch(/unsafe|\*/);
});

test('the course of a search for the concurrency is in the facts, where there was one', () => {
  const concurrency = [
    [1, 4],
    [2, 5],
  ] as const;
  expect(island(tail({ concurrency }))).toMatchObject({ concurrency });
  expect(island(tail())).not.toHaveProperty('concurrency');
});

test('the cap, a rehearsal and the name of a shared run are in the facts, where there are any', () => {
  const more = { cap: 400, rehearsal: true, shared: 'algebra' } as const;
  expect(island(tail(more))).toMatchObject(more);
  for (const name of Object.keys(more)) expect(island(tail())).not.toHaveProperty(name);
});

test('a live page may ask its own server, and nobody else', () => {
  expect(pagePolicy(assets, true).split('; ')).toContain("connect-src 'self'");
});

test('the page asks nothing of anybody', () => {
  expect(head + tail({}, noTotals, true)).not.toMatch(
    /https?:|url\(|@import|<link (?!rel="icon" href="data:,")/,
  );
});

test('what draws formulas is on the page only where there are some', () => {
  expect(tail()).not.toContain('formulas()');
  expect(tail()).not.toContain('b{}');
});

test('the script stands before the rows, so that the first of them are shown while others are still read', () => {
  expect(head).toContain('<script>page()</script>');
  expect(tail({}, noTotals, true)).not.toContain('page()');
});

test('a reader without the script is informed in both languages, before anything of the script is there', () => {
  const line = /<div id="failure-line"[^>]*>.*<\/div>/.exec(head);
  expect(line?.[0]).not.toContain('hidden');
  expect(line?.[0]).toMatch(/script.*report\.csv.*<p lang="zh-CN">.*report\.csv/);
  expect(line?.index).toBeLessThan(head.indexOf('<div id="app">'));
});

test('a row has what is known of it; texts are exact', () => {
  const frames = [1, 2].map((ordinal) =>
    artifactOf({ kind: 'frame', ordinal, path: `sum-1/frames/00${ordinal}.png` }),
  );
  const report = rowOf(
    { artifacts: [artifactOf({}), ...frames, artifactOf({ kind: 'frame', ordinal: 3, state: 'wanted' })] },
    { input: { id: 'sum-1', question: 'What is 1 + 1?', quality: '' } },
  );
  const expected: PageRow = {
    key: 1,
    row: 1,
    id: 'sum-1',
    status: 'completed',
    points: 10,
    question: 'What is 1 + 1?',
    answer: '',
    questionImages: [],
    answerImages: [],
    quality: 'm',
    title: 'A sum',
    failure: null,
    failureZh: null,
    taskId: 'task-1',
    submittedAt,
    endedAt: submittedAt + 95_000,
    seconds: 90.3,
    attempts: 1,
    token: '81f4',
    counted: 1,
    video: 'sum-1/video.mp4',
    frames: ['sum-1/frames/001.png', 'sum-1/frames/002.png'],
    videos: [],
    preferred: null,
    draft: null,
    corrected: null,
    captions: null,
    secondsVideo: null,
    findings: [],
    own: null,
  };
  expect(pageRow(report, noLinks)).toEqual(expected);
});

test('the user’s own columns take a place when a row has something in them; long cells are cut, signatures hidden', () => {
  const own = createOwnCells();
  const columns = [...source.columns, 'author', ...Array.from({ length: 20 }, (_, at) => `more-${at}`)];
  const cellsOf = (input: object) =>
    pageRow(
      rowOf({}, { input: { id: 'a', question: 'b', ...input }, source: { ...source, columns } }),
      noLinks,
      { own },
    ).own;
  expect(cellsOf({ chapter: ' ' })).toBeNull();
  expect(cellsOf({ author: 'Li', extra: 'no column' })).toEqual(['Li']);
  expect(cellsOf({ chapter: 7 })).toEqual(['', '7']);
  const address = 'https://a.example/1.png?key=secret';
  expect(cellsOf({ author: { by: 'x' }, chapter: address })).toEqual([
    '{"by":"x"}',
    'https://a.example/1.png?…',
  ]);
  expect(cellsOf({ author: `${'a'.repeat(119)}😀` })).toEqual([`${'a'.repeat(119)}…`]);
  const more = Object.fromEntries(columns.slice(5).map((column) => [column, 'x']));
  expect(cellsOf(more)).toHaveLength(12);
  expect(own.columns).toEqual(['author', 'chapter', ...columns.slice(5, 15)]);
});

test('what a run has none of weighs nothing on its page', () => {
  const plain = pageRow(rowOf(), noLinks);
  expect(renderPageRows([plain])).toMatch(/\[\]\]\]<\/script>/);
});

test('a failure in words of this program is there in Chinese too, and one of the service is not', () => {
  const failure = 'HTTP 200 without a readable task id; answer: {"id":7}';
  const rows = (['uncertain', 'undelivered', 'failed', 'rejected'] as const).map((status) =>
    pageRow(rowOf({ status, failure }), noLinks),
  );
  expect(rows.map((row) => row.failure)).toEqual(rows.map(() => failure));
  const chinese = 'HTTP 200，读不出任务编号；答复：{"id":7}';
  expect(rows.map((row) => row.failureZh)).toEqual([chinese, chinese, null, null]);
});

test('the videos of several attempts come with their points, and with texts other than those of the row', () => {
  const earlier = artifactOf({ kind: 'earlier-video', ordinal: 1, path: 'sum-1/attempt-1/video.mp4' });
  const report = rowOf(
    { attempt: 2, artifacts: [earlier, artifactOf({})] },
    {
      attempts: [attemptOf({ points: null }), attemptOf({ attempt: 2, points: 12 })],
      earlierInputs: [{ attempt: 1, input: { id: 'sum-1', question: 'What is 1 + l?' }, source }],
    },
  );
  const videos = [
    [1, 'sum-1/attempt-1/video.mp4', null, { question: 'What is 1 + l?' }],
    [2, 'sum-1/video.mp4', 12, {}],
  ];
  expect(pageRow(report, noLinks).videos).toEqual(videos);
  expect(pageRow({ ...report, preferred: 1 }, noLinks).videos).toEqual([
    [1, 'sum-1/attempt-1/video.mp4', null, {}],
    [2, 'sum-1/video.mp4', 12, { question: 'What is 1 + 1?' }],
  ]);
});

test('no text of a row can end its island, and every text comes back exactly', () => {
  const payload = '</script><script>alert(1)</script><!-- \u2028\u2029 ]]> &lt; \ud800';
  const row = pageRow(
    rowOf(
      { id: payload, title: payload, failure: payload },
      { input: { id: payload, question: payload, quality: '' } },
    ),
    noLinks,
  );
  const text = renderPageRows([row]);
  expect(text.match(/</g)).toHaveLength(2);
  expect(text).not.toMatch(/[\u2028\u2029]/);
  expect(island(text)).toEqual([packRow(row)]);
  expect(Object.values(row).filter((value) => value === payload)).toHaveLength(4);
});

test('the name of the folder is data too', () => {
  const text = tail({ out: '</script><b>', title: 'questions.csv' });
  expect(island(text)).toMatchObject({ out: '</script><b>', title: 'questions.csv' });
  expect(text.match(/<\/script>/g)).toHaveLength(1);
});

test('a link is relative and each of its segments is encoded', () => {
  const artifacts = [artifactOf({ path: 'a#b ?100%题:/video.mp4' })];
  expect(pageRow(rowOf({ artifacts }), noLinks).video).toBe('a%23b%20%3F100%25%E9%A2%98%3A/video.mp4');
});

test('the totals count every row, and say for how many the points are not known', () => {
  const add = (before: PageTotals, batch: ReportRow[]) => addTotals(before, batch.map(reportLine), batch);
  const first = add(noTotals, [rowOf({ points: 0.1 }), rowOf({ points: 0.2 })]);
  const totals = add(first, [rowOf({ status: 'open', points: null })]);
  const videos = { pricedVideos: 2, videoPoints: 0.3 };
  expect(totals).toEqual({ counts: { completed: 2, open: 1 }, points: 0.3, unpriced: 1, ...videos });
  expect(island(tail({ running: true }, totals))).toEqual({
    out: './videos',
    run: 'run-1',
    writtenAt: facts.writtenAt,
    running: true,
    live: false,
    counts: { open: 1, completed: 2 },
    points: 0.3,
    unpriced: 1,
    ...videos,
    leftOut: 0,
  });
});

test('a batch without rows leaves no island', () => {
  expect(renderPageRows([])).toBe('');
});
