import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The real program where the shell allows it so many open files. */
async function batchWith(files: number, ...args: readonly string[]) {
  const program = [process.execPath, resolve('src/cli.ts'), ...args];
  return await new Promise<{ code: unknown; stderr: string }>((done) => {
    execFile(
      'sh',
      ['-c', `ulimit -n ${files} && exec "$@"`, 'sh', ...program],
      { env: { ...process.env, LANG: 'C', LC_ALL: 'C' } },
      (error, _, stderr) => done({ code: error?.code ?? 0, stderr }),
    );
  });
}

describe.skipIf(process.platform === 'win32')('a command that may open too few files', () => {
  it('says that, and blames neither the disk nor itself', async () => {
    await using folder = await temporaryFolder();
    const { path } = folder;
    await writeFile(join(path, 'q.csv'), 'question\nHow much is 1 + 1?\n');
    const ends: unknown[] = [];
    // Below, Node.js itself does not start; each of these lacks a file somewhere else.
    for (let files = 22; files < 40; files += 1) {
      const { code, stderr } = await batchWith(
        files,
        ...['run', join(path, 'q.csv'), '--out', join(path, String(files)), '--simulate', '--yes'],
      );
      expect(stderr, `${files} files`).not.toMatch(/bug in batch|repair the disk/);
      expect(stderr, `${files} files`).toMatch(/^batch: too many files are open/m);
      ends.push(code);
    }
    expect(new Set(ends)).toEqual(new Set([4]));
  });
});
