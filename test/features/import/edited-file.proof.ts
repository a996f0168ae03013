import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../../cli/support/program.ts';
import { errorEnvelope, failed, inProgress, picture } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

/** What was created so far, in order. */
const created = ({ service }: Stage): string[] => service.creations.map(({ question }) => question);

/** `ROW QUESTION STATUS` of each line of the report. */
const reported = async (stage: Stage): Promise<string[]> =>
  (await stage.report()).map(({ row, question, status }) => `${row} ${question} ${status}`);

const text = (...lines: readonly string[]): string => ['question', ...lines, ''].join('\n');

/** A table of the program as somebody has it who deleted its last column. */
const withoutKeys = (table: string): string =>
  table.replace(/,[^,\r\n]*(?=\r\n)/g, (cell) => (/,(b[0-9a-f]{8}-|batch$)/.test(cell) ? '' : cell));

describe.concurrent('an edited file', () => {
  it('with ids: moved, inserted and removed rows cost only the new ones', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', questions('c', 'd', 'a'));
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 to submit: 1 new; 2 done; 1 gone'),
    });
    expect(created(stage)).toEqual(['Question a', 'Question b', 'Question c', 'Question d']);
    expect(await reported(stage)).toEqual([
      '1 Question c completed',
      '2 Question d completed',
      '3 Question a completed',
      ' Question b completed',
    ]);
  });

  it('without ids: rows are known by their text, and keep the ids they were given', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', text('One', 'Two', 'Two'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', text('Zero', 'Two', 'One', 'Two', 'Two'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(created(stage).sort()).toEqual(['One', 'Two', 'Two', 'Two', 'Zero']);
    const ids = (await stage.report()).map(({ id }) => id);
    expect(ids.slice(1, 4)).toEqual(['row-2', 'row-1', 'row-3']);
    expect(new Set(ids).size).toBe(5);
    expect(new Set((await stage.report()).map(({ video }) => video)).size).toBe(5);
  });

  it('that another program saved is still the same file', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,answer,note\n1,"题目, ""一""\nzwei",a,x\n2,Two,b,y\n');
    await stage.batch(runLine('q.csv'));
    await stage.write(
      'q.csv',
      '\uFEFFnote;答案;题目;ID\r\nnew;a;"题目, ""一""\r\nzwei";1\r\nnew;b;Two;2\r\n;;;\r\n',
    );
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringContaining('Plan: 0 to submit; 2 done') });
    expect(created(stage)).toHaveLength(2);
  });

  it('has the new text of a row sent that had not been sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question\na,Old\n');
    await stage.batch(runLine('q.csv', '--limit', '0'));
    await stage.write('q.csv', 'id,question\na,New\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(created(stage)).toEqual(['New']);
  });

  it('does not pay again for a changed row, names it in a warning, and does with --rerun-changed', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question\na,Old\nb,Same\n');
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', 'id,question\na,New\nb,Same\n');
    const kept = await stage.batch(runLine('q.csv'));
    expect(kept.code).toBe(0);
    expect(kept.stderr).toMatch(
      /warning: 1 row changed after .* keep.*: a; the same command with --rerun-changed pays for it again/,
    );
    expect(await reported(stage)).toEqual(['1 Old completed', '2 Same completed']);

    expect((await stage.batch(runLine('q.csv', '--rerun-changed'))).code).toBe(0);
    expect(created(stage)).toEqual(['Old', 'Same', 'New']);
    expect(await stage.report()).toMatchObject([
      { question: 'New', status: 'completed', points: '20', attempts: '2' },
      { question: 'Same', points: '10', attempts: '1' },
    ]);
    expect(await stage.list('videos/a')).toContain('attempt-1/video.webm');

    expect((await stage.batch(runLine('q.csv', '--rerun-changed'))).code).toBe(0);
    expect(created(stage)).toHaveLength(3);
  });

  it('has its invalid rows looked at again, also when only an image was put in its place', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,quality,image\na,One,best,\nb,Two,,here.png\nc,,,\nd,Four,,\n');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 1, stdout: expect.stringContaining('1 completed, 3 invalid') });
    expect((await stage.report()).map(({ failure }) => failure)).toEqual([
      expect.stringContaining('quality is "best"; use h, m, l or leave it empty'),
      expect.stringContaining('here.png'),
      expect.stringContaining('neither a question nor a question image'),
      '',
    ]);
    await stage.write('here.png', picture);
    await stage.write('q.csv', 'id,question,quality,image\na,One,h,\nb,Two,,here.png\nc,Three,,\nd,Four,,\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(created(stage)).toEqual(['Four', 'One', 'Two', 'Three']);
  });
});

