/** This program: its version, the number of its process, and the system that it runs on. */

import { readFileSync } from 'node:fs';
import { platform, release } from 'node:os';
import { codeOf } from '../errors.ts';
import { writeForSystem } from '../text/shell-word.ts';

export function programVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

/** What the program runs on, for people. */
export function surroundings(): { readonly node: string; readonly system: string } {
  return { node: process.versions.node, system: `${platform()} ${release()} ${process.arch}` };
}

export function processId(): number {
  return process.pid;
}

/** True for the number of a process of this machine. */
export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** From now on commands are written for the shells of this machine. */
export function writeForThisSystem(): void {
  writeForSystem(platform());
}
