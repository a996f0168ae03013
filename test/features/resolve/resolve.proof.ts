import { describe, expect, it } from 'vitest';
import { apiKey, bare, errorEnvelope, inProgress, type Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { hasTerminals, startOnTerminal } from '../../cli/support/terminal.ts';

/** The creation of `a` makes its task, and its answer is lost. */
const lostAnswer: Script = {
  create: ({ question }, accept) => {
    if (question !== 'Question a') return undefined;
    accept();
    return (response) => void response.destroy();
  },
};

/** Row `a` is uncertain, and its task is found as `taskId`; `b` is completed. */
async function openUncertain(): Promise<Stage & { readonly taskId: string }> {
  const stage = await openStage(lostAnswer);
  await stage.write('q.csv', questions('a', 'b'));
  expect((await stage.batch(runLine('q.csv', '-j', '2'))).code).toBe(5);
  stage.service.follow({});
  return Object.assign(stage, { taskId: stage.service.taskIds.get('Question a') ?? '' });
}

/** Each test starts many programs. */
const timeout = 240_000;

const resolve = (id: string, taskId: string): string[] => ['resolve', 'videos', id, '--task-id', taskId];
const collect = ['collect', 'videos', '--poll-interval', '100ms'];

describe.concurrent('a task id that the user names', { timeout }, () => {
  it('is refused when the service does not know it, and nothing is changed', async () => {
    await using stage = await openUncertain();
    expect(await stage.batch(resolve('a', 'task-typo'))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /the service does not know the task task-typo \(.*not found\); check its id/,
      ),
    });
    expect((await stage.batch(['status', '--json'])).stdout).toContain('"uncertain":1');
    expect((await stage.batch(resolve('a', stage.taskId))).stderr).not.toContain('unchecked');
    expect((await stage.batch(collect)).code).toBe(0);
    expect(await stage.report()).toMatchObject([{ status: 'completed', task_id: stage.taskId }, {}]);
  });

  it.for([
    ['the key is not known', { BATCH_API_KEY: undefined }, /no API key/],
    ['the address is not known', { BATCH_BASE_URL: undefined }, /no service address/],
    ['nobody answers', { BATCH_BASE_URL: 'http://127.0.0.1:1' }, /no answer from http:\/\/127\.0\.0\.1:1/],
    ['the key is refused', { BATCH_API_KEY: 'sk-wrong' }, /the service refused the API key/],
  ] as const)('is taken with a word where %s', async ([, env, why]) => {
    await using stage = await openStage(lostAnswer);
    await stage.write('q.csv', questions('a'));
    await stage.batch(['run', 'q.csv', '--poll-interval', '100ms']);
    const settings = { BATCH_BASE_URL: stage.service.url, ...env };
    // What was saved with the run names the address too.
    const ending = await stage.batch(resolve('a', 'task-1'), { env: settings });
    const isSaved = 'BATCH_BASE_URL' in env && env.BATCH_BASE_URL === undefined;
    expect(ending).toMatchObject({ code: 0, stdout: expect.stringContaining('open: its task is task-1') });
    if (!isSaved) {
      expect(ending.stderr).toMatch(/task task-1 is accepted unchecked: /);
      expect(ending.stderr).toMatch(why);
    }
  });

  it('may be another one later: a typo that could not be checked strands no task', async () => {
    await using stage = await openUncertain();
    const offline = { env: { BATCH_BASE_URL: 'http://127.0.0.1:1' } };
    expect((await stage.batch(resolve('a', 'task-typo'), offline)).code).toBe(0);
    const again = await stage.batch(resolve('a', stage.taskId));
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('no longer task-typo') });
    expect((await stage.batch(collect)).code).toBe(0);
    expect(stage.service.creations).toHaveLength(2);
  });

  it('may be said twice: the same word again changes nothing that is known', async () => {
    await using stage = await openUncertain();
    for (const _ of [1, 2])
      expect(await stage.batch(resolve('a', stage.taskId))).toMatchObject({ code: 0, stderr: '' });
    expect((await stage.batch(collect)).code).toBe(0);
    expect(stage.service.creations).toHaveLength(2);
  });

  it('of a lost row may be another one, too; or the user says that there is no task', async () => {
    for (const settle of ['task', 'no task']) {
      await using stage = await openStage({ status: (task) => inProgress(task) });
      await stage.write('q.csv', questions('a'));
      await stage.batch(runLine('q.csv', '--task-timeout', '1ms'));
      expect(await stage.statuses()).toEqual({ a: 'lost' });
      stage.service.follow({});
      if (settle === 'task') {
        expect((await stage.batch(resolve('a', 'task-1'))).code).toBe(0);
        expect((await stage.batch(collect)).code).toBe(0);
        expect(stage.service.creations).toHaveLength(1);
      } else {
        expect(await stage.batch(['resolve', 'videos', 'a', '--not-created'])).toMatchObject({ code: 0 });
        expect(
          (await stage.batch(['resume', 'videos', '--task-timeout', '6h', '--poll-interval', '100ms'])).code,
        ).toBe(0);
        expect(stage.service.creations).toHaveLength(2);
      }
    }
  });

  it('does not overrule the answer of the service while its task is open', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ events }) => events.includes('status Question a'));
    program.kill('SIGTERM');
    await program.ended;
    expect(await stage.batch(resolve('a', 'task-9'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('row a is open, neither uncertain nor lost'),
    });
  });

  it('is checked with the embedded service in a rehearsal', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const line = ['run', 'q.csv', '--simulate', '--duration', '100ms', '--fault', 'reset-after=1'];
    expect((await stage.batch(line)).code).toBe(5);
    expect(await stage.batch(resolve('a', 'no-such-task'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the service does not know the task no-such-task'),
    });
  });
});