/** A file whose first column only counts the rows. */
const numbered = (...lines: readonly string[]): string =>
  ['No.,question', ...lines.map((line, at) => `${at + 1},${line}`), ''].join('\n');

describe.concurrent('a column that counts the rows', () => {
  it('may be numbered anew: what was paid stays with its text, and only what is new is sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', numbered('One', 'Two', 'Three'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', numbered('Zero', 'One', 'Two', 'Three'));
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        '3 rows were renumbered and keep what they have: 1 is 2, 2 is 3, 3 is 4\nPlan: 1 to submit: 1 new; 3 done',
      ),
    });
    expect(created(stage)).toEqual(['One', 'Two', 'Three', 'Zero']);
    expect((await stage.report()).map(({ id, question, video }) => `${id} ${question} ${video}`)).toEqual([
      expect.stringMatching(/^1 Zero 1-[0-9a-f]{8}\/video.webm$/),
      '2 One 1/video.webm',
      '3 Two 2/video.webm',
      '4 Three 3/video.webm',
    ]);
  });

  it('does not say which row was edited when others went: nothing is sent until the user does', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', numbered('One', 'Two', 'Three'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', numbered('Too', 'Three'));
    const before = await stage.read('videos/report.csv');
    for (const line of [runLine('q.csv'), ['check', 'q.csv']]) {
      const ending = await stage.batch(line);
      expect(ending.code).toBe(2);
      expect(ending.stderr).toContain('batch: q.csv:2: No. 1 was submitted with another text');
      expect(ending.stderr).toMatch(
        /batch: q.csv: .*nothing was sent.*--map id=No\. .*--rerun-changed .*--map id=none/,
      );
    }
    expect(created(stage)).toHaveLength(3);
    expect(await stage.read('videos/report.csv')).toBe(before);

    expect((await stage.batch(runLine('q.csv', '--map', 'id=none'))).code).toBe(0);
    expect(created(stage).slice(3)).toEqual(['Too']);
    expect((await stage.report()).map(({ row, question }) => `${row} ${question}`)).toEqual([
      '1 Too',
      '2 Three',
      ' One',
      ' Two',
    ]);
    const again = await stage.batch(runLine('q.csv'));
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Plan: 0 to submit; 2 done\n') });
  });

  it('may be those of another file: said by --map, its rows are edited ones', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', numbered('One', 'Two'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', numbered('Uno', 'Due'));
    const refused = await stage.batch(runLine('q.csv'));
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('another --out (another file)'),
    });
    const kept = await stage.batch(runLine('q.csv', '--map', 'id=No.'));
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringContaining('keep their result: 1, 2;') });
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(created(stage)).toEqual(['One', 'Two']);
    expect((await stage.batch(runLine('q.csv', '--rerun-changed'))).code).toBe(0);
    expect(created(stage)).toEqual(['One', 'Two', 'Uno', 'Due']);
  });
});

describe.concurrent('another file for the same folder', () => {
  it('is refused before anything is sent or changed, unless --add is given', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.write('other.csv', questions('x'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const before = await stage.read('videos/report.csv');
    const refused = await stage.batch(runLine('other.csv'));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('./videos holds another run') });
    expect(afterFirstWords(refused).trim().split('\n')).toHaveLength(1);
    expect(created(stage)).toHaveLength(1);
    expect(await stage.read('videos/report.csv')).toBe(before);

    expect((await stage.batch(runLine('other.csv', '--add'))).code).toBe(0);
    expect(await reported(stage)).toEqual([
      '1 Question a completed',
      '2 Question b completed',
      '3 Question x completed',
    ]);
  });
});

