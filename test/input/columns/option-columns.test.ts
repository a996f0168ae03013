import { describe, expect, test } from 'vitest';
import { listOptions, mapColumns } from '../../../src/input/columns/columns.ts';
import { isOptionName, optionColumns } from '../../../src/input/columns/option-columns.ts';
import { readFile } from '../read-file.ts';

describe('the options of multiple choice', () => {
  test.each([
    [['id', 'question', 'A', 'B', 'C', 'D'], 'A to D'],
    [['question', 'D', 'a', 'C', 'b'], 'D to b'],
    [['question', 'A', 'B'], 'A to B'],
    [['题目', '选项A', '选项B', '选项C', '选项D'], '选项A to 选项D'],
    [['题目', 'A选项', 'B选项'], 'A选项 to B选项'],
    [['question', 'Option A', 'option_b'], 'Option A to option_b'],
    [['question', 'choice1', 'choice2', 'choice3'], 'choice1 to choice3'],
    [['question', 'A.', '(B)', 'Ｃ'], 'A. to Ｃ'],
    [['question', 'Answer A', 'Answer B'], 'Answer A to Answer B'],
  ])('%j has %s', (columns, expected) => {
    expect(listOptions(optionColumns(columns)).en).toBe(expected);
    expect(Object.keys(mapColumns(columns, {}).fields)).not.toContain('answer');
    expect(optionColumns(columns).every(isOptionName)).toBe(true);
  });

  test.each([
    [['Q', 'A']],
    [['Q', 'A', 'C']],
    [['question', '选项A', 'B']],
    [['question', 'image1', 'image2']],
    [['question', 'option']],
    [['question', 'A', 'option 2']],
  ])('%j has none', (columns) => {
    expect(optionColumns(columns)).toEqual([]);
  });

  test('leave a lone A the answer, and one that is chosen', () => {
    expect(mapColumns(['Q', 'A'], {}).fields).toEqual({ question: 'Q', answer: 'A' });
    expect(mapColumns(['Q', 'A', 'B'], { answer: 'A' }).fields).toEqual({ question: 'Q', answer: 'A' });
    expect(mapColumns(['Q', 'A', 'B', '答案'], {}).fields).toEqual({ question: 'Q', answer: '答案' });
  });
});

describe('what is said of options', () => {
  const notes = async (text: string, file = 'q.csv') =>
    (await readFile(text, { file })).found.notes.filter((note) => /options|not sent/.test(note));

  test('in every format: they are not sent, and which column may be the answer', async () => {
    expect(await notes('question,A,B,C,D\nq,1,2,3,4\n')).toEqual([
      'columns A to D look like options and are not sent; no answer is sent: --map answer=COLUMN chooses its column',
    ]);
    expect(await notes('question,A,B,C,D,Correct\nq,1,2,3,4,B\n')).toEqual([
      'columns A to D look like options and are not sent; no answer is sent: if Correct is the answer, add --map answer=Correct',
      'columns not sent: Correct',
    ]);
    expect(await notes('{"question":"q","A":"1","B":"2","Gold":"A"}', 'q.jsonl')).toEqual([
      'columns A to B look like options and are not sent; no answer is sent: if Gold is the answer, add --map answer=Gold',
      'columns not sent: Gold',
    ]);
    expect(await notes('题目,选项A,选项B,答案\nq,1,2,neither\nr,1,2,B\n')).toEqual([
      'columns 选项A to 选项B look like options and are not sent',
    ]);
  });

  test('answers that are letters or numbers only are told, also where the choices are in one cell', async () => {
    const only = 'the answers that are sent are letters or numbers of them only, such as';
    expect(await notes('题目,选项A,选项B,答案\nq,1,2,\nr,1,2,B\n')).toEqual([
      `columns 选项A to 选项B look like options and are not sent; ${only} "B"`,
    ]);
    const row = { question: 'q', choices: ['4', '6', '7'], level: 1 };
    const text = (answers: readonly unknown[]) =>
      answers.map((answer) => JSON.stringify({ ...row, answer })).join('\n');
    expect(await notes(text([2, null, 0]), 'q.jsonl')).toEqual([
      `column choices holds choices, which are not sent; ${only} "2"`,
      'columns not sent: level',
    ]);
    expect(await notes(text([2, '6 is even']), 'q.jsonl')).toEqual([
      'column choices holds choices, which are not sent',
      'columns not sent: level',
    ]);
    expect(await notes(text([null]), 'q.jsonl')).toContain(
      'column choices holds choices, which are not sent',
    );
    expect(await notes('题目,选项,答案\nq,A. 4  B. 6,B\nr,,7\n')).toEqual([
      `column 选项 holds choices, which are not sent; ${only} "B"`,
    ]);
  });

  test('a later row of JSONL that makes the answer above an option is refused', async () => {
    const text = '{"question":"q","A":"1"}\n{"question":"r","B":"2"}';
    const { problems } = await readFile(text, { file: 'q.jsonl' });
    expect(problems).toEqual([
      { line: 2, message: expect.stringContaining('rows above were read with "A" as answer') },
    ]);
    const chosen = await readFile(text, { file: 'q.jsonl', columns: { answer: 'none' } });
    expect(chosen.problems).toEqual([]);
  });

  test('the order of the keys in a row of JSONL means nothing', async () => {
    const { problems, source } = await readFile('{"text":"q","A":"1","question":"q","B":"2"}', {
      file: 'q.jsonl',
    });
    expect(problems).toEqual([]);
    expect(source.fields).toEqual({ question: 'question' });
  });
});
