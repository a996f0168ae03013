import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from './support/program.ts';
import { apiKey, completed, failed } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

describe.concurrent('an odd line', () => {
  it('words after `--` are the words of the command, and no other folder is taken instead', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const { code, stderr } = await stage.batch(['status', '--', '-elsewhere']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no run in') });
    expect(stderr).toContain('-elsewhere');
    expect((await stage.batch(['--', 'status', '--json'])).code).toBe(2);
    const stdin = questions('b');
    expect((await stage.batch(['check', '--out', 'new', '--', '-'], { stdin })).stdout).toContain('1 row');
  });

  it('a lone dash is a folder where no file is read', async () => {
    await using stage = await openStage();
    for (const command of ['status', 'resume', 'verify'])
      expect(await stage.batch([command, '-'])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^batch: there is no run in \S+\/-; [^\0]*\n$/),
      });
  });

  it('an option of the parser itself is not known', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const ending = await stage.batch([...runLine('q.csv'), '--get-yargs-completions']);
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toMatch(/^batch: "get-yargs-completions" is not known here.*\n$/);
  });

  it.each([
    [['m.csv'], /^batch: "m\.csv" is a file; use `batch run m\.csv`\n$/],
    [['run', 'a.csv', 'b.xlsx'], /^batch: "b\.xlsx" is a second file, and run takes one; .*--add.*\n$/],
    [
      ['run', 'a.csv', '--api-key', 'sk-secret'],
      /^batch: --api-key is not an option.*BATCH_API_KEY, or give --api-key-file FILE\n$/,
    ],
    [['resume', '--api-key=sk-secret'], /^batch: --api-key is not an option(?!.*sk-secret).*\n$/],
    [['run', 'q.csv', '--dry-run', '--api-key-file', 'empty'], /^batch: the key file empty is empty; .*\n$/],
  ])('%j says what to type instead', async (line, message) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('empty', '\n');
    const ending = await stage.batch(line);
    expect(ending).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('an address that will not do is told in one line, and nothing before it', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const env = { BATCH_BASE_URL: 'foo' };
    for (const line of [
      ['check', 'q.csv'],
      ['run', 'q.csv', '--simulate'],
    ])
      expect((await stage.batch(line, { env })).stderr).toMatch(/^batch: BATCH_BASE_URL.*\n$/);
  });
});

/** `batch ARGS` whose messages go to a full disk. Standard output goes there too where that is asked for. */
async function onFullDisk(
  stage: Stage,
  args: readonly string[],
  isResultLost = false,
): Promise<number | null> {
  const full = openSync('/dev/full', 'w');
  try {
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: stage.folder,
      env: { ...cleanEnvironment(), BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey },
      stdio: ['ignore', isResultLost ? full : 'ignore', full],
    });
    const [code] = await once(child, 'close');
    return code;
  } finally {
    closeSync(full);
  }
}

describe.skipIf(!existsSync('/dev/full'))('messages that go to a full disk (needs /dev/full)', () => {
  it('do not end a run: its videos come, and its exit code is true', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question b' ? failed(task, 'no') : completed(task)),
    });
    await stage.write('q.csv', questions('a', 'b'));
    expect(await onFullDisk(stage, runLine('q.csv'))).toBe(1);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'failed' });
  });

  it('a result that could not be written is no good end', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expect(await onFullDisk(stage, runLine('q.csv'), true)).toBe(4);
    expect(await stage.statuses()).toEqual({ a: 'completed' });
  });
});
