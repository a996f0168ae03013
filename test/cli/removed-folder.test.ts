import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The real program in a folder that was removed after the shell had changed to it. */
async function batchThere(...args: readonly string[]) {
  await using folder = await temporaryFolder();
  const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"';
  const program = [process.execPath, resolve('src/cli.ts'), ...args];
  return await new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    execFile(
      'sh',
      ['-c', script, 'sh', join(folder.path, 'gone'), ...program],
      { env: { ...process.env, LANG: 'C', LC_ALL: 'C' } },
      (error, stdout, stderr) => done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe.skipIf(process.platform === 'win32').concurrent('in a folder that was removed', () => {
  it.each([
    [['run', 'q.csv']],
    [['check', '/q.csv', '--out', '/videos']],
    [['status']],
    [['run', '--job', 'job.json', '--verbose']],
  ])('%j says so in one line', async (args) => {
    expect(await batchThere(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'batch: the folder that you are in was removed or cannot be read; change to another one with `cd`\n',
    });
  });

  it.each([['--help'], ['--version']])('%s works', async (option) => {
    expect(await batchThere(option)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\S/),
      stderr: '',
    });
  });
});