describe.concurrent('a changed row', () => {
  it('that was refused is sent with its new text, and the refusal stays in its history', async () => {
    await using stage = await openStage({
      create: ({ question }) => (question === 'Bad' ? errorEnvelope('Not this one') : undefined),
    });
    await stage.write('q.csv', 'id,question\na,Bad\n');
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', 'id,question\na,Good\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const { history } = JSON.parse(await stage.read('videos/report.jsonl'));
    expect(history).toMatchObject([
      { attempt: 1, status: 'rejected', failure: 'Not this one' },
      { attempt: 2, status: 'completed', failure: null },
    ]);
  });
});

describe.concurrent('a new attempt', () => {
  it('sends the row as the file has it now, and says so; until then the report has the text of the result', async () => {
    await using stage = await openStage({
      status: (task) => (task.question.startsWith('Bad') ? failed(task, 'No idea') : undefined),
    });
    await stage.write('q.csv', 'id,question\na,Bad one\nb,Bad two\nc,Three\n');
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', 'id,question\na,Good one\nb,Bad two\nc,Drei\n');
    const kept = await stage.batch(['run', 'q.csv']);
    expect(kept.stderr).toContain(
      'keep their result: a, c; `batch run q.csv --rerun-changed` pays for them again',
    );
    expect(await reported(stage)).toEqual(['1 Bad one failed', '2 Bad two failed', '3 Three completed']);
    expect(await stage.read('videos/failed.csv')).toMatch(
      /^\uFEFFid,question,failure,batch\r\na,Good one,.+\r\nb,Bad two,.+\r\n$/,
    );

    const failing = await stage.batch(['retry', '--failed', '--poll-interval', '100ms']);
    expect(failing.stderr).toContain(
      '2 rows to get a new attempt\n1 row of them changed in the file since: sent with the new text\n',
    );
    expect(created(stage).slice(3)).toEqual(['Good one', 'Bad two']);
    await stage.batch(['retry', '--only', 'c', '--poll-interval', '100ms']);
    expect(created(stage).slice(5)).toEqual(['Drei']);
    expect(await reported(stage)).toEqual(['1 Good one completed', '2 Bad two failed', '3 Drei completed']);

    const again = await stage.batch(runLine('q.csv', '--rerun-changed'));
    expect(again.stderr).toContain('Plan: 0 to submit; 2 done, 1 failed\n');
  });

  it('is not made of a row that the file has in a form that cannot be sent', async () => {
    await using stage = await openStage({ status: (task) => failed(task, 'No idea') });
    await stage.write('q.csv', 'id,question,quality\na,One,m\nb,Two,m\n');
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', 'id,question,quality\na,One,best\nb,Two,m\n');
    await stage.batch(runLine('q.csv'));
    const ending = await stage.batch(['retry', '--failed', '--poll-interval', '100ms']);
    expect(ending.stderr).toContain('1 row to get a new attempt\nwarning: 1 row skipped that cannot be sent');
    expect(created(stage).slice(2)).toEqual(['Two']);
    expect(await stage.statuses()).toEqual({ a: 'failed', b: 'failed' });
  });
});

