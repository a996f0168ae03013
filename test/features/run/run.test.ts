import { describe, expect, it } from 'vitest';
import { completed } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, sample } from '../../cli/support/stage.ts';

describe.concurrent('batch run with the embedded service', () => {
  const rehearse = (name: string) => [
    'run',
    sample(name),
    '--simulate',
    '--duration',
    '300ms',
    '--poll-interval',
    '200ms',
  ];

  it.for([
    ['questions.csv', 12, 130],
    ['questions.jsonl', 8, 75],
    ['image-questions.csv', 4, 40],
    ['chinese-gb18030.csv', 8, 85],
  ] as const)('makes a video of every row of samples/%s', async ([name, rows, points]) => {
    await using stage = await openStage();
    const ending = await stage.batch(rehearse(name));
    expect(ending).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${rows} rows: ${rows} completed`),
    });
    const report = await stage.report();
    expect(report.map(({ row }) => row)).toEqual(Array.from({ length: rows }, (_, i) => String(i + 1)));
    expect(report.reduce((sum, line) => sum + Number(line.points), 0)).toBe(points);
    const files = await stage.list('videos');
    for (const { video = '', frames } of report) {
      expect(files).toContain(video);
      const folder = video.replace(/video\.\w+$/, 'frames/');
      expect(files.filter((file) => file.startsWith(folder))).toHaveLength(Number(frames));
    }
    expect(stage.service.events).toEqual([]);
  });

  it('submits nothing more when the same line is given again', async () => {
    await using stage = await openStage();
    await stage.batch(rehearse('image-questions.csv'));
    const accepted = await stage.read('videos/simulator.jsonl');
    const again = await stage.batch(rehearse('image-questions.csv'));
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Plan: 0 to submit; 4 done') });
    expect(await stage.read('videos/simulator.jsonl')).toBe(accepted);
  });

  it('is never mixed with the real service in one folder', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const mixed = await stage.batch(runLine('q.csv', '--simulate'));
    expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining('choose another folder') });
    for (const command of ['resume', 'collect']) {
      const resumed = await stage.batch([command, 'videos', '--simulate']);
      expect(resumed).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('holds a run of the real service'),
      });
    }
    await stage.batch(runLine('q.csv', '--simulate', '--out', 'rehearsal', '--duration', '100ms'));
    const real = await stage.batch(['resume', 'rehearsal', '--base-url', stage.service.url]);
    expect(real).toMatchObject({ code: 2, stderr: expect.stringContaining('holds a rehearsal') });
  });
});

describe.concurrent('the report', () => {
  it('has one line per row with the promised columns, with BOM and CRLF', async () => {
    await using stage = await openStage({ status: (task) => completed(task, { frameCount: 2 }) });
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const text = await stage.read('videos/report.csv');
    const columns =
      'row,id,status,points,question,quality,title,video,frames,failure,task_id,created_at,finish_at,submitted_at,seconds,attempts';
    expect(text.slice(0, text.indexOf('\r'))).toMatch(
      new RegExp(`^\uFEFF${columns},.*answer,reviewed_by,reused_from,batch$`),
    );
    expect(text.endsWith('\r\n')).toBe(true);
    const [line] = await stage.report();
    expect(line).toMatchObject({
      row: '1',
      id: 'a',
      status: 'completed',
      points: '10',
      question: 'Question a',
      quality: 'm',
      title: 'About Question a',
      video: 'a/video.webm',
      frames: '2',
      failure: '',
      task_id: 'task-1',
      created_at: '2026-01-02T03:04:05Z',
      finish_at: '2026-01-02T03:09:05Z',
      seconds: '300',
      attempts: '1',
    });
    expect(JSON.parse(await stage.read('videos/a/task.json'))).toMatchObject({
      task_id: 'task-1',
      points: 10,
    });
  });

  it('gives rows without ids one from their row number, and twins each their own, with a warning, which comes for twins of rows that have their video too', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'question\nSame?\nSame?\nOther?\n');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending.stderr).toMatch(
      /warning: 1 row sends what an earlier row sends, and is paid for; `--reuse/,
    );
    expect(await stage.lines()).toEqual(['1 row-1 completed', '2 row-2 completed', '3 row-3 completed']);
    expect(stage.service.creations).toHaveLength(3);
    await stage.write('q.csv', 'question\nSame?\nSame?\nOther?\nOther?\nSame?\nNew?\n');
    const again = await stage.batch(runLine('q.csv', '--dry-run'));
    expect(again.stdout).toContain(
      '2 rows send what an earlier row sends, and are paid for, about 20 points',
    );
  });
});
