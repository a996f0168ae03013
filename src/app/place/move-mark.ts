/** A run that has moved to another store continues only there: here it would pay for the same rows. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath } from '../../text/shell-word.ts';

/** Throws `UsageError` where the run is elsewhere or on its way; `name` is the folder or the name of the run. */
export async function refuseMoved({ archive }: Pick<Store, 'archive'>, name: string): Promise<void> {
  const mark = await archive.mark();
  if (mark === null) return;
  if (mark.state === 'moved')
    throw new UsageError(message('move.has-moved', { run: shellPath(name), place: mark.place }));
  throw new UsageError(message('move.on-its-way', { run: shellPath(name), place: mark.place }));
}
