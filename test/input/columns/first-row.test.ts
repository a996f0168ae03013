import { expect, test } from 'vitest';
import { firstRowOf, imageName } from '../../../src/input/columns/first-row.ts';
import type { Question } from '../../../src/money/item.ts';

const question: Question = {
  id: 'q-1',
  question: 'What?',
  questionImages: [],
  answer: '',
  answerImages: [],
  quality: 'h',
  notifyUrl: null,
};

const first = { row: 1, place: { line: 2, row: null } };

test('the first row has its texts whole up to 200 characters, and cut after them', () => {
  expect(firstRowOf(first, question, [])).toEqual({
    place: first.place,
    row: 1,
    id: 'q-1',
    question: 'What?',
    answer: '',
    quality: 'h',
    images: [],
  });
  const long = firstRowOf(first, { ...question, question: '😀'.repeat(200), answer: '题'.repeat(201) }, []);
  expect(long.question).toBe('😀'.repeat(200));
  expect(long.answer).toBe(`${'题'.repeat(200)}…`);
});

test.each([
  [{ kind: 'file', path: '/home/me/a/b.png' }, 'b.png'],
  [{ kind: 'file', path: 'C:\\a\\b.png' }, 'b.png'],
  [{ kind: 'url', url: 'https://me:secret@x.example/a.png?key=secret#x' }, 'https://x.example/a.png'],
  [{ kind: 'inline', data: 'AAAA' }, null],
  [{ kind: 'kept', sha256: 'ab' }, null],
] as const)('an image %j is called %j', (image, name) => {
  expect(imageName(image)).toBe(name);
});
