/** `batch check FILE`: validates the whole file and shows the plan. Reads only; no network. */

import { refuseForeignFiles, refuseOutputAsInput } from '../app/foreign-files.ts';
import { stageFile } from '../app/import-file.ts';
import { openRunToLook } from '../app/open-run.ts';
import { readSavedOptions } from '../app/output-folder.ts';
import { type Invocation, readInvocation, withSaved } from '../app/settings.ts';
import { shownName } from '../app/standard-input.ts';
import { openScratch } from '../app/stores.ts';
import { renderPlan } from '../terminal/plan-text.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import type { Handle } from './command.ts';
import { printJson, printNotice, printResult } from './console.ts';
import { checkGroups, givenOptions } from './flags.ts';
import { planJson, planTextOf } from './run-plan.ts';

/**
 * Prints every problem and the plan. Returns 0, 1 when rows cannot be sent, 2 when the folder holds another run. Throws when
 * the file cannot be read completely.
 */
export async function check(file: string, invocation: Invocation): Promise<number> {
  if (invocation.shared === null) await refuseOutputAsInput(file, invocation);
  await using opened = await openRunToLook(invocation);
  const known = opened?.store ?? null;
  await using store = known ?? openScratch();
  const options = withSaved(invocation, await readSavedOptions(store));
  const staged = await stageFile(store, file, invocation, options);
  await using ingest = staged.ingest;
  if (known === null && invocation.shared === null) await refuseForeignFiles(invocation, options, ingest);
  const { plan, found } = staged;
  const name = shownName(file);
  for await (const { line, failure } of ingest.unsendable()) {
    const { message } = staged.placed({ line, message: failure });
    printNotice(toTerminalText(`${name}:${line}: ${message}`));
  }
  const isForeign = plan.isForeign && !staged.add;
  if (isForeign) {
    printNotice(
      `batch: ${invocation.outShown} holds another run: none of its rows is in ${name}; \`run\` needs another --out, or --add`,
    );
  }
  const ledger = await store.checkpoint.ledger();
  const text = await planTextOf({
    input: file,
    invocation,
    staged,
    ledger,
    store,
    options,
  });
  if (invocation.options.json)
    printJson({ file: name, ...found, plan: planJson(text), points: ledger.spent });
  else for (const line of renderPlan(text)) printResult(line);
  if (isForeign) return 2;
  return plan.invalid > 0 ? 1 : 0;
}

export const handle: Handle = async (argv) => {
  process.exitCode = await check(String(argv.file), readInvocation(givenOptions(argv, checkGroups), {}));
};
