/** This program: its version, and the number of its process. */

import { readFileSync } from 'node:fs';

export function programVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

export function processId(): number {
  return process.pid;
}
