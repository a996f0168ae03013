import { describe, expect, it } from 'vitest';
import { openStage, questions, runLine } from './support/stage.ts';

const asked = (creations: readonly { readonly question: string }[]) =>
  creations.map(({ question }) => question.replace('Question ', ''));

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe.concurrent('--only @FILE', () => {
  it('submits the rows of a table, of those that are marked only the bad ones', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', '题 3', '@d'));
    await stage.write('ids.csv', 'question;id\nx;b\n');
    const first = await stage.batch(runLine('q.csv', '--only', '@ids.csv'));
    expect(first.code).toBe(4);
    expect(asked(stage.service.creations)).toEqual(['b']);

    await stage.write('a,b.csv', utf16('row\tid\tmark\tnote\n1\ta\tgood\t\n3\t题 3\tBAD\t"two\nlines"\n'));
    await stage.batch(['resume', '--only', '@a,b.csv', '--only', '@@d']);
    expect(asked(stage.service.creations).slice(1)).toEqual(['题 3', '@d']);
  });

  it('gives rows that a reviewer marked bad a new attempt', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c', '=1+1'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const marks =
      "row,id,mark,note,status\r\n1,a,good,,completed\r\n3,c,bad,,completed\r\n4,'=1+1,bad,,completed\r\n";
    await stage.write('marks.csv', marks);
    const ending = await stage.batch(['retry', '--only', '@marks.csv']);
    expect(ending.code).toBe(0);
    expect(ending.stderr).toContain('2 rows');
    expect(asked(stage.service.creations).slice(4)).toEqual(['c', '=1+1']);
  });

  it('starts from the job file where a job file names it', async () => {
    await using stage = await openStage();
    await stage.write('job/q.csv', questions('a', 'b'));
    await stage.write('job/ids.csv', 'id\nb\n');
    await stage.write('job/job.json', JSON.stringify({ input: 'q.csv', only: '@ids.csv' }));
    expect((await stage.batch(['run', '--job', 'job/job.json'])).code).toBe(4);
    expect(asked(stage.service.creations)).toEqual(['b']);
  });

  it.for([
    ['@none.csv', 'there is no such file'],
    ['@.', 'cannot be read (EISDIR)'],
    ['@empty.csv', 'no column "id"'],
    ['@names.csv', 'no column "id"'],
    ['@head.csv', 'no row has an id'],
    ['@good.csv', 'no row is marked bad'],
    ['@foreign.csv', 'no row has the id z'],
    ['@', 'cannot be read'],
  ] as const)('%s is told in one line where it names no row, and nothing is sent', async ([file, says]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('empty.csv', '');
    await stage.write('names.csv', 'name\na\n');
    await stage.write('head.csv', 'id,question\n');
    await stage.write('good.csv', 'id,mark\na,good\n');
    await stage.write('foreign.csv', 'id\nz\n');
    const ending = await stage.batch(['run', 'q.csv', '--quiet', '--only', file]);
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(ending.stderr).toContain(says);
    expect(stage.service.creations).toEqual([]);
  });
});
