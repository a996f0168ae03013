import { describe, expect, it } from 'vitest';
import { type RowContent, readContent, writeContent } from '../../../src/text/ids/row-content.ts';

const row: RowContent = {
  question: 'What is 1 + 1?',
  questionImages: ['a.png'],
  answer: '2',
  answerImages: [],
  quality: 'h',
  notifyUrl: '',
};
/** As the first version wrote it: every run that there is knows its rows by this. */
const written = '["What is 1 + 1?",["a.png"],"2",[],"h",""]';

it('a row is written as runs know it, and read again', () => {
  expect(writeContent(row)).toBe(written);
  expect(readContent(written)).toEqual(row);
});

describe('a part that is added', () => {
  it.each([
    ['voice', ''],
    ['pages', []],
  ])('changes no row that has none of it: %s', (name, part) => {
    expect(writeContent({ ...row, [name]: part })).toBe(written);
  });

  it('belongs to a row that has it, in whatever order parts are named, and comes back', () => {
    const more = { ...row, voice: 'low', pages: ['b.png'] };
    expect(writeContent({ pages: more.pages, voice: more.voice, ...row })).toBe(writeContent(more));
    expect(writeContent(more)).not.toBe(written);
    expect(readContent(writeContent(more))).toEqual(more);
  });
});
