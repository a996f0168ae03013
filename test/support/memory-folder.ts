/**
 * Where `npm test` has its temporary files: in memory where there is room, because a disk that waits for each commit takes
 * most of the time. No test cuts the power, so none sees the difference; the proof works on the disk.
 */

import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../src/errors.ts';

const memory = '/dev/shm';
const prefix = 'batch-test-files-';

/** Containers often have 64 MB there. */
const leastBytes = 2 ** 30;

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= leastBytes;
}

/** A folder in memory; null where there is none with room. */
export const memoryRoot = hasRoom() ? memory : null;

const folder = memoryRoot === null ? null : join(memoryRoot, `${prefix}${process.pid}`);

/** For `TMPDIR` of the tests. */
export const temporaryFiles = folder ?? tmpdir();

/** For the test runner: before the first test. Returns what it does after the last one. */
export function setup(): () => void {
  if (folder === null) return () => {};
  removeLeftovers();
  mkdirSync(folder, { recursive: true });
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** A test run that was killed leaves its files in memory. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix)))
    try {
      process.kill(Number(name.slice(prefix.length)), 0);
    } catch (error) {
      if (codeOf(error) === 'ESRCH') rmSync(join(memory, name), { recursive: true, force: true });
    }
}
