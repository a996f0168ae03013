/** `batch status`: shows the state of the run. Reads only, even during a run. */

import { lookIntoFolder } from '../app/output-folder.ts';
import { readInvocation } from '../app/settings.ts';
import { storeIn } from '../app/stores.ts';
import type { Handle } from './command.ts';
import { printJson } from './console.ts';
import { printTotals, totalsJson } from './print-totals.ts';

/** Prints the state of the run in `dir`. */
export async function status(dir: string, isJson: boolean): Promise<void> {
  const { out, outShown } = readInvocation({}, { out: dir });
  await using store = await lookIntoFolder(out);
  const isHeld = await storeIn(out).isHeld();
  const ledger = await store.checkpoint.ledger();
  const totals = { store, ledger, reason: 'done', detail: null, out: outShown, isHeld } as const;
  if (isJson) printJson({ ...(await totalsJson(totals)), running: isHeld });
  else await printTotals(totals);
}

export const handle: Handle = async (argv) => {
  await status(String(argv.dir), argv.json === true);
  process.exitCode = 0;
};
