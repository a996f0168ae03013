/**
 * Which process has locked the folder of a run, in a file next to the lock. Only the lock says that one has: the file of a
 * process that was killed stays until the next holder replaces it, and means nothing meanwhile.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Holder } from '../port/store.ts';

/** The program that opens a run, and its machine. */
export interface Self {
  readonly pid: number;
  /** Epoch ms. */
  now(): number;
  /** True for the number of a process of this machine. */
  isRunning(pid: number): boolean;
}

/** Three lines: the number of the process, its machine, and the name of its session. */
export const holderName = 'batch.pid';

/**
 * Notes that this process has the lock of the folder. Disposal removes the note, before the lock is released,
 * because the next note is another process's.
 */
export function noteHolder(folder: string, pid: number): Disposable {
  const path = join(folder, holderName);
  const remove = (): void => rmSync(path, { force: true });
  attempt(() => {
    remove();
    writeFileSync(path, [pid, hostname(), randomUUID(), ''].join('\n'), { flag: 'wx' });
  });
  return { [Symbol.dispose]: () => attempt(remove) };
}

/** Who noted that last; null where nobody did. */
export function readHolder(folder: string): Holder | null {
  try {
    const path = join(folder, holderName);
    const [number, host = null, session] = readFileSync(path, 'utf8').split('\n');
    if (!session) return null;
    const since = Math.floor(statSync(path).mtimeMs);
    return { pid: Number(number), host: host === hostname() ? null : host, session, since };
  } catch {
    return null;
  }
}

/** A disk that refuses the note also refuses the checkpoint's own writes, and those report the error. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {}
}
