/** `batch status`: where the run stands. Reads only, also while a run goes on. */

import { isFolderHeld } from '../adapters/sqlite/folder-lock.ts';
import { lookIntoFolder } from '../app/output-folder.ts';
import { readInvocation } from '../app/settings.ts';
import type { Handle } from './command.ts';
import { printJson } from './console.ts';
import { printTotals, totalsJson } from './print-totals.ts';

/** Prints the standing of the run in `dir`. */
export async function status(dir: string, isJson: boolean): Promise<void> {
  const { out, outShown } = readInvocation({}, { out: dir });
  using folder = lookIntoFolder(out);
  const { checkpoint } = folder;
  const isHeld = isFolderHeld(out);
  const ledger = await checkpoint.ledger();
  const totals = { checkpoint, ledger, reason: 'done', detail: null, out: outShown, isHeld } as const;
  if (isJson) printJson({ ...(await totalsJson(totals)), running: isHeld });
  else await printTotals(totals);
}

export const handle: Handle = async (argv) => {
  await status(String(argv.dir), argv.json === true);
  process.exitCode = 0;
};
