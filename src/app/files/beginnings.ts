/**
 * Which processes are about to open a run: each leaves a mark in the user's own folder for state before its code is loaded, and
 * takes it away once it has the lock. So an order to stop that comes between finds them; a folder that may not be there yet
 * could hold no mark.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, hostname, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { processEnvironment } from '../options/environment.ts';
import { isRunning, processId } from '../program.ts';
import { systemClock } from '../system-clock.ts';

/** A beginning takes seconds; an older mark is of a process that was killed, whose number another one has by now (ms). */
const longestMs = 60_000;

/** Of this process; null where it has none. */
let mark: string | null = null;

/** Marks that this process is about to open the run in this folder, until `noteBegun`. */
export function noteBeginning(folder: string): void {
  attempt(() => {
    mkdirSync(marksFolder(), { recursive: true, mode: 0o700 });
    const path = join(marksFolder(), `${hostname()}.${processId()}`);
    writeFileSync(path, resolve(folder), { mode: 0o600 });
    mark = path;
  });
}

/** Takes the mark away: the lock of the folder says the rest. */
export function noteBegun(): void {
  if (mark !== null) attempt(() => rmSync(mark as string, { force: true }));
}

/** The number of a process that is about to open the run in this folder (absolute path); null for none. */
export function beginningIn(folder: string): number | null {
  const found = attempt(() => readdirSync(marksFolder())) ?? [];
  const pids = found
    .filter((name) => name.startsWith(`${hostname()}.`))
    .map((name) => Number(name.slice(hostname().length + 1)));
  return pids.find((pid) => isBeginning(pid, folder)) ?? null;
}

function isBeginning(pid: number, folder: string): boolean {
  const path = join(marksFolder(), `${hostname()}.${pid}`);
  return (
    attempt(() => {
      const isOld = systemClock.now() - statSync(path).mtimeMs > longestMs;
      if (!isOld && isRunning(pid)) return readFileSync(path, 'utf8') === folder;
      rmSync(path, { force: true });
      return false;
    }) ?? false
  );
}

function marksFolder(): string {
  return join(stateFolder(), 'beginning');
}

/** What the program keeps for its user on this machine. By the environment of the process: a `.env` may come from somebody else. */
export function stateFolder(): string {
  const env = processEnvironment();
  const folder =
    platform() === 'win32'
      ? (env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'))
      : (env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'));
  return join(folder, 'batch-video');
}

/** Without the mark, an order to stop that comes this early finds nothing; no more is lost. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
