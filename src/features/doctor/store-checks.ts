/** The store that machines share, as a run or a worker would find it. Nothing in it is changed. */

import { placeOf } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { unsaidStore } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { postgresRuns } from '../../app/stores.ts';
import { BatchError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { type Check, check } from './check.ts';
import { checkpointCheck, type FolderChecks } from './folder-checks.ts';

/** The store, and the run that is named. */
export async function checkStore(invocation: Invocation): Promise<FolderChecks> {
  const url = invocation.shared?.url ?? unsaidStore(invocation);
  if (url === null) return { checks: [], saved: {} };
  try {
    const store = check('store', 'ok', message('store.runs', await postgresRuns(url, invocation.env)));
    const { checks, saved } = await checkRun(invocation);
    return { checks: [store, ...checks], saved };
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    return { checks: [check('store', 'failed', error.said ?? error.message)], saved: {} };
  }
}

async function checkRun(invocation: Invocation): Promise<FolderChecks> {
  if (invocation.shared === null) {
    const unsaid: Check = check('run', 'warning', message('refused.store-unsaid'));
    return { checks: [unsaid], saved: {} };
  }
  const place = await placeOf(invocation);
  await using seen = await place.look(invocation);
  if (seen === null) {
    const { said, message: text } = place.noRun(invocation);
    return { checks: [check('run', 'warning', said ?? text)], saved: {} };
  }
  const saved = await readSavedOptions(seen.store);
  return { checks: [await checkpointCheck(seen.store, 'run')], saved };
}
