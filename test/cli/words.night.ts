import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { apiKey, failed, inProgress, type Script } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';
import { hasTerminals, startOnTerminal } from './support/terminal.ts';

/** The words of a command line, as a shell takes them apart. */
function wordsOf(command: string): string[] {
  const [program, ...words] = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .stdout.split('\0')
    .slice(0, -1);
  expect(program).toBe('batch');
  return words;
}

describe('the end of a pilot', () => {
  it('says what the rest would cost, until the run goes on; status, what is left of it', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `q-${at}`);
    await using stage = await openStage();
    await stage.write('q.csv', questions(...names));
    const pilot = await stage.batch([...runLine('q.csv'), '--sample', '12']);
    expect(pilot.stdout).toMatch(/^The rest: 18 rows for 180 points \(judging by 12 videos\)$/m);
    expect((await stage.batch(['status'])).stdout).toContain('The rest: 18 rows for 180 points');
    // Rows wait until the end of the test, however slow the machine is: there is always time left.
    stage.service.follow({ status: (task) => inProgress(task, 0) });
    const run = stage.start([...runLine('q.csv'), '-j', '2']);
    await run.said(/Plan: /);
    await expect
      .poll(async () => (await stage.batch(['status'])).stdout)
      .toMatch(/^about .* left, done at /m);
    expect((await stage.batch(['status'])).stdout).not.toContain('The rest');
    run.kill('SIGINT');
    await run.ended;
  });
});

/** What the service says of each question, by the end of its name. */
const reasons: Readonly<Record<string, (taskId: string) => string>> = {
  a: () => 'render error',
  b: () => "render error: it's too long",
  c: (taskId) => `${taskId} timed out at http://x.example/${taskId}`,
  d: (taskId) => `${taskId} timed out at http://x.example/${taskId}`,
};

const failing: Script = {
  status: (task) => {
    const reason = reasons[task.question.slice(-1)];
    return reason === undefined ? undefined : failed(task, reason(task.taskId));
  },
};

async function openFailed(): Promise<Stage> {
  const stage = await openStage(failing);
  await stage.write('q.csv', questions('a', 'b', 'c', 'd', 'e'));
  expect((await stage.batch(runLine('q.csv', '--quiet'))).code).toBe(1);
  return stage;
}

