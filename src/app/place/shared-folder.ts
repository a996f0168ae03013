/** The folder with the outputs of a run that machines share: it names the run, so that nobody begins another one there. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { shellWord } from '../../text/shell-word.ts';
import { hasCheckpoint } from '../stores.ts';

/** The file with the id of the run, which every process of it looks at. */
export const markName = 'batch.run';

/** The file with what a person needs to find the run, as JSON: `RunOwner`. Nothing is decided by it. */
export const ownerName = 'batch.store';

/** A run, and its store without a password. */
export interface RunOwner {
  readonly run: string;
  readonly store: string;
}

/**
 * Throws `UsageError` where the folder (`shown` to the user) has the outputs of a run that machines share: without its store, a command
 * would make a new run there, and pay for its rows again. A run of the folder's own is not kept from its files.
 */
export function refuseSharedFolder(folder: string, shown: string): void {
  if (!existsSync(join(folder, markName)) || hasCheckpoint(folder)) return;
  const { run, store } = ownerOf(folder);
  throw new UsageError(
    message('folder.of-shared-run', {
      folder: shown,
      run,
      words: `--store ${shellWord(store)} --run ${shellWord(run)}`,
    }),
  );
}

/** Words for what nobody knows, where an earlier version made the mark, or the file cannot be read. */
function ownerOf(folder: string): RunOwner {
  const unknown = { run: 'NAME', store: 'postgres://...' };
  try {
    const { run, store }: Partial<RunOwner> = JSON.parse(readFileSync(join(folder, ownerName), 'utf8'));
    return { run: String(run ?? unknown.run), store: String(store ?? unknown.store) };
  } catch {
    return unknown;
  }
}
