/** `batch status`: shows the state of the run. Reads only, even during a run. */

import { lookedAt } from '../../app/offers/offers.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { longLook } from '../../cli/long-work.ts';
import { message } from '../../messages/message.ts';
import type { StatusOutput } from '../../schemas/run-state.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { printTotals, totalsJson } from '../run/print-totals.ts';

/** Prints the state of the run in `dir`. */
export async function status(dir: string, isJson: boolean, flags: RawOptions = {}): Promise<void> {
  const given = readInvocation(flags, { out: dir });
  await using opened = await lookAloud({ ...given, options: { ...given.options, json: isJson } });
  const { store, isInUse, holder } = opened;
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
    isInUse,
    holder,
    isLook: true,
  } as const;
  const facts = { running: isInUse, pid: holder?.pid ?? null };
  if (isJson) printJson({ ...(await totalsJson(totals)), ...facts } satisfies StatusOutput);
  else await printTotals(totals);
}

async function lookAloud(invocation: Invocation): ReturnType<typeof lookIntoRun> {
  using _ = longLook(message('work.checkpoint'), invocation);
  return await lookIntoRun(invocation);
}

export const handle: Handle = async (argv) => {
  await status(String(argv.dir), argv.json === true, givenOptions(argv, lookGroups));
  process.exitCode = 0;
};
