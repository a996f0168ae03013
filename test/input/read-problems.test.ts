import { describe, expect, it } from 'vitest';
import { createProblems } from '../../src/input/read-problems.ts';
import { message } from '../../src/messages/message.ts';
import { readFile } from './read-file.ts';

const broken = '{"a"\n'.repeat(13);

describe('a problem that most lines share', () => {
  it('is said once, at the first of them, with their number', async () => {
    const { problems } = await readFile(broken, { file: 'q.json' });
    expect(problems).toEqual([
      {
        line: 1,
        message: `this is not valid JSON (column 5); each line must be one complete JSON object (the same in 12 more lines)`,
      },
    ]);
  });

  it('is said of each line where it is a slip: of few lines, or beside more rows', async () => {
    const row = '{"question":"a"}\n';
    const few = await readFile('{"a"\n'.repeat(9), { file: 'q.jsonl' });
    expect(few.problems).toHaveLength(9);
    const rare = await readFile(row.repeat(13) + '{\n'.repeat(12), { file: 'q.jsonl' });
    expect(rare.problems.map(({ line }) => line)).toEqual(Array.from({ length: 12 }, (_, at) => 14 + at));
    const most = await readFile(row.repeat(12) + '{\n'.repeat(12), { file: 'q.jsonl' });
    expect(most.problems.map(({ line }) => line)).toEqual([13]);
  });

  it('stands beside other problems, and counts lines that are not listed', () => {
    const problems = createProblems();
    problems.add(1, 'something else');
    for (let line = 2; line <= 3_001; line += 1) problems.add(line, message('json.no-object'));
    problems.add(null, message('file.empty'));
    expect(problems.list(0).map(({ line, message: text }) => [line, text.replace(/.*;/, '')])).toEqual([
      [1, 'something else'],
      [2, expect.stringContaining('(the same in 2,999 more lines)')],
      [null, '1 more problem is not listed'],
    ]);
    expect(problems.list()).toHaveLength(1_001);
  });
});
