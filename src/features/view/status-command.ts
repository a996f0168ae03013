/** `batch status`: shows the state of the run. Reads only, even during a run. */

import { lookedAt } from '../../app/offers/offers.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { readSampleStanding } from '../../app/watch-sample.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { longLook } from '../../cli/long-work.ts';
import { message } from '../../messages/message.ts';
import { usualConfidence } from '../../money/review/watch-sample.ts';
import { decisionEntry } from '../../reports/json-lines.ts';
import type { StatusOutput } from '../../schemas/run-state.ts';
import type { NotedDecision } from '../../stores/port/decisions.ts';
import { decisionLines, groupDecisions } from '../../terminal/decision-lines.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { awayNotes } from '../reuse/other-runs.ts';
import { printTotals, totalsJson } from '../run/print-totals.ts';
import { readConfidence } from './read-confidence.ts';

/** How the state is shown. */
interface StatusOptions {
  readonly isJson: boolean;
  /** What people decided about money, in place of the totals; as JSON beside them. */
  readonly withDecisions?: boolean;
  /** Of what is said of a sample (0..1). */
  readonly confidence?: number | undefined;
}

/** Prints the state of the run in `dir`. */
export async function status(
  dir: string,
  { isJson, withDecisions = false, confidence = usualConfidence }: StatusOptions,
  flags: RawOptions = {},
): Promise<void> {
  const given = readInvocation(flags, { out: dir });
  await using opened = await lookAloud({ ...given, options: { ...given.options, json: isJson } });
  const { store, isInUse, holder } = opened;
  const { outShown: out, words, language } = opened.invocation;
  const say = phrasesOf(language);
  const decisions = withDecisions ? (await Array.fromAsync(store.decisions.all())).flat() : null;
  if (decisions !== null && !isJson) {
    printDecisions(decisions, say);
    return;
  }
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
    watched: await readSampleStanding(store, confidence),
  } as const;
  const facts = {
    running: isInUse,
    pid: holder?.pid ?? null,
    ...(decisions === null
      ? {}
      : { decisions: decisions.map((one) => ({ id: one.id, ...decisionEntry(one) })) }),
  };
  const options = withSaved(opened.invocation, await readSavedOptions(store));
  for (const note of await awayNotes({ ...opened, options })) printNotice(say.render(note));
  if (isJson) printJson({ ...(await totalsJson(totals)), ...facts } satisfies StatusOutput);
  else await printTotals(totals);
}

/** Newest last. */
function printDecisions(decisions: readonly NotedDecision[], { render }: Phrases): void {
  if (decisions.length === 0) printResult(render(message('decision.none')));
  for (const line of decisionLines(groupDecisions(decisions), render)) printResult(line);
}

async function lookAloud(invocation: Invocation): ReturnType<typeof lookIntoRun> {
  using _ = longLook(message('work.checkpoint'), invocation);
  return await lookIntoRun(invocation);
}

export const handle: Handle = async (argv) => {
  const { json, decisions } = argv;
  const how = {
    isJson: json === true,
    withDecisions: decisions === true,
    confidence: readConfidence(argv.confidence),
  };
  await status(String(argv.dir), how, givenOptions(argv, lookGroups));
  process.exitCode = 0;
};
