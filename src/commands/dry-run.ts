/** `--dry-run` of commands that continue a run: what they would submit, and what it may cost. Reads only, even during a run. */

import { placeAdvice, placeNews } from '../app/moved-folder.ts';
import { checkOnlyIds } from '../app/only-file.ts';
import { lookIntoRun } from '../app/open-run.ts';
import { readSavedOptions } from '../app/output-folder.ts';
import { planSample } from '../app/sample-rows.ts';
import { type Invocation, refuseBadKeyFile, withSaved } from '../app/settings.ts';
import type { OpenedRun } from '../app/start-run.ts';
import { type EstimateText, renderEstimate } from '../terminal/estimate-text.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { renderWarning } from '../terminal/plain-lines.ts';
import { submissionLines } from './confirm.ts';
import { printJson, printNotice, printResult } from './console.ts';
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
  invocation: Invocation,
  plan: (opened: OpenedRun & { readonly invocation: Invocation }) => Promise<Trial>,
): Promise<number> {
  refuseBadKeyFile(invocation, invocation.options);
  await using opened = await lookIntoRun(invocation);
  const { store } = opened;
  const { language } = opened.invocation;
  const say = phrasesOf(language);
  const options = await planSample(store, withSaved(invocation, await readSavedOptions(store)));
  await checkOnlyIds(options, store.checkpoint);
  const { text, lines, facts } = await plan({ store, options, invocation: opened.invocation });
  const news = options.moved ? null : await placeNews(store, opened.invocation);
  if (news !== null) printNotice(renderWarning(`${news}; ${placeAdvice}`, say));
  const { rows } = text.estimate;
  const estimate = estimateJson(text);
  const said = submissionLines(text, say);
  if (options.json) printJson({ ...facts, plan: { toSubmit: rows, estimate }, points: text.ledger.spent });
  else
    for (const line of [...lines, ...(said.length > 0 ? said : renderEstimate(text, say))]) printResult(line);
  return 0;
}