describe.concurrent('a retry that is answered with the task of its own earlier attempt', { timeout }, () => {
  it('has it again by itself, and not by resolve; nothing is counted twice', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const [{ task_id: taskId = '' } = {}] = await stage.report();
    const again = {
      create: () => (response) =>
        void response.end(JSON.stringify({ status: 'success', data: { task_id: taskId } })),
    } satisfies Script;
    stage.service.follow(again);
    const retried = await stage.batch([
      'retry',
      'videos',
      '--only',
      'a',
      '--poll-interval',
      '100ms',
      '--yes',
    ]);
    expect(retried.code).toBe(0);
    expect(await stage.report()).toMatchObject([
      { status: 'completed', points: '10', attempts: '2', task_id: taskId },
    ]);
    expect(retried.stdout).toContain('10 points spent');

    stage.service.follow({ create: () => (response) => void response.destroy() });
    expect(
      (await stage.batch(['retry', 'videos', '--only', 'a', '--poll-interval', '100ms', '--yes'])).code,
    ).toBe(5);
    // The user may have looked at the wrong line of the account: that task was made for the attempt before.
    expect(await stage.batch(resolve('a', taskId))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(taskId),
    });
    expect(await stage.statuses()).toEqual({ a: 'uncertain' });
    stage.service.follow({ create: () => errorEnvelope('no') });
  });
});

describe.concurrent('the word that there is no task', { timeout }, () => {
  it('is not taken at once where the creation is young or was answered, and a task may exist', async () => {
    await using stage = await openStage({ create: () => bare(500, 'no') });
    await stage.write('q.csv', questions('-a'));
    expect((await stage.batch(runLine('q.csv', '--request-timeout', '30m'))).code).toBe(5);
    const links = await stage.batch(['links', '--only=-a']);
    expect(links).toMatchObject({ code: 1, stdout: '' });
    expect(links.stderr).toMatch(
      /a task may exist: look in your account for one made between \d{4}-\S+Z and \d{4}-\S+Z, then `batch resolve \.\/videos --task-id T -- '-a'`$/m,
    );
    const refused = await stage.batch(['resolve', '--not-created', '--', '-a']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^batch: 1 row sent .* ago, so the task may still be made: -a; /);
    expect(refused.stderr).toContain("type `batch resolve ./videos --not-created --yes -- '-a'`");
    const settled = await stage.batch(['resolve', './videos', '--not-created', '--yes', '--', '-a']);
    expect(settled).toMatchObject({ code: 0, stdout: expect.stringContaining('row -a is pending') });
    expect(stage.service.creations).toHaveLength(1);
  });

  it.skipIf(!hasTerminals)('is asked for on a terminal', async () => {
    await using stage = await openStage({ create: () => bare(500, 'no') });
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const env = { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey };
    for (const [answer, code] of [
      ['n', 2],
      ['y', 0],
    ] as const) {
      const line = ['resolve', 'a', '--not-created'];
      await using program = startOnTerminal(line, { cwd: stage.folder, columns: 200, env });
      await program.said(/1 row sent .* ago.*account shows no task.*\[y\/N\]/s);
      program.type(`${answer}\r`);
      expect(await program.ended).toBe(code);
    }
    expect((await stage.batch(['status', '--json'])).stdout).toContain('"pending":1');
  });
});