describe.concurrent('the end of a run', () => {
  it('groups failures, and the command of each group gives a new attempt to its rows and no others', async () => {
    await using stage = await openFailed();
    const { stdout } = await stage.batch(['status']);
    expect(stdout.split('\n').slice(1, 6)).toEqual([
      '10 points spent, 10 a video',
      'Why rows ended badly:',
      expect.stringMatching(
        /^ {2}2 failed {2}"… timed out at …" +batch retry \.\/videos --failed --failure /,
      ),
      expect.stringMatching(/^ {2}1 failed {2}"render error" +batch retry /),
      expect.stringMatching(/^ {2}1 failed {2}"render error: it's too long" +batch retry /),
    ]);
    const { failures } = JSON.parse((await stage.batch(['status', '--json'])).stdout);
    expect(failures).toMatchObject([{ count: 2 }, { count: 1 }, { count: 1 }]);
    const rows = [['c', 'd'], ['a'], ['b']];
    for (const [at, { command }] of failures.entries()) {
      const before = stage.service.creations.length;
      await stage.batch([...wordsOf(command), '--poll-interval', '100ms']);
      const again = stage.service.creations.slice(before).map(({ question }) => question.slice(-1));
      expect(again.sort(), command).toEqual(rows[at]);
    }
  });

  it('says `npx batch` where npx started it, and so do errors', async () => {
    await using stage = await openFailed();
    const env = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'batch' 'status'" };
    const { stdout } = await stage.batch(['status'], { env });
    expect(stdout).toMatch(/^ {2}2 failed {2}"… timed out at …" +npx batch retry \.\/videos --failed /m);
    expect(stdout).toMatch(/^Next: npx batch retry \.\/videos --failed /m);
    expect((await stage.batch(['resume', 'nowhere'], { env })).stderr).toContain('`npx batch run FILE');
    for (const words of [['--help'], ['export', '--help']])
      expect((await stage.batch(words, { env })).stdout).not.toMatch(/(^ *|`)batch [a-zC]/m);
    expect((await stage.batch([], { env })).stderr).toContain('`npx batch --help`');
    const simulator = stage.start(['simulate', '--port', '0'], { env });
    await simulator.said(/^BATCH_BASE_URL=\S+ BATCH_API_KEY=\S+ npx batch run FILE /m);
    simulator.kill('SIGTERM');
    await simulator.ended;
    const other = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'other' 'batch'" };
    expect((await stage.batch(['status'], { env: other })).stdout).toMatch(/^Next: batch retry /m);
  });

  it('says the same to programs', async () => {
    await using stage = await openStage(failing);
    await stage.write('q.csv', 'id,question,image\na,Question a,\ne,Question e,https://x.example/1.png\n');
    const { stdout } = await stage.batch(runLine('q.csv', '--json'));
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      pointsPerVideo: 10,
      failures: [
        {
          status: 'failed',
          failure: 'render error',
          count: 1,
          command: 'batch retry ./videos --failed --until 1',
        },
      ],
      areAllFailures: true,
      next: 'batch retry ./videos --failed --until 1',
      reports: { html: './videos/report.html', failed: './videos/failed.csv' },
      plan: {
        newRows: 2,
        duplicates: 0,
        images: { rows: 1, files: 0, inline: 0, addresses: 1 },
        estimate: { rows: 2, points: null, basis: expect.any(String) },
      },
    });
  });
});

describe.concurrent('retry --failure', () => {
  it.for([
    [['--failed', '--failure', 'Render'], 'no failed row of the file has the failure "Render"'],
    [['--rejected', '--lost', '--failure', 'x'], 'no rejected or lost row of the file has the failure "x"'],
    [['--failure', 'render'], 'add --failed, --rejected or --lost'],
    [['--failed', '--failure', ' '], '--failure is empty'],
    [['--failed', '--failure', 'a', '--failure', 'b'], '--failure was given more than once'],
  ] as const)('that means no row is wrong use, and changes nothing: %j', async ([flags, said]) => {
    await using stage = await openFailed();
    const before = stage.service.creations.length;
    const ending = await stage.batch(['retry', ...flags]);
    expect(ending).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
    expect(ending.stderr.split('\n').filter((line) => line.startsWith('batch: '))).toHaveLength(1);
    expect(stage.service.creations).toHaveLength(before);
    expect(await stage.statuses()).toMatchObject({ a: 'failed', b: 'failed', e: 'completed' });
  });

  it('chooses among the rows of --only, too', async () => {
    await using stage = await openFailed();
    const before = stage.service.creations.length;
    await stage.batch(['retry', '--only', 'a,c', '--failure', 'timed out', '--poll-interval', '100ms']);
    expect(stage.service.creations.slice(before).map(({ question }) => question)).toEqual(['Question c']);
  });
});

describe.concurrent('status', () => {
  it('of a run that goes on says so, and offers nothing that would be refused', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a'));
    const running = stage.start(runLine('q.csv', '--verbose'));
    await running.said(/open/);
    const { stdout } = await stage.batch(['status']);
    expect(stdout).toMatch(/\nRunning: process \d+ works in this folder; `batch stop \.\/videos` ends it\n/);
    expect(stdout).toMatch(/^Next: batch status \.\/videos /m);
    expect(stdout).not.toMatch(/resume|verify/);
    const { running: isRunning, next } = JSON.parse((await stage.batch(['status', '--json'])).stdout);
    expect({ isRunning, next }).toEqual({ isRunning: true, next: 'batch status ./videos' });
    stage.service.follow({});
    expect((await running.ended).code).toBe(0);
    expect(JSON.parse((await stage.batch(['status', '--json'])).stdout)).toMatchObject({ running: false });
  });
});

describe.concurrent('the plan', () => {
  it('names a pilot while no price is known, and what it rests on once one is', async () => {
    await using stage = await openStage();
    const ids = Array.from({ length: 23 }, (_, at) => `q-${at}`);
    await stage.write('my q.csv', questions(...ids));
    const unknown = await stage.batch(['check', 'my q.csv', '--out', './videos']);
    const pilot = /Try a pilot: (batch run .* --sample 20)$/m.exec(unknown.stdout)?.[1] ?? '';
    expect((await stage.batch([...wordsOf(pilot), '--poll-interval', '100ms'])).code).toBe(4);
    const known = await stage.batch(['run', 'my q.csv', '--dry-run', '--max-points', '220']);
    expect(known.stdout.split('\n').slice(-5)).toEqual([
      'Plan: 3 to submit: 3 waiting; 20 done',
      'Estimate: 30 points for 3 rows, judging by 20 videos',
      '  --max-points 220 covers about 2 of them: 200 points spent so far',
      '  it can be passed only by what the up to 10 tasks open at a time then cost above 10 points, the most so far',
      '',
    ]);
    const resumed = await stage.batch(['resume', '--limit', '1', '--poll-interval', '100ms']);
    expect(resumed.stderr).toMatch(
      /^Estimate: about 10 points: 1 row at 10, the highest price of that quality among 20 videos /m,
    );
  });
});

describe.runIf(hasTerminals)('a question before many rows', () => {
  const ids = Array.from({ length: 101 }, (_, at) => `q${at}`);

  it('names them and what they may cost; a no submits nothing', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions(...ids));
    await using program = startOnTerminal(runLine('q.csv'), {
      cwd: stage.folder,
      columns: 100,
      env: { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey },
    });
    await program.said(/Submit 101 rows for an unknown number of points\? \[y\/N\]/);
    program.type('n\r');
    expect(await program.ended).toBe(2);
    expect((await program.shown()).join('\n')).toContain('Nothing was submitted.');
    expect(stage.service.events).toEqual([]);
  });
});
