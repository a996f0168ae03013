import { describe, expect, test } from 'vitest';
import { listColumns, mapColumns, quoteColumns, sayTwice } from '../../../src/input/columns/columns.ts';
import { isFieldName, isGuessedId } from '../../../src/input/columns/known-names.ts';

describe('which column is which field', () => {
  test.each([
    ['question', 'question'],
    ['Question', 'question'],
    [' QUESTION_ ', 'question'],
    ['ｑｕｅｓｔｉｏｎ', 'question'],
    ['题目', 'question'],
    ['问题', 'question'],
    ['Question Images', 'questionImages'],
    ['question-images', 'questionImages'],
    ['图片', 'questionImages'],
    ['图片1', 'questionImages'],
    ['Image (2)', 'questionImages'],
    ['\u200banswer\ufeff', 'answer'],
    ['Reference Answer', 'answer'],
    ['答案', 'answer'],
    ['参考答案', 'answer'],
    ['answer_images', 'answerImages'],
    ['答案图片', 'answerImages'],
    ['编号', 'id'],
    ['序号', 'id'],
    ['No.', 'id'],
    ['画质', 'quality'],
    ['notifyUrl', 'notify_url'],
    ['callback', 'notify_url'],
    ['回调', 'notify_url'],
  ])('the header %j is the field %s', (column, field) => {
    expect(mapColumns([column, 'other'], {})).toEqual({ fields: { [field]: column }, problems: [] });
  });

  test('a header that only holds a known word is no field', () => {
    expect(mapColumns(['question author', 'answered by'], {}).fields).toEqual({});
  });

  test('a field takes its exact name before its own name, and that before a synonym', () => {
    expect(mapColumns(['解析', '答案', 'problem', 'Question', 'question'], {})).toEqual({
      fields: { question: 'question', answer: '答案' },
      problems: [],
    });
  });

  test.each([
    ['正确答案', '答案解析'],
    ['Correct Answer', 'Explanation'],
    ['参考答案', '详解'],
  ])('the answer is %s, and not %s beside it', (answer, explanation) => {
    expect(mapColumns([explanation, answer], {})).toEqual({ fields: { answer }, problems: [] });
    expect(mapColumns([explanation], {}).fields).toEqual({ answer: explanation });
  });

  test('names that stand twice are one problem where a second table stands beside the first', () => {
    const said = (columns: readonly string[]) => sayTwice(columns).map(({ id }) => id);
    expect(said(['id', 'question', '', 'id', 'question'])).toEqual(['columns.second-table']);
    expect(said(['question', 'topic', 'topic'])).toEqual(['columns.twice']);
    expect(said(['topic', 'room', 'topic', 'room'])).toEqual(['columns.twice', 'columns.twice']);
  });

  test('two equally good columns are a problem that names both and the way out', () => {
    const { problems } = mapColumns(['prompt', 'stem'], {});
    expect(problems).toHaveLength(1);
    expect(problems[0]?.text).toMatch(/"prompt", "stem".*--map question=COLUMN/);
  });

  test('an override wins, and its column is nothing else', () => {
    const { fields, problems } = mapColumns(['question', 'answer'], { question: 'answer' });
    expect(fields).toEqual({ question: 'answer' });
    expect(problems).toEqual([]);
  });

  test('an override of a column or a field that is not there is a problem', () => {
    expect(mapColumns(['a text'], { question: 'b text' }).problems[0]?.text).toMatch(
      /no such column.*"a text"/,
    );
    const wrong: Record<string, string> = { title: 'a text' };
    expect(mapColumns(['a text'], wrong).problems[0]?.text).toMatch(/no such field/);
  });
});

test('an override may say that a field has no column, whatever a header says', () => {
  expect(mapColumns(['No.', 'question'], { id: 'none' })).toEqual({
    fields: { question: 'question' },
    problems: [],
  });
  expect(mapColumns(['none', 'id', 'question'], { id: 'none' }).fields.id).toBe('none');
});

test('a header that only may be an id is told from one that is called so', () => {
  for (const column of ['No.', '#', 'nr', '序号']) expect(isGuessedId(column), column).toBe(true);
  for (const column of ['id', 'ID', '编号', 'question', 'chapter'])
    expect(isGuessedId(column), column).toBe(false);
});

test('only a header that names a field by itself is a field name, however it is written', () => {
  for (const column of ['question', 'Question_Images', '题目', ' N O. '])
    expect(isFieldName(column)).toBe(true);
  for (const column of ['', 'chapter', 'the question']) expect(isFieldName(column)).toBe(false);
});

describe('columns in a message', () => {
  test('are all named, and may be quoted', () => {
    expect(listColumns(['a', 'b'])).toEqual({ en: 'a, b', zh: 'a, b' });
    expect(quoteColumns(['a', 'b "c"']).en).toBe('"a", "b \\"c\\""');
  });

  test('are the first twenty, and the number of the others', () => {
    const columns = Array.from({ length: 23 }, (_, i) => `c${i + 1}`);
    expect(listColumns(columns).en).toMatch(/^c1, .*, c20 and 3 more$/);
    expect(listColumns(columns).zh).toMatch(/^c1, .*, c20 等，另有 3 个$/);
    expect(listColumns(columns.slice(0, 20)).en).toMatch(/, c20$/);
  });

  test('are cut where a name has no end, between letters', () => {
    expect(listColumns(['x'.repeat(40)]).en).toBe('x'.repeat(40));
    expect(listColumns(['x'.repeat(41)]).en).toBe(`${'x'.repeat(40)}…`);
    expect(listColumns([`${'x'.repeat(39)}🎬`]).en.isWellFormed()).toBe(true);
  });
});
