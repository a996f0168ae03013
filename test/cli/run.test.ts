import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { completed, inProgress } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const sample = (name: string): string => fileURLToPath(new URL(`../../samples/${name}`, import.meta.url));

/** The records of a CSV sample, read by other means than the program's. */
async function sampleRecords(name: string, encoding: string): Promise<Record<string, string>[]> {
  return parse(new TextDecoder(encoding).decode(await readFile(sample(name))), { columns: true });
}

/** The ids of `report.csv` in its order, each with its status. */
async function lines(stage: Stage): Promise<string[]> {
  return (await stage.report()).map(({ row, id, status }) => `${row} ${id} ${status}`);
}

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

describe.concurrent('what the service receives', () => {
  it('is the text of a CSV file to the last character, and nothing of the columns it does not know', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('questions.csv')));
    expect(ending.code).toBe(0);
    const records = await sampleRecords('questions.csv', 'utf-8');
    const bodies = new Map(stage.service.creations.map(({ body }) => [body.question, body]));
    expect(bodies.size).toBe(12);
    for (const { question = '', answer, quality } of records) {
      expect(bodies.get(question)).toEqual({
        question,
        ...(answer && { answer }),
        ...(quality && { quality }),
      });
    }
  });

  it('is the Chinese of a GB18030 file, rare characters and Windows line breaks in cells included', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('chinese-gb18030.csv')));
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringMatching(/GB18030/i) });
    const records = await sampleRecords('chinese-gb18030.csv', 'gb18030');
    const sent = stage.service.creations.map(({ body }) => body);
    for (const { 题目: question, 答案: answer, 清晰度: quality } of records) {
      expect(sent).toContainEqual({ question, ...(answer && { answer }), ...(quality && { quality }) });
    }
  });

  it('is what the values of a JSONL file say', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('questions.jsonl')));
    expect(ending.code).toBe(0);
    const entries = (await readFile(sample('questions.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const bodies = new Map(stage.service.creations.map(({ body }) => [body.question, body]));
    expect(bodies.size).toBe(8);
    for (const { question, answer, quality } of entries) {
      const body = bodies.get(question);
      expect(body?.answer).toBe(answer == null ? undefined : String(answer));
      expect(body?.quality).toBe(quality);
    }
    const line = (await stage.read('videos/report.jsonl'))
      .split('\n')
      .find((each) => each.includes('"vectors"'));
    expect(JSON.parse(line ?? '')).toMatchObject({ input: { topic: 'vectors' } });
  });

  it('is the bytes of local images as base64, in their order, and an empty question where there is none', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine(sample('image-questions.csv')));
    expect(ending.code).toBe(0);
    const image = async (name: string) => (await readFile(sample(`images/${name}.png`))).toString('base64');
    const images = stage.service.creations.map(({ body }) => [body.question === '', body.questionImages]);
    expect(images).toEqual(
      expect.arrayContaining([
        [false, [await image('right-triangle')]],
        [false, [await image('circle-chord')]],
        [false, [await image('parabola'), await image('velocity-graph')]],
        [true, [await image('velocity-graph')]],
      ]),
    );
  });

  it('is the quality of the row, and that of the run for rows without one', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,quality\na,Question a,l\nb,Question b,\n');
    await stage.batch(runLine('q.csv', '--quality', 'h'));
    const asked = Object.fromEntries(
      stage.service.creations.map(({ question, body }) => [question, body.quality]),
    );
    expect(asked).toEqual({ 'Question a': 'l', 'Question b': 'h' });
    expect((await stage.report()).map((line) => line.quality)).toEqual(['l', 'h']);
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
    expect(text.slice(0, text.indexOf('\r'))).toMatch(new RegExp(`^\uFEFF${columns},.*answer$`));
    expect(text.endsWith('\r\n')).toBe(true);
    const [line] = await stage.report();
    expect(line).toMatchObject({
      ...{ row: '1', id: 'a', status: 'completed', points: '10', question: 'Question a', quality: 'm' },
      ...{ title: 'About Question a', video: 'a/video.webm', frames: '2', failure: '', task_id: 'task-1' },
      ...{
        created_at: '2026-01-02T03:04:05Z',
        finish_at: '2026-01-02T03:09:05Z',
        seconds: '300',
        attempts: '1',
      },
    });
    expect(JSON.parse(await stage.read('videos/a/task.json'))).toMatchObject({
      task_id: 'task-1',
      points: 10,
    });
  });

  it('gives rows without ids one from their row number, and twins each their own, with a warning', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'question\nSame?\nSame?\nOther?\n');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending.stderr).toMatch(/warning: 1 row without id repeats another row word for word/);
    expect(await lines(stage)).toEqual(['1 row-1 completed', '2 row-2 completed', '3 row-3 completed']);
    expect(stage.service.creations).toHaveLength(3);
  });
});

