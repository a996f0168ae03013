import { describe, expect, it } from 'vitest';
import { parseNameTemplate } from '../../../src/features/export/name-template.ts';

const columns = ['chapter', 'title', '题目', 'Unit Name'];
const parse = (text: string) => parseNameTemplate(text, columns);

describe('a name', () => {
  it('is made of text, facts of the row and columns of the input', () => {
    expect(parse('{chapter}/{id} - {题目}').template).toEqual([
      [{ kind: 'column', name: 'chapter' }],
      [
        { kind: 'fact', name: 'id' },
        { kind: 'text', text: ' - ' },
        { kind: 'column', name: '题目' },
      ],
    ]);
  });

  it('takes a column that has the name of a fact by input.', () => {
    expect(parse('{title}').template).toEqual([[{ kind: 'fact', name: 'title' }]]);
    expect(parse('{input.title}').template).toEqual([[{ kind: 'column', name: 'title' }]]);
  });

  it('finds a column in other capitals', () => {
    expect(parse('{unit name }').template).toEqual([[{ kind: 'column', name: 'Unit Name' }]]);
  });

  it('has braces where they are doubled', () => {
    expect(parse('{{{id}}}').template).toEqual([
      [
        { kind: 'text', text: '{' },
        { kind: 'fact', name: 'id' },
        { kind: 'text', text: '}' },
      ],
    ]);
  });
});

it('an unknown placeholder is refused with those that there are', () => {
  const { unknown, failure } = parse('{chaptr}/{id}');
  expect(unknown).toBe('chaptr');
  expect(failure?.text).toBe(
    'has {chaptr}, which is neither a column nor one of id, row, title, quality, attempt; did you mean chapter?; the columns are chapter, title, 题目, Unit Name',
  );
});

it('an unknown placeholder that is like none is refused, too', () => {
  expect(parse('{zzzzzzzz}').failure?.text).toBe(
    'has {zzzzzzzz}, which is neither a column nor one of id, row, title, quality, attempt; the columns are chapter, title, 题目, Unit Name',
  );
});

it.each([
  ['/{id}', 'a / at its start'],
  ['{id}/', 'a / at its start or end'],
  ['a//{id}', 'two in a row'],
  ['', 'a / at its start'],
  ['../{id}', 'leads out'],
  ['./{id}', 'leads out'],
  ['a\\{id}', 'has a \\'],
  ['1/2/3/4/5/{id}', 'more than 4 folders'],
  ['video', 'names every video alike'],
  ['{id', 'a single brace'],
  ['id}', 'a single brace'],
])('%j is no name', (text, why) => {
  expect(parse(text)).toMatchObject({ template: null, unknown: null });
  expect(parse(text).failure?.text).toContain(why);
});
