/** What is on the disk below a folder, to prove that nothing was changed. */

import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file and folder below; files with their size and the time of their last change. */
export async function listing(folder: string): Promise<readonly string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const lines = names.sort().map(async (name) => {
    const found = await stat(join(folder, name), { bigint: true });
    return found.isDirectory() ? name : `${name} ${found.size} ${found.mtimeNs}`;
  });
  return Promise.all(lines);
}