describe.concurrent('a local picture', () => {
  /** Another picture: what stands behind its end is not shown, and is sent. */
  const other = (mark: string): Buffer => Buffer.concat([picture, Buffer.from(mark)]);

  it('belongs to its row with its bytes: other bytes under the same name are another row', async () => {
    await using stage = await openStage();
    for (const name of ['one/1.png', 'two/2.png']) await stage.write(name, picture);
    for (const set of ['one', 'two']) await stage.write(`${set}/q.csv`, 'image\n1.png\n2.png\n');
    await stage.write('one/2.png', other('b'));
    await stage.write('two/1.png', other('c'));
    expect((await stage.batch(runLine('one/q.csv'))).code).toBe(0);
    expect((await stage.batch(runLine('one/q.csv'))).stderr).toContain('Plan: 0 to submit; 2 done\n');

    const ending = await stage.batch(runLine('two/q.csv'));
    expect(ending.stderr).toContain('1 row whose images changed under the same names: ');
    expect(ending.stderr).toContain('Plan: 1 to submit: 1 new; 1 done; 1 gone from the file\n');
    expect(stage.service.creations).toHaveLength(3);
    expect((await stage.batch(runLine('two/q.csv'))).stderr).toContain('Plan: 0 to submit; 2 done\n');
  });

  it('under an id is a changed row, and one that cannot be read any more is the one that it was', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,image\na,What is it?,1.png\n');
    await stage.write('1.png', picture);
    await stage.batch(runLine('q.csv'));
    await stage.remove('1.png');
    expect((await stage.batch(runLine('q.csv'))).stderr).not.toContain('changed after');
    await stage.write('1.png', other('b'));
    const changed = await stage.batch(runLine('q.csv'));
    expect(changed.stderr).toContain('1 row whose images changed');
    expect(changed.stderr).toContain(
      'warning: 1 row changed after it was submitted and keeps its result: a;',
    );
    expect(stage.service.creations).toHaveLength(1);
    await stage.batch(runLine('q.csv', '--rerun-changed'));
    expect(stage.service.creations).toHaveLength(2);
    expect((await stage.batch(runLine('q.csv', '--rerun-changed'))).stderr).toContain(
      'Plan: 0 to submit; 1 done\n',
    );
  });
});

