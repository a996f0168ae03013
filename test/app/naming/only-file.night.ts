import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../../cli/support/program.ts';
import { inProgress, reset } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

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

  it('pays for the rows that are named and leaves those that wait for later', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const ending = await stage.batch(['retry', '--only', 'a']);
    expect(ending).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('2 rows left waiting, not submitted now; use `batch resume`'),
    });
    expect(asked(stage.service.creations)).toEqual(['a', 'a']);
    expect((await stage.batch(['resume'])).code).toBe(0);
    expect(asked(stage.service.creations).slice(2)).toEqual(['b', 'c']);
  });

  it('orders one attempt a mark: after Ctrl-C the same line goes on, and then finds nothing to do', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv'));
    await stage.write('marks.csv', 'id,mark,note,attempt\na,bad,,1\nb,good,,1\nc,bad,,1\n');
    const line = ['retry', '--only', '@marks.csv', '--poll-interval', '100ms'];
    const isMade = ({ question }: { question: string }) => question === 'Question a';
    stage.service.follow({ status: (task) => (isMade(task) ? undefined : inProgress(task)) });
    const interrupted = stage.start(line);
    await stage.service.until(
      ({ creations, events }) => creations.length === 5 && events.at(-1) === 'status Question c',
    );
    interrupted.kill('SIGINT');
    expect((await interrupted.ended).code).toBe(130);

    stage.service.follow({});
    const same = await stage.batch(line);
    expect(same).toMatchObject({ code: 0, stderr: expect.stringMatching(/already under way, .*\bc\n/) });
    const again = await stage.batch(line);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toBe(
      'batch: --only: nothing is left to retry; 2 rows skipped, attempted again since the mark: a, c\n',
    );
    expect(stage.service.creations).toHaveLength(5);
  });

  it.for(['1.0', '1,00', ' 1 ', '１', '1.', '1E+00'])(
    'pays once for a mark whose attempt a spreadsheet wrote as %j, however often the file is given',
    async (attempt) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a', 'b'));
      await stage.batch(runLine('q.csv'));
      await stage.write('marks.csv', `id;mark;note;attempt\na;bad;;${attempt}\n`);
      const line = ['retry', '--only', '@marks.csv', '--poll-interval', '100ms'];
      expect((await stage.batch(line)).code).toBe(0);
      expect((await stage.batch(line)).code).toBe(2);
      expect(asked(stage.service.creations)).toEqual(['a', 'b', 'a']);
    },
  );

  it('refuses a mark whose attempt cannot be read, with its line, and pays for none', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    await stage.write('marks.csv', 'id,mark,note,attempt\na,bad,"two\nlines",1\na,good,,first\nb,bad,,1.5\n');
    for (const command of [['retry'], ['run', 'q.csv'], ['resume']]) {
      const ending = await stage.batch([...command, '--only', '@marks.csv']);
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(afterFirstWords(ending)).toBe(
        'batch: --only @marks.csv:5: the attempt "1.5" is not a whole number; use the number of the attempt that was marked\n',
      );
    }
    expect(stage.service.creations).toHaveLength(2);
  });

  it('goes on with a row that was typed and is under way', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a'));
    const run = stage.start(runLine('q.csv'));
    await stage.service.until(({ events }) => events.includes('status Question a'));
    run.kill('SIGINT');
    await run.ended;
    stage.service.follow({});
    const ending = await stage.batch(['retry', '--only', 'a', '--poll-interval', '100ms']);
    expect(ending).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 row already under way'),
    });
    expect(stage.service.creations).toHaveLength(1);
  });

  it('leaves out the rows of a file that cannot be retried, and says which and why', async () => {
    await using stage = await openStage({
      create: ({ question, attempt }) => (question === 'Question b' && attempt === 1 ? reset : undefined),
    });
    await stage.write('q.csv', `${questions('a', 'b', 'gone')}bad,\n`);
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', `${questions('a', 'b')}bad,\n`);
    await stage.batch(runLine('q.csv'));
    const stuck = 'id,mark\nb,bad\ngone,bad\nbad,bad\nnever,bad\n';
    const why = 'b (uncertain), gone (no longer in the file: --gone), bad (invalid), never (no such row)';
    await stage.write('marks.csv', `${stuck}a,bad\n`);
    const ending = await stage.batch([
      'retry',
      '--quiet',
      '--only',
      '@marks.csv',
      '--poll-interval',
      '100ms',
    ]);
    expect(ending.code).toBe(5);
    expect(ending.stderr).toContain(`warning: 4 rows skipped, no new attempt possible: ${why}\n`);
    expect(asked(stage.service.creations)).toEqual(['a', 'b', 'gone', 'a']);

    await stage.write('stuck.csv', stuck);
    const none = await stage.batch(['retry', '--only', '@stuck.csv']);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(/^batch: --only: nothing is left to retry; .*\n$/);
    expect((await stage.batch(['retry', '--only', 'gone', '--only', '@marks.csv'])).code).toBe(2);
    expect(stage.service.creations).toHaveLength(4);
  });

  it('names ten of many ids that no row has', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const ids = Array.from({ length: 1_012 }, (_, at) => `x${at}`).join(',');
    for (const command of ['retry', 'resume']) {
      const ending = await stage.batch([command, '--quiet', '--only', ids]);
      expect(ending.code).toBe(2);
      expect(ending.stderr).toMatch(/ x0, x1, .* x9 and 1,002 more\n$/);
    }
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
    ['@none.csv', 'the file does not exist'],
    ['@.', 'cannot be read (EISDIR)'],
    ['@empty.csv', 'no column "id"'],
    ['@names.csv', 'no column "id"'],
    ['@head.csv', 'no row has an id'],
    ['@good.csv', 'no row is marked as bad'],
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
