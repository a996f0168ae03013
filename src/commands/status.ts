/** `batch status`: where the run stands. Reads only, also while a run goes on. */

import { renderStatusJson } from '../report/status-json.ts';
import { renderTotals } from '../terminal/totals.ts';
import type { Command } from './command.ts';
import { printResult } from './console.ts';
import { lookIntoFolder } from './folder.ts';
import { readGiven } from './settings.ts';

/** Prints the standing of the run in `dir`. */
export async function status(dir: string, isJson: boolean): Promise<void> {
  const { out, outShown } = readGiven({}, { out: dir });
  using folder = lookIntoFolder(out);
  const ledger = await folder.checkpoint.ledger();
  if (isJson) {
    printResult(JSON.stringify(renderStatusJson(ledger, outShown)));
    return;
  }
  let uncertainId: string | null = null;
  for await (const item of folder.checkpoint.items(['uncertain'])) {
    uncertainId = item.id;
    break;
  }
  for (const line of renderTotals({ ledger, reason: 'done', detail: null, out: outShown, uncertainId }))
    printResult(line);
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
