import { describe, expect, it } from 'vitest';
import { createVideos, ownTitle } from '../../src/page/pupils/videos.ts';
import { pupilTitle } from '../../src/reports/pupil-title.ts';
import { videoOf } from './support/made-pupils.ts';

const videos = createVideos(['Functions', '几何']);
videos.put([videoOf(1, { chapter: 1, question: '求 $x$', answer: '42', anchor: '%E9%A2%98-1' })]);
videos.put([videoOf(2, { chapter: 0, title: 'The Vertex (a+b)' }), videoOf(3, { id: 'q-3' })]);
const anchorsOf = (text: string) => videos.search(text).map(({ anchor }) => anchor);

describe('the videos of the page for pupils', () => {
  it('stand chapter by chapter, those without one first', () => {
    expect(videos.all().map(({ anchor }) => anchor)).toEqual(['v3', 'v2', '%E9%A2%98-1']);
    expect(videos.count).toBe(3);
  });

  it.each([
    ['%E9%A2%98-1', '%E9%A2%98-1'],
    ['题-1', '%E9%A2%98-1'],
    ['v2', 'v2'],
    ['%', undefined],
    ['', undefined],
  ])('are found by their link %s, however the browser writes it', (link, anchor) => {
    expect(videos.find(link)?.anchor).toBe(anchor);
  });

  it.each([
    ['', ['v3', 'v2', '%E9%A2%98-1']],
    ['vertex', ['v2']],
    ['(a+b) the', ['v2']],
    ['几何', ['%E9%A2%98-1']],
    ['q-3', ['v3']],
    ['vertex 求', []],
  ])('are found by every word of “%s” in title, question, chapter and id', (text, anchors) => {
    expect(anchorsOf(text)).toEqual(anchors);
  });

  it('are not found by their answers, which are for later', () => {
    expect(anchorsOf('42')).toEqual([]);
  });
});

it.each([
  'Write $f(x)=x^2-6x+11$ in vertex form and name the vertex. Then find all $x$ with $f(x)\\le 6$.',
  '\\[\\begin{pmatrix}1&2\\end{pmatrix}\\] Solve\nfor $x$.',
  '已知函数 $f(x)=\\sin^2 x$，求最小正周期。',
])('a title that is made of the question is not shown beside it: %s', (question) => {
  expect(ownTitle({ title: pupilTitle(null, question), question })).toBe(null);
});

it.each([
  ['Squares', 'Solve it', 'Squares'],
  ['Solve…', 'Solve  it', null],
  ['Solve\nit', 'Solve it', null],
  ['', '', null],
  ['Squares', '', 'Squares'],
])('the title %j beside the question %j is shown as %j', (title, question, shown) => {
  expect(ownTitle({ title, question })).toBe(shown);
});
