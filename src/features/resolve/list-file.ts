/** The table of uncertain rows as a file, in UTF-8 with its mark: what `>` makes of it depends on the shell. */

import { basename, dirname, resolve } from 'node:path';
import { unwritable } from '../../app/files/followed-files.ts';
import { ownReports, realPath } from '../../app/files/own-files.ts';
import { systemClock } from '../../app/system-clock.ts';
import { BatchError } from '../../errors.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';

/** Throws `UsageError` where the file is not as this run (its id) wrote it: a user has filled it in, or it is another one. */
export async function writeListFile(to: string, text: string, run: string): Promise<void> {
  const [folder, name] = [realPath(dirname(resolve(to))), basename(to)];
  try {
    const tree = await openFileOutputTree(folder, systemClock.now);
    const advice = {
      en: 'give it to `batch resolve --from`, or choose another --to',
      zh: '请把它交给 `batch resolve --from`，或另选 --to',
    };
    const owned = await ownReports(folder, [name], { shown: dirname(to), advice, by: run }, tree);
    await using file = await owned.createReport(name);
    await file.write(text);
    await file.commit();
  } catch (error) {
    throw error instanceof BatchError ? error : unwritable(`--to ${to}`, error);
  }
}
