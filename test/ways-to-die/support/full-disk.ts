/** Preload: while the file `FULL_DISK` names is there, the disk takes no byte of the output tree, as when it is full. */

import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const sign = process.env.FULL_DISK ?? '';

type Write = (file: number, ...rest: unknown[]) => unknown;
const files = fs as unknown as Record<'write' | 'writev' | 'writeSync', Write>;
for (const name of ['write', 'writev', 'writeSync'] as const) {
  const real = files[name];
  files[name] = (file, ...rest) => {
    if (!existsSync(sign)) return real(file, ...rest);
    const words = 'ENOSPC: no space left on device, write';
    const error = Object.assign(new Error(words), { code: 'ENOSPC', errno: -28, syscall: 'write' });
    if (name === 'writeSync') throw error;
    return setImmediate(rest.at(-1) as (error: Error) => void, error);
  };
}
syncBuiltinESMExports();
