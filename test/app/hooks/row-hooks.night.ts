import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiKey, completed, failed, type Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, type Stage } from '../../cli/support/stage.ts';
import { checkHookInput } from '../../support/written.ts';

const oneFails: Script = {
  status: (task) => (task.question === 'Question b' ? failed(task, 'No picture') : completed(task)),
};

/** Adds what it hears to a file, and fails for rows that are listed in `bad`. */
const keeper = `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const heard = JSON.parse(readFileSync(0, 'utf8'));
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('BATCH_')));
appendFileSync('heard.jsonl', JSON.stringify({ heard, env, saved: existsSync(env.BATCH_ROW_VIDEO ?? '') }) + '\\n');
if (existsSync('bad') && readFileSync('bad', 'utf8').includes(env.BATCH_ROW_ID)) {
  console.log('no room for', env.BATCH_ROW_ID, env.BATCH_API_KEY);
  process.exit(3);
}`;

const hook = `"${process.execPath}" keeper.mjs`;
const run = ['run', 'q.csv', '--poll-interval', '100ms'];

async function openWith(script: Script = {}): Promise<Stage> {
  const stage = await openStage(script);
  await stage.write('q.csv', questions('a', 'b', 'c'));
  await stage.write('keeper.mjs', keeper);
  return stage;
}

interface Heard {
  readonly heard: Record<string, unknown>;
  readonly env: Record<string, string>;
  readonly saved: boolean;
}

async function heardIn(stage: Stage): Promise<Heard[]> {
  const lines = (await stage.read('heard.jsonl')).trimEnd().split('\n');
  const calls: Heard[] = lines.map((line) => JSON.parse(line));
  for (const { heard } of calls) checkHookInput(heard);
  return calls;
}

/** What `batch status` tells programs of the calls. */
async function onRow(stage: Stage): Promise<unknown> {
  return JSON.parse((await stage.batch(['status', '--json'])).stdout).onRow;
}

