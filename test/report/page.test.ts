import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { reportLine } from '../../src/report/columns.ts';
import {
  addTotals,
  noTotals,
  renderPageHead,
  renderPageRows,
  renderPageTail,
} from '../../src/report/page.ts';
import { artifactOf, rowOf } from './report-rows.ts';

const facts = { out: './videos', writtenAt: Date.UTC(2026, 2, 1), running: false };

function island(text: string): unknown {
  const [, json = ''] = /^<script type="application\/json" [a-z]+="\w+">(.*)<\/script>$/m.exec(text) ?? [];
  return JSON.parse(json);
}

function hashOf(text: string | undefined): string {
  return `'sha256-${createHash('sha256')
    .update(text ?? '')
    .digest('base64')}'`;
}

test('the policy lets the page run its own script and style, and nothing else', () => {
  const page = renderPageHead() + renderPageTail(facts, noTotals);
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.split('; ') ?? [];
  expect(policy).toContain(`script-src ${hashOf(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1])}`);
  expect(policy).toContain(`style-src ${hashOf(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1])}`);
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]),
  );
});

test('the page asks nothing of anybody', () => {
  expect(renderPageHead() + renderPageTail(facts, noTotals)).not.toMatch(/https?:|url\(|@import|<link/);
});

test('no text of a row can end its island, and every text comes back exactly', () => {
  const payload = '</script><script>alert(1)</script><!-- \u2028\u2029 ]]> &lt; \ud800';
  const text = renderPageRows([
    reportLine(
      rowOf(
        { id: payload, title: payload, failure: payload },
        { input: { id: payload, question: payload, quality: '' } },
      ),
    ),
  ]);
  expect(text.match(/</g)).toHaveLength(2);
  expect(text).not.toMatch(/[\u2028\u2029]/);
  expect(island(text)).toEqual([
    [1, payload, 'completed', 10, payload, payload, payload, 0, 'sum-1/video.mp4'],
  ]);
});

test('the name of the folder is data too', () => {
  const text = renderPageTail({ ...facts, out: '</script><b>' }, noTotals);
  expect(island(text)).toMatchObject({ out: '</script><b>' });
  expect(text.match(/<\/script>/g)).toHaveLength(2);
});

test('a link is relative and each of its segments is encoded', () => {
  const artifacts = [artifactOf({ path: 'a#b ?100%题:/video.mp4' })];
  expect(island(renderPageRows([reportLine(rowOf({ artifacts }))]))).toMatchObject([
    { 8: 'a%23b%20%3F100%25%E9%A2%98%3A/video.mp4' },
  ]);
});

test('the totals count every row, and say for how many the points are not known', () => {
  const first = addTotals(noTotals, [reportLine(rowOf({ points: 0.1 })), reportLine(rowOf({ points: 0.2 }))]);
  const totals = addTotals(first, [reportLine(rowOf({ status: 'open', points: null }))]);
  expect(totals).toEqual({ counts: { completed: 2, open: 1 }, points: 0.3, unpriced: 1 });
  expect(island(renderPageTail({ ...facts, running: true }, totals))).toMatchObject({
    writtenAt: '2026-03-01T00:00:00.000Z',
    running: true,
    points: 0.3,
    unpriced: 1,
    statuses: [
      { status: 'open', count: 1 },
      { status: 'completed', count: 2 },
    ],
  });
});

test('a batch without rows leaves no island', () => {
  expect(renderPageRows([])).toBe('');
});
