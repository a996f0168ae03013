/** What stands around an output folder, to be compared before and after. */

import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Every file, folder and link below `folder` but for what is in `except`: path to kind, time and content. */
export async function lookAround(folder: string, except: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    if (path === except) return;
    const stats = await lstat(path);
    const name = relative(folder, path) || '.';
    // The time of a folder changes when a name in it comes or goes, also for a moment; but the output folder is one itself.
    const time = except.startsWith(`${path}/`) ? '' : String(stats.mtimeMs);
    if (stats.isDirectory()) {
      found[name] = `folder ${time}`;
      for (const entry of await readdir(path)) await visit(join(path, entry));
    } else if (stats.isSymbolicLink()) found[name] = `link to ${await readlink(path)}`;
    else
      found[name] = `file ${time} ${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`;
  };
  await visit(folder);
  return found;
}
