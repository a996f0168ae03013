/** `batch status`: shows the state of the run. Reads only, even during a run. */

import { lookIntoRun } from '../../app/open-run.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson } from '../../cli/console.ts';
import { givenOptions, lookGroups } from '../../cli/flags.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { lookedAt } from '../run/offers.ts';
import { printTotals, totalsJson } from '../run/print-totals.ts';

/** Prints the state of the run in `dir`. */
export async function status(dir: string, isJson: boolean, flags: RawOptions = {}): Promise<void> {
  await using opened = await lookIntoRun(readInvocation(flags, { out: dir }));
  const { store, isHeld, holder } = opened;
  const { outShown: out, words, language } = opened.invocation;
  const say = phrasesOf(language);
  const ledger = await store.checkpoint.ledger();
  const totals = {
    store,
    ledger,
    end: lookedAt,
    detail: null,
    out,
    words,
    say,
    isHeld,
    holder,
    isLook: true,
  } as const;
  if (isJson) printJson({ ...(await totalsJson(totals)), running: isHeld, pid: holder?.pid ?? null });
  else await printTotals(totals);
}

export const handle: Handle = async (argv) => {
  await status(String(argv.dir), argv.json === true, givenOptions(argv, lookGroups));
  process.exitCode = 0;
};
