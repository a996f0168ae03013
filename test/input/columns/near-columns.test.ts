import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { mapColumns } from '../../../src/input/columns/columns.ts';
import { likelyHeader, nearFields } from '../../../src/input/columns/near-columns.ts';

describe('a header that nearly names a field', () => {
  test.each([
    ['Aufgabe', 'question'],
    ['题目正文', 'question'],
    ['内容', 'question'],
    ['解析内容', 'answer'],
    ['题目（必填）', 'question'],
    ['*题目*', 'question'],
    ['完整题干', 'question'],
    ['Question (LaTeX)', 'question'],
    ['the question', 'question'],
    ['Qestion', 'question'],
    ['вопрос', 'question'],
    ['答案要点', 'answer'],
    ['Lösung', 'answer'],
    ['answr text', 'answer'],
    ['图片1', 'questionImages'],
    ['Abbildung', 'questionImages'],
    ['答案图片2', 'answerImages'],
    ['试卷编号', 'id'],
    ['清晰度设置', 'quality'],
    ['imges', 'questionImages'],
    ['iamges', 'questionImages'],
    ['answr', 'answer'],
    ['Anwser', 'answer'],
    ['iid', 'id'],
  ])('%j is proposed for %s', (column, field) => {
    expect(nearFields(['other', column], {})).toEqual({ [field]: column });
  });

  test.each([
    '题目类型',
    '试题难度',
    'question author',
    'answered by',
    '2024届高三数学期末试题库',
    'date',
    'name',
    '',
    'id|question',
    '{"question": "x"}',
    ...['pid', 'ID2', 'grid', 'ids', 'txt', 'frame', 'pages', 'stage', 'usage', 'di'],
    ...['IsCorrect', 'is_correct', 'NewQuestion', '是否有答案', '答案是否公开'],
    ...["'question'", '“题目”'],
    'photos of the class and of the questions that they asked',
  ])('%j is not', (column) => {
    expect(nearFields([column], {})).toEqual({});
  });

  test('is none of several with a number, but one that has a number alone', () => {
    expect(nearFields(['Answer 1', 'Answer 2', '题目一', '题目二', 'ID 1', 'ID 2'], {})).toEqual({});
    expect(nearFields(['答案1', '题目2'], {})).toEqual({ answer: '答案1', question: '题目2' });
  });

  test('is never one that names a field, has one, or whose field has a column', () => {
    expect(nearFields(['题目', '题目正文'], { question: '题目' })).toEqual({});
    expect(nearFields(['题目'], {})).toEqual({});
    expect(nearFields(['Aufgabe'], { id: 'Aufgabe' })).toEqual({});
  });

  test('is the nearest one of several, else the first', () => {
    expect(nearFields(['题目正文', 'Aufgabe', 'Frage'], {})).toEqual({ question: 'Aufgabe' });
    expect(nearFields(['Qestion', '题目正文', '题目全文', 'Qestion text'], {})).toEqual({
      question: '题目正文',
    });
    expect(nearFields(['题目正文', 'Qestion'], {})).toEqual({ question: '题目正文' });
  });

  test('can be used as an override, whatever it is called', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 8 }), (names) => {
        const columns = [...new Set(names)];
        const near = nearFields(columns, mapColumns(columns, {}).fields);
        const { fields, problems } = mapColumns(columns, near);
        expect(fields).toMatchObject(near);
        expect(problems.filter(({ text }) => text.includes('no such'))).toEqual([]);
      }),
    );
  });
});

it('the row that most likely names the columns is the one that names or nearly names most', () => {
  const rows = [
    ['2024届高三数学期末试题库'],
    ['高三', '一班'],
    ['题号', '题目正文', '答案'],
    ['1', '求 x', '2'],
  ];
  expect(likelyHeader(rows, {})).toBe(2);
  expect(likelyHeader([['title'], ['Abbildung']], {})).toBe(1);
  expect(likelyHeader([['title'], ['id', 'answer', 'text of it']], {})).toBe(1);
  expect(likelyHeader([['title'], ['id', 'room']], {})).toBe(1);
  expect(
    likelyHeader(
      [
        ['class', '3b'],
        ['id', 'room'],
      ],
      {},
    ),
  ).toBe(0);
  expect(likelyHeader([['title'], ['id']], {})).toBe(0);
  expect(likelyHeader([['title'], ['code', 'room']], { id: 'code', answer: 'room' })).toBe(1);
  expect(likelyHeader([], {})).toBe(0);
});
