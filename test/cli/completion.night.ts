import { execFile, execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './support/stage.ts';

const run = promisify(execFile);

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A folder with the script of a shell, two files and a folder. */
async function openFolder(shell: string): Promise<Stage> {
  const stage = await openStage();
  await stage.write('script', (await stage.batch(['completion', shell])).stdout);
  await stage.write('my questions.csv', '');
  await stage.write('key.txt', '');
  await mkdir(join(stage.folder, 'videos'));
  return stage;
}

const askBash = `source ./script
complete -p batch >/dev/null || exit 3
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_batch
printf '%s\\n' "\${COMPREPLY[@]}"`;

describe.skipIf(!isInstalled('bash'))('the script for bash (needs bash)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openFolder('bash');
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it.for([
    { typed: ['r'], offers: ['report', 'resolve', 'resume', 'retry', 'run'] },
    { typed: ['help', 'sta'], offers: ['status'] },
    { typed: ['run', '--qu'], offers: ['--quality', '--quiet'] },
    { typed: ['run', 'my questions.csv', '--dr'], offers: ['--dry-run'] },
    { typed: ['run', '--quality', ''], offers: ['h', 'l', 'm'] },
    { typed: ['run', '--frames', 'la'], offers: ['last'] },
    { typed: ['simulate', '--fault', 'reset-a'], offers: ['reset-after='] },
    { typed: ['run', '--format', '=', 'c'], offers: ['csv'] },
    { typed: ['run', ''], offers: ['key.txt', 'my questions.csv', 'script', 'videos'] },
    { typed: ['run', 'my'], offers: ['my questions.csv'] },
    { typed: ['run', '-o', ''], offers: ['videos'] },
    { typed: ['run', '--api-key-file', 'k'], offers: ['key.txt'] },
    { typed: ['resume', ''], offers: ['videos'] },
    { typed: ['run', '--limit', ''], offers: [''] },
    { typed: ['simulate', ''], offers: [''] },
    { typed: ['completion', ''], offers: ['bash', 'fish', 'zsh'] },
  ])('offers after `batch $typed`: $offers', async ({ typed, offers }) => {
    const words = ['-c', askBash, 'bash', 'batch', ...typed];
    const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', ...words], { cwd: stage.folder });
    expect({ stderr, offered: stdout.replace(/\n$/, '').split('\n').sort() }).toEqual({
      stderr: '',
      offered: offers,
    });
  });
});

describe.concurrent('the script for', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    it.skipIf(!isInstalled(shell))(`${shell} is one that the shell can read (needs ${shell})`, async () => {
      await using stage = await openFolder(shell);
      expect(await run(shell, ['-n', 'script'], { cwd: stage.folder })).toEqual({ stdout: '', stderr: '' });
    });
  }
});