describe.concurrent('a table of all uncertain rows', { timeout }, () => {
  /** The creations of `a` and `=b` make tasks, that of `c` makes none; no answer comes. */
  const lostAnswers: Script = {
    create: ({ question }, accept) => {
      if (question === 'Question d') return undefined;
      if (question !== 'Question c') accept();
      return (response) => void response.destroy();
    },
  };

  it('is printed, filled in and fed back; each row then gets its one video', async () => {
    await using stage = await openStage(lostAnswers);
    await stage.write('q.csv', questions('d', 'a', '=b', 'c'));
    expect((await stage.batch(runLine('q.csv', '-j', '10', '--request-timeout', '30m'))).code).toBe(5);
    stage.service.follow({});
    const listed = await stage.batch(['resolve', '--list']);
    expect(listed).toMatchObject({ code: 0, stderr: expect.stringContaining('3 rows uncertain: fill in') });
    const lines = listed.stdout.split('\r\n');
    expect(lines[0]).toBe(
      '\ufeffid,task_id,created_after,created_before,question,likely_task_id,answer,batch',
    );
    expect(lines[2]).toMatch(/^'=b,,\d{4}-\d\d-\d\dT[^,]*Z,\d{4}-[^,]*Z,Question =b,,,b[0-9a-f-]+$/);

    const found = (question: string): string => stage.service.taskIds.get(question) ?? 'not-created';
    const filled = lines.map((line) =>
      line.replace(/,,(.*,(Question [^,]*),.*)$/, (_, rest, q) => `,${found(q)},${rest}`),
    );
    const wrong = filled.map((line) => line.replace(/^c,[^,]*/, 'c,task-none')).join('\r\n');
    expect(await stage.batch(['resolve', 'videos', '--from', '-'], { stdin: wrong })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^batch: standard input:4: the service does not know the task task-none/),
    });
    expect((await stage.batch(['status', 'videos', '--json'])).stdout).toContain('"uncertain":3');

    await stage.write('found.csv', filled.join('\r\n'));
    const asked = await stage.batch(['resolve', '--from', 'found.csv']);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/^batch: 1 row sent .* ago, so the task may still be made: c; /);
    const [, command = ''] = / type `batch (.*)`$/m.exec(asked.stderr) ?? [];
    expect(command).toBe('resolve ./videos --from found.csv --yes');
    expect(await stage.batch(command.split(' '))).toMatchObject({
      code: 0,
      stdout:
        '2 rows open with the tasks of the table\n1 row pending, to be submitted again\nNext: batch resume ./videos --max-points 40   1 row left, about 10 points\n',
    });
    expect((await stage.batch(['resume', 'videos', '--poll-interval', '100ms'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(5);
    expect(await stage.batch(['resolve', 'videos', '--list'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no row is uncertain'),
    });
  });

  it('is written to a file that spreadsheets read, again while nobody has changed it, and never over what was filled in', async () => {
    await using stage = await openUncertain();
    const list = ['resolve', '--list', '--to', 'found 1.csv'];
    for (const language of ['en', 'zh', 'en']) {
      const written = await stage.batch([...list, '--lang', language]);
      expect(written).toMatchObject({ code: 0, stdout: '' });
      expect(written.stderr).toMatch(/found 1\.csv.*`batch resolve \.\/videos --from 'found 1\.csv'`/);
    }
    const text = await stage.read('found 1.csv');
    expect(text).toMatch(/^\ufeffid,task_id,.*\r\na,,.*Question a,/);

    const filled = text.replace('\r\na,,', `\r\na,${stage.taskId},`);
    await stage.write('found 1.csv', filled);
    const refused = await stage.batch(list);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /found 1\.csv holds something that was not written.*`batch resolve --from`/,
    );
    expect(await stage.read('found 1.csv')).toBe(filled);
    await stage.write('videos/notes.csv', 'mine');
    for (const [to, why] of [
      ['videos/notes.csv', /notes\.csv holds something/],
      ['videos/report.csv', /report\.csv is a name that a run in that folder writes itself/],
      ['q.csv/found.csv', /--to q\.csv\/found\.csv cannot be written|q\.csv/],
      ['videos', /is not a regular file/],
    ] as const)
      expect(await stage.batch(['resolve', '--list', '--to', to])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(why),
      });

    expect((await stage.batch(['resolve', '--from', 'found 1.csv'])).code).toBe(0);
    expect(await stage.batch(['resolve', '--list', '--to', 'none.csv'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no row is uncertain'),
    });
    expect(await stage.list('.')).not.toContain('none.csv');
  });

  it.for([
    [['--from', 'x.csv', '--list'], /use each of them alone/],
    [['--from', 'x.csv', '--to', 'y.csv'], /use `batch resolve \[DIR\] --list --to FILE`/],
    [['--list', '--to', 'x.csv', '--to', 'y.csv'], /--to names one file/],
    [['--list', '--to', ' '], /--to names one file/],
    [['a', '--list', '--not-created'], /use each of them alone/],
    [['a', 'b', '--list'], /too many words/],
    [
      ['--from', 'none.csv'],
      /none\.csv does not exist; use an Excel, CSV, JSONL or Parquet file; `batch resolve --list` prints/,
    ],
    [['--list'], /there is no run in \S+\/videos;/],
    [[], /which row\?/],
    [['--from', 'x.csv', '--from', 'y.csv'], /given twice/],
  ] as const)('%j is wrong use', async ([args, why]) => {
    await using stage = await openStage();
    expect(await stage.batch(['resolve', ...args])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(why),
    });
  });
});
