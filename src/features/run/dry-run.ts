/** `--dry-run` of commands that continue a run: what they would submit, and what it may cost. Reads only, even during a run. */

import type { OpenedRun } from '../../app/begin-work.ts';
import { withKnownRows } from '../../app/naming/known-rows.ts';
import { checkOnlyIds } from '../../app/naming/only-file.ts';
import { planSample } from '../../app/offers/sample-rows.ts';
import { lookIntoRun, placeOf } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { refuseBadKeyFile, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { placeAdvice } from '../../app/place/moved-folder.ts';
import { submissionLines } from '../../cli/confirm.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { several } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { renderWarning } from '../../terminal/plain-lines.ts';
import { type EstimateText, renderEstimate } from './estimate-text.ts';
import { estimateJson } from './run-plan.ts';

/** What the command would do. */
export interface Trial {
  readonly text: EstimateText;
  /** Lines before the plan, for people. */
  readonly lines: readonly string[];
  /** The same for programs. */
  readonly facts: object;
}

/** Prints the result of `plan`. Returns the exit code. */
export async function tryOut(
  given: Invocation,
  plan: (opened: OpenedRun) => Promise<Trial>,
): Promise<number> {
  refuseBadKeyFile(given, given.options);
  await using opened = await lookIntoRun(given);
  const { store } = opened;
  const say = phrasesOf(given.language);
  const invocation = await withKnownRows(opened.invocation, store, {
    verb: null,
    say: (said) => printNotice(say.render(said)),
  });
  const options = await planSample(store, withSaved(invocation, await readSavedOptions(store)));
  await checkOnlyIds(options, store.checkpoint);
  const { text, lines, facts } = await plan({ store, options, invocation });
  const news = options.moved ? null : await (await placeOf(invocation)).news({ store, invocation });
  if (news !== null) printNotice(renderWarning(several([news, placeAdvice]), say));
  const { rows } = text.estimate;
  const estimate = estimateJson(text);
  const said = submissionLines(text, say);
  if (options.json) printJson({ ...facts, plan: { toSubmit: rows, estimate }, points: text.ledger.spent });
  else
    for (const line of [...lines, ...(said.length > 0 ? said : renderEstimate(text, say))]) printResult(line);
  return 0;
}
