import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/money/plan.ts';
import { openStage, runLine } from '../cli/support/stage.ts';
import { readFile } from '../input/read-file.ts';
import { lookAt, openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { byTurns } from '../support/nightly.ts';
import { encodings } from './encodings.ts';
import { delimiters, lineEnds, type Row, shapes, writeFile } from './good-files.ts';

/** The same rows as every program may save them: as CSV of every dialect in every encoding, and as JSON lines. */
function* conversions(shape: (typeof shapes)[number]) {
  for (const { name, encode } of encodings)
    for (const delimiter of delimiters)
      for (const { name: ends, ends: lineEndsOf } of lineEnds) {
        const { text } = writeFile(shape, { delimiter, lineEnds: lineEndsOf });
        yield { place: JSON.stringify({ name, delimiter, ends }), file: 'again.csv', bytes: encode(text) };
      }
  const { rows } = writeFile(shape, { delimiter: ',', lineEnds: ['\n'] });
  for (const { name, encode } of encodings)
    yield { place: `JSON lines in ${name}`, file: 'again.jsonl', bytes: encode(jsonLines(rows)) };
}

function jsonLines(rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\r\n`).join('');
}

/** What a plan says when it knows every row of the file as it stands. */
function allKnown(rows: number): Partial<Plan> {
  return {
    rows,
    newRows: 0,
    changedUnsent: 0,
    changedSent: 0,
    gone: 0,
    invalid: 0,
    toSubmit: rows,
    isForeign: false,
  };
}

describe('the rows of a file that was saved again otherwise', () => {
  it.for(
    byTurns(
      shapes.filter(({ records }) => records.length > 0),
      2,
    ),
  )('are the same rows: $name', async (shape) => {
    await using folder = await openCheckpointFolder();
    const first = writeFile(shape, { delimiter: ',', lineEnds: ['\n'] });
    await folder.ingest((await readFile(first.text)).rows);
    for (const { place, file, bytes } of conversions(shape)) {
      const { rows, problems } = await readFile(bytes, { file });
      expect(problems, place).toEqual([]);
      expect(await lookAt(folder.path, rows), place).toMatchObject(allKnown(shape.records.length));
    }
  });

  it('are new rows where one letter of a question is another one', async () => {
    await using folder = await openCheckpointFolder();
    await folder.ingest((await readFile('question\nOne\nTwo\n')).rows);
    const plan = await lookAt(folder.path, (await readFile('question\nOne\nToo\n')).rows);
    expect(plan).toMatchObject({ newRows: 1, gone: 1 });
  });

  it('are not paid again by the program', async () => {
    await using stage = await openStage();
    const rows = [
      ['a', 'Say "yes"\n设 $\\frac{1}{2}$，求解'],
      ['b', '第二道题目，很好'],
    ];
    const shape = {
      name: '',
      columns: [
        ['编号', 'id'],
        ['题目', 'question'],
      ],
      records: rows,
    } as const;
    await stage.write('q.csv', writeFile(shape, { delimiter: ',', lineEnds: ['\n'] }).text);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    for (const [at, { encode }] of encodings.entries()) {
      const dialect = { delimiter: delimiters[at % 3] ?? ',', lineEnds: lineEnds[at % 4]?.ends ?? ['\n'] };
      await stage.write('q.csv', encode(writeFile(shape, dialect).text));
      const ending = await stage.batch(runLine('q.csv'));
      expect(ending).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Plan: 0 to submit; 2 done\n'),
      });
    }
    expect(stage.service.creations).toHaveLength(rows.length);
  });
});
