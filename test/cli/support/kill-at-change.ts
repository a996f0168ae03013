/** Preload: the program is killed just before its Nth change of a name or file on the disk (`KILL_AT`), counted from 1. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let left = Number(process.env.KILL_AT);

function count(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

type Work = (this: unknown, ...args: unknown[]) => unknown;

function counted(owner: object, name: string): void {
  const works = owner as Record<string, Work>;
  const work = works[name] as Work;
  works[name] = function (...args) {
    count();
    return work.apply(this, args);
  };
}

for (const name of ['linkSync', 'unlinkSync', 'rename', 'mkdirSync', 'rmdirSync', 'write'] as const)
  counted(fs, name);
for (const name of ['rm', 'utimes', 'mkdir'] as const) counted(fs.promises, name);
syncBuiltinESMExports();
