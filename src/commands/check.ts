/** `batch check FILE`: reads and validates the whole file and says the plan. Reads only; no network. */

import { openScratchDatabase } from '../adapters/sqlite/database.ts';
import { createSqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { renderPlan } from '../terminal/plan-text.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import type { Command } from './command.ts';
import { printJson, printNotice, printResult } from './console.ts';
import { givenOptions, inputFlags, speechFlags } from './flags.ts';
import { openToLook } from './folder.ts';
import { type Given, readGiven } from './settings.ts';
import { shownName } from './standard-input.ts';
import { stageFile } from './take-up.ts';

/** Says every problem and the plan. Returns 0, 1 when rows cannot be sent, 2 when the
 * folder holds another run. Throws when the file cannot be read as a whole. */
export async function check(file: string, given: Given): Promise<number> {
  const { options } = given;
  const db = openToLook(given.out) ?? openScratchDatabase();
  try {
    const staged = await stageFile(db, file, given);
    using ingest = staged.ingest;
    const { plan, found } = staged;
    const name = shownName(file);
    for (const { line, failure } of ingest.unsendable())
      printNotice(toTerminalText(`${name}:${line}: ${failure}`));
    const isForeign = plan.isForeign && !staged.add;
    if (isForeign) {
      printNotice(
        `${given.outShown} holds another run: none of its rows is in ${name}; \`run\` needs another --out, or --add`,
      );
    }
    const ledger = await createSqliteCheckpoint(db).ledger();
    if (options.json) printJson({ file: name, ...found, plan, points: ledger.spent });
    else {
      const rerunsChanged = options['rerun-changed'] ?? false;
      for (const line of renderPlan({
        file: name,
        found,
        plan,
        ledger,
        rerunsChanged,
        limit: options.limit ?? null,
      }))
        printResult(line);
    }
    if (isForeign) return 2;
    return plan.invalid > 0 ? 1 : 0;
  } finally {
    db.close();
  }
}

export const command: Command = {
  build: (yargs) =>
    yargs
      .positional('file', { type: 'string', describe: 'CSV or JSONL file, or - for standard input' })
      .option('out', { type: 'string', alias: 'o', describe: 'output folder and checkpoint (./videos)' })
      .options({ ...inputFlags, ...speechFlags }),
  handle: async (argv) => {
    const given = readGiven({ ...givenOptions(argv, inputFlags, speechFlags), out: argv.out }, {});
    process.exitCode = await check(String(argv.file), given);
  },
};
