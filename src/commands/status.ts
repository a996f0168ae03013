/** `batch status`: where the run stands. Reads only, also while a run goes on. */

import { renderStatusJson } from '../report/status-json.ts';
import type { Command } from './command.ts';
import { printJson } from './console.ts';
import { lookIntoFolder } from './folder.ts';
import { printTotals } from './print-totals.ts';
import { readGiven } from './settings.ts';

/** Prints the standing of the run in `dir`. */
export async function status(dir: string, isJson: boolean): Promise<void> {
  const { out, outShown } = readGiven({}, { out: dir });
  using folder = lookIntoFolder(out);
  const ledger = await folder.checkpoint.ledger();
  if (isJson) {
    printJson(renderStatusJson(ledger, outShown));
    return;
  }
  await printTotals(folder.checkpoint, { ledger, reason: 'done', detail: null, out: outShown });
}

export const command: Command = {
  build: (yargs) =>
    yargs
      .positional('dir', { type: 'string', default: './videos', describe: 'output folder of the run' })
      .option('json', { type: 'boolean', describe: 'one JSON object' }),
  handle: async (argv) => {
    await status(String(argv.dir), argv.json === true);
    process.exitCode = 0;
  },
};