describe.concurrent('--on-row', () => {
  it('calls a command for each row that is completed, once its files are saved', async () => {
    await using stage = await openWith(oneFails);
    expect(await stage.batch([...run, '--on-row', hook])).toMatchObject({ code: 1 });
    const heard = (await heardIn(stage)).toSorted((a, b) => Number(a.heard.row) - Number(b.heard.row));
    const report = (await stage.read('videos/report.jsonl')).trimEnd().split('\n');
    const lines = report.map((line) => JSON.parse(line)).filter(({ status }) => status === 'completed');
    expect(heard.map((call) => call.heard)).toEqual(lines);
    expect(heard.map(({ saved }) => saved)).toEqual([true, true]);
    const { BATCH_ROW, ...env } = heard[0]?.env ?? {};
    expect(JSON.parse(BATCH_ROW ?? '')).toEqual(lines[0]);
    expect(env).toMatchObject({
      BATCH_ROW_ID: 'a',
      BATCH_ROW_NUMBER: '1',
      BATCH_ROW_STATUS: 'completed',
      BATCH_ROW_ATTEMPT: '1',
      BATCH_ROW_POINTS: '10',
      BATCH_OUT: join(stage.folder, 'videos'),
      BATCH_ROW_VIDEO: join(stage.folder, 'videos', String(lines[0].video)),
    });
    expect(JSON.stringify(heard)).not.toContain(apiKey);
  });

  it('that fails touches neither rows nor exit code, and is called again when the user asks for it', async () => {
    await using stage = await openWith();
    await stage.write('bad', 'b');
    const first = await stage.batch([...run, '--on-row', hook]);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('3 rows: 3 completed') });
    expect(first.stderr).toContain('--on-row failed for b (exit code 3)');
    expect(first.stderr).toContain('`batch collect ./videos --on-row CMD` repeats them');
    expect(await stage.read('videos/batch.log')).toMatch(/"output":"no room for b undefined\\n"/);
    // A later start does not repeat what failed.
    await stage.batch(['resume', '--on-row', hook]);
    expect(await heardIn(stage)).toHaveLength(3);
    const status = await stage.batch(['status']);
    expect(status.stdout).toContain(
      'calls of --on-row: 2 made, 1 failed, 0 to make; `batch collect ./videos --on-row CMD` makes those that are left\n  b, attempt 1: exit code 3\n',
    );
    expect((await stage.batch(['status', '--lang', 'zh'])).stdout).toContain('  b，第 1 次尝试：退出码 3\n');
    const again = await stage.batch(['collect', '--on-row', hook]);
    expect(again.stderr).toContain('--on-row failed for b (exit code 3)');
    expect(await onRow(stage)).toMatchObject({
      failed: 1,
      calls: [{ id: 'b', attempt: 1, state: 'failed', tries: 2, failure: 'exit code 3' }],
    });
    await stage.write('bad', '');
    expect(await stage.batch(['collect', '--on-row', hook])).toMatchObject({ code: 0 });
    expect(await onRow(stage)).toEqual({ owed: 0, failed: 0, done: 3, calls: [] });
    expect(await heardIn(stage)).toHaveLength(5);
    expect(stage.service.creations).toHaveLength(3);
  });

  it('has no secret to print, and none that it knows from elsewhere is in the log or on the terminal', async () => {
    await using stage = await openWith();
    const env = {
      BATCH_STORE: 'postgres://me:s3%2Fcret@db/batch',
      BATCH_PING: `${stage.service.url}/0d338dcc`,
      DATABASE_URL: 'postgres://app:s3/cret@db/app',
      COPY: `key ${apiKey}`,
    };
    const known = ['s3/cret', env.BATCH_PING, apiKey];
    await stage.write('print.sh', `env; env >> heard; echo ${known.join(' ')}; exit 3`);
    const hook = ['--on-row', 'sh print.sh', '--on-end', 'sh print.sh'];
    const ran = await stage.batch([...run, ...hook], { env });
    const again = await stage.batch(['collect', '--on-row', 'sh print.sh'], { env });
    const heard = await stage.read('heard');
    expect(heard.match(/^BATCH_(?:ROW_ID|REASON)=/gm)).toHaveLength(7);
    const told = [await stage.read('videos/batch.log'), heard, JSON.stringify([ran, again])].join();
    for (const secret of [...known, 's3%2Fcret']) expect(told).not.toContain(secret);
  });

  it('is never read from the folder: a start without it leaves the calls to one with it', async () => {
    await using stage = await openWith();
    await stage.batch([...run, '--limit', '1', '--on-row', hook]);
    await stage.batch(['resume']);
    expect(await heardIn(stage)).toHaveLength(1);
    await stage.batch(['resume', '--on-row', hook]);
    const ids = (await heardIn(stage)).map(({ env }) => env.BATCH_ROW_ID);
    expect(ids.toSorted()).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['"./keeper', 'a quote has no end'],
    ['  ', 'use a command such as ./upload.sh'],
    ['""', 'is empty'],
  ])('%j is refused before anything is sent', async (line, message) => {
    await using stage = await openWith();
    const ending = await stage.batch([...run, '--on-row', line]);
    expect(ending.stderr).toContain(message);
    expect(ending.code).toBe(2);
    expect(stage.service.creations).toEqual([]);
  });
});

it('--on-row is given once', async () => {
  await using stage = await openWith();
  const ending = await stage.batch([...run, '--on-row', 'a', '--on-row', 'b']);
  expect(ending).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--on-row was given 2 times; give it once'),
  });
});

describe.concurrent('--on-end', () => {
  it('is refused in one line where its program is missing, before anything is read or sent', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expect(await stage.batch([...run, '--on-end', './no-such.sh'])).toMatchObject({
      code: 2,
      stderr:
        'batch: --on-end: there is no program "./no-such.sh" that can be run; correct its name or path, or use sh -c \'...\'\n',
    });
    expect(stage.service.creations).toHaveLength(0);
  });

  it('calls a command with the summary, after the reports', async () => {
    await using stage = await openWith(oneFails);
    const line = `"${process.execPath}" keeper.mjs && cat videos/report.csv > seen.csv && exit 7`;
    await stage.write('end.sh', line);
    const ending = await stage.batch([...run, '--on-end', 'sh end.sh']);
    expect(ending).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--on-end failed (exit code 7)'),
    });
    const [call, ...more] = await heardIn(stage);
    expect(more).toEqual([]);
    expect(call?.heard).toMatchObject({
      rows: 3,
      statuses: { completed: 2, failed: 1 },
      reason: 'done',
      exitCode: 1,
      next: expect.stringMatching(/^batch retry/),
    });
    expect(call?.env).toMatchObject({ BATCH_REASON: 'done', BATCH_EXIT_CODE: '1' });
    expect(await stage.read('seen.csv')).toBe(await stage.read('videos/report.csv'));
  });
});
