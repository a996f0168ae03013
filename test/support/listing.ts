/** What is on the disk below a folder, to prove that nothing was changed. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file and folder below, with its size and the time of its last change. */
export async function listing(folder: string): Promise<readonly string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const lines = names.sort().map(async (name) => {
    const { size, mtimeNs } = await stat(join(folder, name), { bigint: true });
    return `${name} ${size} ${mtimeNs}`;
  });
  return Promise.all(lines);
}
