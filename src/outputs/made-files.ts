/**
 * Files that the program writes where a user said, outside the folder of a run: they are listed next to them in
 * `.batch-files` with their digests. A file that is not as it is listed there is somebody's work.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { syncFolderNow } from './directory-sync.ts';
import { openAnew, replaceFile, unlinkIfThere } from './guarded-disk.ts';

/** The list of one folder. */
const listName = '.batch-files';

/** A file as it was written. */
export interface MadeFile {
  readonly name: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** The id of the run that wrote it. */
  readonly by: string;
}

/** Replaces the list (absolute path): another process sees the old one or the new one, also after a power cut. */
async function replaceWhole(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.batch.${randomUUID()}.tmp`);
  try {
    {
      using file = openAnew(temporary);
      await file.write(Buffer.from(text), null);
      await file.sync();
    }
    await replaceFile(temporary, path);
  } catch (error) {
    unlinkIfThere(temporary);
    throw error;
  }
  syncFolderNow(folder);
}

/** The files that are listed in a folder. A line that cannot be read makes a file nobody's, which keeps it safe. */
export function readMadeFiles(folder: string): readonly MadeFile[] {
  let text: string;
  try {
    text = readFileSync(join(folder, listName), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      const { name, sha256, by } = JSON.parse(line);
      const isEntry = [name, sha256, by].every((each) => typeof each === 'string');
      return isEntry ? [{ name, sha256, by }] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Lists the file that is about to be written at this path (absolute). `present` is the digest of the one that is there
 * now, null for none: it stays listed, because a kill may come before the new one.
 */
export async function listMadeFile(
  path: string,
  { sha256, by }: Pick<MadeFile, 'sha256' | 'by'>,
  present: string | null,
): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const others = readMadeFiles(folder).filter((file) => file.name !== name || file.sha256 === present);
  const lines = [...others, { name, sha256, by }].map((file) => `${JSON.stringify(file)}\n`);
  await replaceWhole(join(folder, listName), lines.join(''));
}
