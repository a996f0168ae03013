/** Paths among the options that are saved with a run: a later command may start in another folder. */

import { isAbsolute, resolve } from 'node:path';
import type { Invocation } from './invocation.ts';
import type { RawOptions } from './options.ts';
import { isKept } from './text-file.ts';

/** Those that were given now, absolute. */
export function savedPaths(
  { options, raw }: Pick<Invocation, 'options' | 'raw'>,
  saved: RawOptions,
): RawOptions {
  const { reuse, 'api-key-file': keyFile } = options;
  // No pipe is there any more when the run goes on.
  const key =
    keyFile === undefined
      ? {}
      : { 'api-key-file': isKept(keyFile) ? resolve(keyFile) : saved['api-key-file'] };
  if (reuse === undefined || raw.reuse === undefined) return key;
  return { ...key, reuse: reuse.length === 0 ? 'none' : reuse.map((folder) => resolve(folder)) };
}

/** True for a relative path that leads to no folder above, nor to another disk. */
export function isBelow(way: string): boolean {
  return !way.startsWith('..') && !isAbsolute(way);
}
