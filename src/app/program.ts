/** This program: its version, the number of its process, and the system that it runs on. */

import { readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { writeForSystem } from '../text/shell-word.ts';

export function programVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

export function processId(): number {
  return process.pid;
}

/** From now on commands are written for the shells of this machine. */
export function writeForThisSystem(): void {
  writeForSystem(platform());
}