describe.concurrent('failed.csv', () => {
  it('has the bad rows in the columns of the input, to be mended and fed back to the same folder', async () => {
    await using stage = await openStage({
      create: ({ question }) => (question.startsWith('=') ? errorEnvelope('No formulas, please') : undefined),
    });
    await stage.write('q.csv', 'Nr;题目;Klasse\nx1;=1+1?;5a\nx2;Fine;5b\nx3;=2+2?;"6;c"\n');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 1, stdout: expect.stringContaining('failed.csv') });
    const failures = await stage.read('videos/failed.csv');
    expect(withoutKeys(failures)).toBe(
      '\uFEFFNr,题目,Klasse,failure\r\nx1,\'=1+1?,5a,"No formulas, please"\r\nx3,\'=2+2?,"6;c","No formulas, please"\r\n',
    );

    await stage.write('videos/failed.csv', failures.replaceAll("'=", 'What is '));
    const fed = await stage.batch(runLine('videos/failed.csv'));
    expect(fed.code).toBe(0);
    expect(created(stage).slice(3)).toEqual(['What is 1+1?', 'What is 2+2?']);
    expect(await stage.statuses()).toEqual({ x1: 'completed', x2: 'completed', x3: 'completed' });
  });

  it('puts a mended row in the place of one without an id that could never be sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'question,quality\nFine,m\nToo good,best\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(1);
    const failures = await stage.read('videos/failed.csv');
    await stage.write('videos/failed.csv', failures.replace('best', 'h'));
    expect((await stage.batch(runLine('videos/failed.csv'))).code).toBe(0);
    expect(created(stage)).toEqual(['Fine', 'Too good']);
    expect((await reported(stage)).map((line) => line.slice(2))).toEqual([
      'Fine completed',
      'Too good completed',
    ]);
  });

  it('without its keys takes the failed row of a mended text without an id away: only --gone pays for the old one', async () => {
    await using stage = await openStage({
      status: (task) => (task.question.startsWith('Bad') ? failed(task, 'No idea') : undefined),
    });
    await stage.write('q.csv', text('Fine', 'Bad one', 'Bad two'));
    await stage.batch(runLine('q.csv'));
    const failures = await stage.read('videos/failed.csv');
    await stage.write('videos/failed.csv', withoutKeys(failures).replace('Bad one', 'Good one'));
    const fed = await stage.batch(runLine('videos/failed.csv'));
    expect(fed.stderr).toContain('Plan: 1 to submit: 1 new; 1 failed; 1 gone from the file\n');
    expect(withoutKeys(await stage.read('videos/failed.csv'))).toBe(
      '\uFEFFquestion,failure\r\nBad two,No idea\r\n',
    );
    expect(fed.stdout).toMatch(/batch retry .\/videos --failed --until 2 {3}1 row failed: a new attempt/);

    await stage.batch(['retry', '--failed', '--poll-interval', '100ms']);
    expect(created(stage).slice(3)).toEqual(['Good one', 'Bad two']);
    const named = await stage.batch(['retry', '--only', 'row-2', '--poll-interval', '100ms']);
    expect(named).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--gone includes rows that have left'),
    });
    await stage.batch(['retry', '--failed', '--gone', '--failure', 'No idea', '--poll-interval', '100ms']);
    expect(created(stage).slice(5).sort()).toEqual(['Bad one', 'Bad two']);
  });

  it('is the same file with its last column or without, wherever it was saved', async () => {
    await using stage = await openStage({ status: (task) => failed(task, 'No idea') });
    await stage.write('q.csv', 'id,question,failure\na,One,of the heart\nb,Two,\n');
    await stage.batch(runLine('q.csv'));
    const failures = await stage.read('videos/failed.csv');
    expect(withoutKeys(failures)).toBe(
      '\uFEFFid,question,failure,failure_2\r\na,One,of the heart,No idea\r\nb,Two,,No idea\r\n',
    );
    stage.service.follow({});
    await stage.write('mended.csv', failures.replace('One', 'Eins'));
    await stage.batch(runLine('mended.csv', '--rerun-changed', '--limit', '1'));
    expect(withoutKeys(await stage.read('videos/failed.csv'))).toBe(
      '\uFEFFid,question,failure,failure_2\r\nb,Two,,No idea\r\n',
    );
    await stage.write('videos/failed.csv', 'id,question,failure\r\nb,Zwei,\r\n');
    await stage.batch(runLine('videos/failed.csv', '--rerun-changed'));
    expect(created(stage)).toEqual(['One', 'Two', 'Eins', 'Zwei']);
    const [header, ...rows] = (await stage.read('videos/report.csv')).trimEnd().split('\r\n');
    expect(header).toMatch(/,attempts,.*answer,reviewed_by,reused_from,input\.failure,batch$/);
    expect(rows.map((row) => row.split(',').at(-2))).toEqual(['of the heart', '']);
  });

  it('that is mended while a run continues is kept next to it, and what was mended can be sent', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question a' ? failed(task, 'no') : inProgress(task)),
    });
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const run = stage.start(['resume', '--lang', 'zh', '--limit', 'none', '--poll-interval', '100ms']);
    await stage.service.until(({ events }) => events.includes('status Question b'));
    const mended = (await stage.read('videos/failed.csv')).replace('Question a', 'Question A');
    await stage.write('videos/failed.csv', mended);
    stage.service.follow({});
    const ending = await run.ended;
    expect(ending).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('failed.csv 中改正的 1 行没有发送；已保存在 videos/failed-mended.csv'),
    });
    expect(await stage.read('videos/failed-mended.csv')).toBe(mended);
    expect(await stage.read('videos/failed.csv')).not.toContain('Question A');
    const line = runLine('videos/failed-mended.csv', '--out', 'videos', '--rerun-changed', '--lang', 'en');
    expect((await stage.batch(line)).code).toBe(0);
    expect(created(stage)).toEqual(['Question a', 'Question b', 'Question A']);
  });

  it('fed back as it is to a folder of its own gives the same bytes to the service', async () => {
    await using stage = await openStage({ status: (task) => failed(task, 'No idea') });
    const hard = '"-3 + x, ""q""\r\n\t=cmd|\' /C calc\'!A0"';
    await stage.write('q.csv', `id,question,images\na,${hard},i.png\n`);
    await stage.write('i.png', picture);
    await stage.batch(runLine('q.csv'));
    await stage.write('videos/copy.csv', withoutKeys(await stage.read('videos/failed.csv')));
    await stage.write('videos/i.png', picture);
    await stage.batch(runLine('videos/copy.csv', '--out', 'second'));
    const [first, second] = stage.service.creations;
    expect(first?.body.question).toBe('-3 + x, "q"\r\n\t=cmd|\' /C calc\'!A0');
    expect(second?.raw).toBe(first?.raw);
  });
});
