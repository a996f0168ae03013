import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from './support/program.ts';
import { inProgress } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

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

  it('says last, after the plan, that the folder holds another run', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    await stage.write('other.csv', questions('c', 'd'));
    const screen = openSync(join(stage.folder, 'screen'), 'w');
    const ending = await stage.batch(['check', 'other.csv'], { stdio: ['ignore', screen, screen] });
    closeSync(screen);
    expect(ending.code).toBe(2);
    const lines = (await stage.read('screen')).trim().split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^Plan: /));
    expect(lines.at(-1)).toMatch(/^batch: \.\/videos holds another run: .* another --out, or --add$/);
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

describe.concurrent('batch run', () => {
  it('names the first rows that cannot be sent after its plan, and where all will stand', async () => {
    await using stage = await openStage();
    const bad = (count: number): string =>
      Array.from({ length: count }, (_, at) => `b${at},Bad,x\n`).join('');
    const saidOf = async (count: number): Promise<readonly string[]> => {
      await stage.write('q.csv', `id,question,quality\na,Good,\n${bad(count)}`);
      const { stderr } = await stage.batch(runLine('q.csv', '--out', `out-${count}`));
      const plan = stderr.split('\n').slice(stderr.split('\n').findIndex((line) => line.startsWith('Plan:')));
      return plan.filter((line) => /^ {2}q\.csv:\d|cannot be sent;/.test(line));
    };
    expect(await saidOf(7)).toEqual([
      ...[3, 4, 5, 6, 7].map((line) =>
        expect.stringMatching(new RegExp(`^ {2}q\\.csv:${line}: quality is "x"`)),
      ),
      '  2 more cannot be sent; failed.csv in out-7 will list all of them',
    ]);
    expect(await stage.read('out-7/failed.csv')).toContain('b6');
    expect(await saidOf(5)).toHaveLength(5);
    expect(await saidOf(0)).toEqual([]);
  });
});

it.for([
  [['run', 'q.csv', '--dryrun'], '"--dryrun" is not known here; did you mean --dry-run?'],
  [['run', 'q.csv', '--simulte=1'], '"--simulte" is not known here; did you mean --simulate?'],
  [['run', 'q.csv', '-dryrun'], '"-dryrun" is not known here; did you mean --dry-run?'],
  [['verfiy'], '"verfiy" is not known here; did you mean verify?'],
] as const)(
  'an unknown word is named as it was typed, and what is near is of its kind: %j',
  async ([line, says]) => {
    await using stage = await openStage();
    expect(await stage.batch(line)).toMatchObject({ code: 2, stderr: `batch: ${says}\n` });
  },
);

describe.concurrent('batch --help and --version', () => {
  it.for([
    { line: ['--help'], says: 'batch COMMAND' },
    { line: ['run', '--help'], says: '--max-points' },
    { line: ['resolve', '--help'], says: '--not-created' },
    { line: ['simulate', '--help'], says: 'batch simulate --help all' },
    { line: ['simulate', '--help', 'all'], says: 'reset-after' },
    { line: ['-h', 'all', 'simulate'], says: 'reset-after' },
    { line: ['--help', 'all'], says: 'batch COMMAND' },
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
