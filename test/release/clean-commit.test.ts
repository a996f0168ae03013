import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanCommit } from '../../src/release/clean-commit.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.invalid', '-c', 'commit.gpgsign=false'];

it('a release is made of a commit, and of a tree that has nothing else', async () => {
  await using folder = await temporaryFolder();
  const git = (...args: string[]): string =>
    execFileSync('git', [...who, ...args], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, GIT_COMMITTER_DATE: '2026-03-01T08:00:00+08:00' },
    }).trim();
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);
  git('init', '--quiet');
  await write('.gitignore', 'dist\n');
  await write('a.ts', 'one');
  git('add', '.');
  git('commit', '--quiet', '--message', 'One');
  await write('dist', 'built');
  const clean = { hash: git('rev-parse', 'HEAD'), at: '2026-03-01T00:00:00.000Z' };
  expect(cleanCommit(folder.path)).toEqual(clean);

  git('config', 'status.showUntrackedFiles', 'no');
  await write('b.ts', 'new');
  expect(() => cleanCommit(folder.path)).toThrow('commit or remove these changes first:\n?? b.ts');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Two');
  await write('a.ts', 'two');
  expect(() => cleanCommit(folder.path)).toThrow('these changes first:\n M a.ts');
});
