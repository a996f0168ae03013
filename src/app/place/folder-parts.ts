/** What a run session in an output folder works with, besides its store and its service. */

import { join } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { syncFolderNow } from '../../outputs/directory-sync.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';
import { networkDisk } from '../../outputs/network-disk.ts';
import { syncProgram } from '../../outputs/sync-program.ts';
import { openIdJournal } from '../../stores/id-journal.ts';
import type { Redact } from '../../text/redact.ts';
import { keepBugsIn } from '../bug-record.ts';
import { imagesOf } from '../pictures/run-images.ts';
import { openPinoLog } from '../pino-log.ts';
import { alone, type RunParts, type RunSetup } from '../session.ts';
import { systemClock } from '../system-clock.ts';

/** Opens the parts. Throws `DiskError`. */
export async function openFolderParts(
  { invocation, submits, store }: RunSetup,
  redact: Redact,
): Promise<RunParts> {
  const { out, outShown } = invocation;
  keepBugsIn(out, systemClock.now, redact);
  const log = openPinoLog(join(out, 'batch.log'), redact, invocation.options['log-max']);
  const tree = await openFileOutputTree(out, systemClock.now);
  const journal = submits ? openIdJournal(out, syncFolderNow) : null;
  return {
    clock: systemClock,
    tree,
    images: imagesOf(out),
    journal,
    log,
    warnings: submits ? [...networkDiskWarnings(out, outShown), ...syncWarnings(out, outShown)] : [],
    shared: null,
    crew: alone,
    checkPlace() {
      tree.check();
      store.checkPlace();
    },
    async [Symbol.asyncDispose]() {
      journal?.[Symbol.dispose]();
      log[Symbol.dispose]();
    },
  };
}

/** On a network disk other machines may not see the lock that prevents a second run. */
function networkDiskWarnings(out: string, outShown: string): readonly Message[] {
  const kind = networkDisk(out);
  if (kind === null) return [];
  return [message('folder.network', { folder: outShown, system: kind })];
}

/** A run whose checkpoint is replaced while it goes can only stop. */
function syncWarnings(out: string, outShown: string): readonly Message[] {
  const program = syncProgram(out);
  if (program === null) return [];
  return [message('folder.synced', { folder: outShown, program })];
}
