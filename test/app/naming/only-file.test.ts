import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNaming, namedRows as rowsOf } from '../../../src/app/naming/only-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const readOnly = (entries: readonly string[], folder: string) => rowsOf(readNaming(entries, folder));

const anna = 'id,mark,note,attempt,question\nq1,bad,a 7,1,7 + 1\nq2,good,,1,\nq3,bad,,1,x\nq5,bad,,1,\n';
const ben =
  'id;mark;attempt;question;reviewer\nq1;bad;1;;\nq2;bad;1;;Ben\nq3;bad;1;y;\nq4;good;1;;\nq5;good;2;;\n';

async function tables() {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, 'anna.csv'), anna);
  await writeFile(join(folder.path, 'ben.csv'), ben);
  await writeFile(join(folder.path, 'ids.csv'), 'id,question\nq4,not a correction\n');
  await writeFile(join(folder.path, 'good.csv'), 'id,mark\nq4,good\n');
  return folder;
}

describe('--only with tables of several reviewers', () => {
  it('names the rows called bad, with their corrected texts, and marks those that are disputed', async () => {
    await using folder = await tables();
    expect(readOnly(['@anna.csv', '@ben.csv'], folder.path)).toEqual([
      {
        id: 'q1',
        isTyped: false,
        attempt: 1,
        orders: 'marked',
        corrected: { question: '7 + 1', answer: null },
      },
      { id: 'q2', isTyped: false, attempt: 1, orders: 'marked', dispute: 'anna: good, Ben: bad' },
      {
        id: 'q3',
        isTyped: false,
        attempt: 1,
        orders: 'marked',
        dispute: 'anna, ben: different texts of the question',
      },
    ]);
  });

  it('takes a typed id whatever reviewers say, and a list of ids as one', async () => {
    await using folder = await tables();
    expect(readOnly(['q2', '@ids.csv', '@anna.csv', '@ben.csv'], folder.path)).toMatchObject([
      { id: 'q2', isTyped: true, attempt: null },
      { id: 'q4', isTyped: false, attempt: null },
      { id: 'q1' },
      { id: 'q3' },
    ]);
    const [typed, listed] = readOnly(['q2', '@ids.csv', '@anna.csv', '@ben.csv'], folder.path);
    expect(typed).not.toHaveProperty('dispute');
    expect(listed).not.toHaveProperty('corrected');
  });

  it.each([
    ['id,mark,question\nq1,bad,"7 + 1\nq2,bad,8 + 1\n', ':2: a quote is never closed'],
    ['id,mark,question\nq2,bad,\nq1,bad,is it 1, 2 or 3?\n', ':3: the row has more cells than the header'],
    [
      Buffer.concat([Buffer.from('\ufeffid,mark,question\nq1,bad,太'), Buffer.from([0xbf, 0xec])]),
      ':2: a corrected text has a character that cannot be read',
    ],
  ])('refuses a table whose texts may not be what was written: %j', async (table, message) => {
    await using folder = await tables();
    await writeFile(join(folder.path, 'broken.csv'), table);
    expect(() => readOnly(['@broken.csv'], folder.path)).toThrow(`--only @broken.csv${message}`);
  });

  it('takes a table of good marks beside others, and not alone', async () => {
    await using folder = await tables();
    expect(readOnly(['@good.csv', '@anna.csv'], folder.path).map(({ id }) => id)).toEqual(['q1', 'q3', 'q5']);
    expect(() => readOnly(['@good.csv'], folder.path)).toThrow('--only @good.csv: no row is marked as bad');
  });

  it('takes the attempt that one of the tables names, in whatever order they are given', async () => {
    await using folder = await tables();
    await writeFile(join(folder.path, 'with.csv'), 'id,mark,attempt\nq1,bad,1\n');
    await writeFile(join(folder.path, 'without.csv'), 'id,mark\nq1,bad\nq2,bad\n');
    for (const together of [
      ['@with.csv', '@without.csv'],
      ['@without.csv', '@with.csv'],
    ])
      expect(readOnly(together, folder.path).find(({ id }) => id === 'q1')).toMatchObject({ attempt: 1 });
  });
});
