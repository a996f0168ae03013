import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from './support/program.ts';
import { completed, inProgress } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const noneYet = {
  ...{ pending: 0, submitting: 0, open: 0, downloading: 0, completed: 0, failed: 0 },
  ...{ rejected: 0, uncertain: 0, undelivered: 0, lost: 0, invalid: 0 },
};

describe.concurrent('while a run goes on', () => {
  async function openRunning() {
    const stage = await openStage({
      status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
    });
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const program = stage.start(runLine('q.csv', '-j', '1'));
    await stage.service.until(
      ({ events }) => events.filter((event) => event === 'status Question b').length >= 2,
    );
    return { stage, program };
  }

  it('status says where it stands, to people and to programs', async () => {
    const { stage, program } = await openRunning();
    await using _ = stage;
    const json = await stage.batch(['status', './videos', '--json']);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({
      rows: 3,
      statuses: { ...noneYet, completed: 1, open: 1, pending: 1 },
      paused: null,
      points: { spent: 10, reserved: 10 },
      out: './videos',
      pointsPerVideo: 10,
      failures: [],
      areAllFailures: true,
      next: 'batch status ./videos',
      reports: null,
      running: true,
    });
    const words = await stage.batch(['status']);
    expect(words.stdout).toContain('3 rows: 1 completed, 1 pending, 1 open');
    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    const after = JSON.parse((await stage.batch(['status', '--json'])).stdout);
    expect(after).toMatchObject({
      statuses: { ...noneYet, completed: 3 },
      points: { spent: 30, reserved: 0 },
    });
  });

  it('report writes the reports as of now, and disturbs nothing', async () => {
    const { stage, program } = await openRunning();
    await using _ = stage;
    expect(await stage.batch(['report'])).toMatchObject({ code: 0, stderr: 'Opening ./videos\n' });
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'open', c: 'pending' });
    expect(await stage.read('videos/report.html')).toContain('"running":true');
    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed', c: 'completed' });
  });
});

describe.concurrent('batch report', () => {
  it('does not call a run that was killed one that goes on', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ events }) => events.includes('status Question a'));
    program.kill('SIGKILL');
    await program.ended;
    expect((await stage.batch(['report'])).code).toBe(0);
    expect(await stage.statuses()).toEqual({ a: 'open' });
    expect(await stage.read('videos/report.html')).toContain('"running":false');
  });

  it('makes the reports again from the checkpoint alone', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    const names = ['report.csv', 'report.jsonl', 'failed.csv'];
    const before = await Promise.all(names.map((name) => stage.read(`videos/${name}`)));
    for (const name of [...names, 'report.html']) await stage.remove(`videos/${name}`);
    expect((await stage.batch(['report'])).code).toBe(0);
    expect(await Promise.all(names.map((name) => stage.read(`videos/${name}`)))).toEqual(before);
    expect(await stage.read('videos/report.html')).toContain('Question b');
  });
});

describe.concurrent('batch check', () => {
  it('prints every row that cannot be sent with its line, and ends with 1', async () => {
    await using stage = await openStage();
    await stage.write(
      'q.csv',
      'id,question,quality,image\na,"Two\nlines",,\nb,Bad,x,\nc,,,none.png\nd,Good,,\n',
    );
    const ending = await stage.batch(['check', 'q.csv']);
    expect(ending.code).toBe(1);
    const lines = afterFirstWords(ending).trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^q\.csv:4: .*quality is "x"/),
      expect.stringMatching(/^q\.csv:5: .*none\.png/),
    ]);
    expect(ending.stdout).toContain('2 to submit');
  });

  it('says what a run would do with the folder that is there', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    await stage.write('q.csv', questions('b', 'c'));
    const ending = await stage.batch(['check', 'q.csv', '--out', './videos']);
    expect(ending).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 to submit: 1 new; 1 done; 1 gone'),
    });
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });
});

describe.concurrent('a damaged checkpoint', () => {
  async function openDamaged(): Promise<{ stage: Stage; path: string; bytes: Buffer }> {
    const stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    const path = join(stage.folder, 'videos/batch.sqlite');
    const bytes = await readFile(path);
    bytes.fill(0xa5, 100, 6000);
    await writeFile(path, bytes);
    return { stage, path, bytes };
  }

  it('is refused by every command, left as it is, and nothing is sent', async () => {
    const { stage, path, bytes } = await openDamaged();
    await using _ = stage;
    const created = stage.service.creations.length;
    for (const line of [runLine('q.csv'), ['resume'], ['status', '--json'], ['report'], ['check', 'q.csv']]) {
      const ending = await stage.batch(line);
      expect(ending).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is damaged') });
      expect(afterFirstWords(ending).trim().split('\n')).toHaveLength(1);
      expect(await readFile(path)).toEqual(bytes);
    }
    expect(stage.service.creations).toHaveLength(created);
  });
});

describe.concurrent('batch --help and --version', () => {
  it.for([
    { line: ['--help'], says: 'batch COMMAND' },
    { line: ['run', '--help'], says: '--max-points' },
    { line: ['resolve', '--help'], says: '--not-created' },
    { line: ['simulate', '--help'], says: 'reset-after' },
    { line: ['--version'], says: '.' },
  ])('$line end with 0', async ({ line, says }) => {
    await using stage = await openStage();
    const ending = await stage.batch(line);
    expect(ending).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(says) });
  });
});

describe.concurrent('batch simulate', () => {
  it('serves a run of another process, and its ledger tells what was charged', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const simulator = stage.start([
      'simulate',
      '--port',
      '0',
      '--duration',
      '100ms',
      '--api-key',
      'of-the-rehearsal',
    ]);
    const [, url = ''] = await simulator.said(/listens at (http:\S+),/);
    const env = { BATCH_BASE_URL: url, BATCH_API_KEY: 'of-the-rehearsal' };
    expect((await stage.batch(runLine('q.csv'), { env })).code).toBe(0);
    const ledger = await (await fetch(`${url}/ledger`)).json();
    expect(ledger).toMatchObject({ accepted: 2, completed: 2, points: 20 });
    expect((await stage.report()).reduce((sum, { points }) => sum + Number(points), 0)).toBe(20);
    simulator.kill('SIGINT');
    expect((await simulator.ended).code).toBe(0);
  });
});