describe.concurrent('batch run', () => {
  it('reads standard input where the file is -', async () => {
    await using stage = await openStage();
    const stdin = '{"id":"a","question":"Question a"}\n{"id":"b","question":"Question b"}\n';
    const ending = await stage.batch(runLine('-'), { stdin });
    expect(ending.code).toBe(0);
    expect(await lines(stage)).toEqual(['1 a completed', '2 b completed']);
  });

  it('submits no more than --limit rows, and the rest later', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const pilot = await stage.batch(runLine('q.csv', '--limit', '2'));
    expect(pilot).toMatchObject({ code: 4, stdout: expect.stringContaining('Next: batch resume ./videos') });
    expect(await lines(stage)).toEqual(['1 a completed', '2 b completed', '3 c pending']);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations.map(({ question }) => question)).toEqual([
      'Question a',
      'Question b',
      'Question c',
    ]);
  });

  it('submits a sample once, however often the command is given, and the rest without it', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions(...'abcdefgh'));
    const sample = runLine('q.csv', '--sample', '3');
    const pilot = await stage.batch(sample);
    expect(pilot).toMatchObject({ code: 4, stderr: expect.stringContaining('Sample: 3 of 8 rows') });
    expect(stage.service.creations).toHaveLength(3);
    expect((await stage.batch(sample)).code).toBe(4);
    expect(stage.service.creations).toHaveLength(3);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(new Set(stage.service.creations.map(({ question }) => question)).size).toBe(8);
    expect(stage.service.creations).toHaveLength(8);
  });

  it('submits the rows of --only, and refuses an id that no row has before anything is sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const unknown = await stage.batch(runLine('q.csv', '--only', 'c,x'));
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--only: no row has the id x'),
    });
    expect(stage.service.events).toEqual([]);
    expect((await stage.batch(runLine('q.csv', '--only', 'c'))).code).toBe(4);
    expect(await lines(stage)).toEqual(['1 a pending', '2 b pending', '3 c completed']);
  });

  it.for([['run', '--dry-run'], ['check']])(
    'writes nothing and sends nothing for %s %s',
    async ([command = '', ...flags]) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a', 'b'));
      const ending = await stage.batch([command, 'q.csv', ...flags]);
      expect(ending).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 2 to submit: 2 new') });
      expect(ending.stdout).toContain('Estimate: unknown');
      expect(await stage.list('.')).toEqual(['q.csv']);
      expect(stage.service.events).toEqual([]);
    },
  );

  it('estimates by the points that were seen in the folder', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const ending = await stage.batch(['check', 'q.csv']);
    expect(ending.stdout).toContain('Plan: 2 to submit');
    expect(ending.stdout).toContain('Estimate: about 20 points: 2 rows at 10 each');
  });

  it('prints with --json exactly one JSON object on standard output', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const { stdout } = await stage.batch(runLine('q.csv', '--json', '--limit', '1'));
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      statuses: { completed: 1, pending: 1, uncertain: 0 },
      points: { spent: 10, reserved: 0 },
      out: './videos',
      reason: 'limit',
      exitCode: 4,
    });
  });

  it('prints with --quiet only the end, and the warnings', async () => {
    await using stage = await openStage({
      status: (task) => (task.queries === 1 ? inProgress(task) : completed(task)),
    });
    await stage.write('q.csv', questions('a'));
    const ending = await stage.batch(runLine('q.csv', '--quiet'));
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    expect(ending.stdout).toContain('1 row: 1 completed');
  });

  it('never has more tasks open than --concurrency', async () => {
    let open = 0;
    let most = 0;
    await using stage = await openStage({
      create: () => {
        open += 1;
        most = Math.max(most, open);
        return undefined;
      },
      status: (task) => {
        if (task.queries < 3) return inProgress(task);
        open -= 1;
        return completed(task);
      },
    });
    await stage.write('q.csv', questions('a', 'b', 'c', 'd', 'e', 'f'));
    expect((await stage.batch(runLine('q.csv', '-j', '2'))).code).toBe(0);
    expect(most).toBe(2);
  });
});
