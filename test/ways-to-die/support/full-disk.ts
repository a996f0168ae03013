/** Preload: while the file `FULL_DISK` names is there, the disk takes no byte of the output tree, as when it is full. */

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';

const sign = process.env.FULL_DISK ?? '';
const handle = await open(process.execPath);
const files: Record<string, unknown> = Object.getPrototypeOf(handle);
await handle.close();

for (const name of ['write', 'writeFile', 'appendFile']) {
  const real = files[name];
  if (typeof real !== 'function') throw new Error(`files have no ${name}`);
  files[name] = async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    if (!existsSync(sign)) return Reflect.apply(real, this, args);
    const error = new Error('ENOSPC: no space left on device, write');
    throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write' });
  };
}
