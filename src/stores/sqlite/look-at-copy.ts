/**
 * A look at a checkpoint that leaves its folder as it is: even a reader creates files next to a database, so a copy is read,
 * with all the checks that a run makes before it opens the checkpoint.
 */

import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointError } from '../../errors.ts';
import type { Store } from '../port/store.ts';
import { checkpointName, checkUntouched, guard } from './database.ts';
import { notedCreations } from './folder-lock.ts';

/** Makes the copy, where no process works in the folder. Throws the refusal of the system. */
export function copyCheckpoint(folder: string): Disposable & { readonly folder: string } {
  const copy = mkdtempSync(join(tmpdir(), 'batch-look-'));
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  try {
    for (const name of [checkpointName, `${checkpointName}-wal`])
      if (existsSync(join(folder, name)))
        copyFileSync(join(folder, name), join(copy, name), constants.COPYFILE_FICLONE);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder: copy, [Symbol.dispose]: remove };
}

/** Opens the copy. Throws `CheckpointError` as if it were the checkpoint of `folder`. */
export async function lookAtCopy(
  copy: string,
  folder: string,
  look: () => Promise<Store | null>,
): Promise<Store | null> {
  try {
    const path = join(copy, checkpointName);
    guard(path, () => checkUntouched(path, notedCreations(folder)));
    return await look();
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    throw new CheckpointError(error.message.replaceAll(copy, folder), error);
  }
}
