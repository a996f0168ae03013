import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

const file = [
  'id,question,answer',
  'a,What is 1 + 1?,2',
  ',题目,答案',
  'b,What is 2 + 2?,4',
  'c,nan,',
  'd,What is 3 + 3?,6',
  ',Total,3',
  '',
].join('\n');

const created = ({ service }: Stage): string[] => service.creations.map(({ question }) => question);
const plain = ['What is 1 + 1?', 'What is 2 + 2?', 'What is 3 + 3?'];

describe.concurrent('rows that look odd', () => {
  it('are named in the plan and not sent, nor when the run continues', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', file);
    const checked = await stage.batch(['check', 'q.csv']);
    expect(checked.code).toBe(1);
    expect(checked.stderr + checked.stdout).toMatch(
      /3 rows look odd and are not sent: line 3 "题目" \(.+\), line 5 "nan" \(.+\), line 7 "Total" \(.+\); --odd send sends them/,
    );
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 1, stderr: expect.stringContaining('3 rows look odd') });
    for (const again of [['resume'], runLine('q.csv')].slice(0, 1))
      await stage.batch([...again, '--poll-interval', '100ms']);
    await stage.batch(runLine('q.csv'));
    expect(created(stage).toSorted()).toEqual(plain);
    const report: Record<string, string>[] = parse(await stage.read('videos/report.csv'), {
      bom: true,
      columns: true,
    });
    expect(report.filter(({ status }) => status === 'invalid').map(({ failure }) => failure)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^looks odd: .+ \(--odd send sends it\)$/)),
    );
    const zh = await stage.batch(['status', '--lang', 'zh']);
    expect(zh.stdout).toContain('看起来不对');
  });

  it.for([
    ['run', (stage: Stage) => stage.batch(runLine('q.csv', '--odd', 'send'))],
    ['resume', (stage: Stage) => stage.batch(['resume', '--odd', 'send', '--poll-interval', '100ms'])],
  ] as const)('are rows like others with --odd send, which counts for this file: %s', async ([, send]) => {
    await using stage = await openStage();
    await stage.write('q.csv', file);
    await stage.batch(runLine('q.csv'));
    const ending = await send(stage);
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringMatching(/3 rows .*odd .*--odd send/) });
    await stage.batch(runLine('q.csv'));
    const all = [...plain, 'Total', 'nan', '题目'].toSorted();
    expect(created(stage).toSorted()).toEqual(all);
    await stage.write('q.csv', `${file}e,???,\n`);
    const changed = await stage.batch(runLine('q.csv'));
    expect(changed.stderr).toMatch(/odd and are not sent/);
    await stage.batch(['resume', '--poll-interval', '100ms']);
    expect(created(stage).toSorted()).toEqual(all);
    const { stdout } = await stage.batch(['status', '--decisions']);
    expect(stdout).toContain('rows that look odd are sent: 3');
  });

  it('are none where they are the titles of an exam, whose other rows end the run well', async () => {
    await using stage = await openStage();
    const questions = (from: number): string[] =>
      Array.from({ length: 4 }, (_, at) => `What is ${from + at} + 1?,${from + at + 1}`);
    const [a, b, c] = [questions(10), questions(20), questions(30)];
    const exam = [
      '题目,答案',
      '一、选择题（每题 5 分）,',
      ...a,
      'Part A,',
      ...b,
      '三、填空题,',
      ...c,
      '',
    ].join('\n');
    await stage.write('q.csv', exam);
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringContaining('Plan: 12 to submit: 12 new') });
    expect(ending.stderr).toContain(
      '3 headings are not sent, e.g. line 2: 一、选择题（每题 5 分）; --odd send sends',
    );
    expect(created(stage)).toHaveLength(12);
    expect((await stage.batch(['check', 'q.csv'])).code).toBe(0);
  });

  it('are held back too where a reviewer writes them as corrections', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,answer\na,What is 1 + 1?,2\nb,What is 2 + 2?,4\n');
    await stage.batch(runLine('q.csv'));
    await stage.write('marks.csv', 'id,mark,attempt,question\na,bad,1,#NAME?\nb,bad,1,What is 2 + 3?\n');
    const line = ['retry', '--only', '@marks.csv', '--poll-interval', '100ms', '--yes'];
    const ending = await stage.batch(line);
    expect(ending.stderr).toMatch(/a \(its correction looks like an error of a spreadsheet; --odd send/);
    expect(created(stage).slice(2)).toEqual(['What is 2 + 3?']);
    expect((await stage.batch([...line, '--odd', 'send'])).stderr).toContain('the corrected text looks odd');
    expect(created(stage).slice(3)).toEqual(['#NAME?']);
    const { stdout } = await stage.batch(['status', '--decisions']);
    expect(stdout).toContain('rows that look odd are sent: 1');
  });

  it('that are corrected in failed.csv are paid for once', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', file);
    await stage.batch(runLine('q.csv'));
    const failures = await stage.read('videos/failed.csv');
    await stage.write('videos/failed.csv', failures.replace('nan', 'What is 4 + 4?'));
    const line = runLine('videos/failed.csv');
    await stage.batch(line);
    await stage.batch(line);
    expect(created(stage).toSorted()).toEqual([...plain, 'What is 4 + 4?']);
  });

  it('where nearly all are: the column is another one, and nothing is read', async () => {
    await using stage = await openStage();
    const rows = Array.from({ length: 9 }, (_, at) => `${at + 1},What is ${at} + 1?`);
    await stage.write('q.csv', ['question,text of it', ...rows, ''].join('\n'));
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining("--map 'question=text of it'") });
    expect(created(stage)).toEqual([]);
  });
});
