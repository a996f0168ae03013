/** Which commit a folder holds, and that it holds nothing else. */

import { execFileSync } from 'node:child_process';

export interface Commit {
  readonly hash: string;
  /** When it was made, in UTC. */
  readonly at: string;
}

/** Refuses a folder with changes that are in no commit: nobody could make that release again. */
export function cleanCommit(folder: string): Commit {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const changed = git('status', '--porcelain', '--untracked-files=all').trimEnd();
  if (changed !== '') throw new Error(`commit or remove these changes first:\n${changed}`);
  const [hash = '', at = ''] = git('show', '--no-patch', '--format=%H %cI', 'HEAD').trim().split(' ');
  return { hash, at: new Date(at).toISOString() };
}
