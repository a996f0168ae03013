/** The calls of `--on-row` that are left, for people. */

import { renderNumber } from '../../messages/numbers.ts';
import type { HookCall, HookCounts } from '../../stores/port/hooks.ts';
import type { RunWords } from '../../text/run-words.ts';

/** `calls` may be the first of many. */
export function hookLines(calls: readonly HookCall[], counts: HookCounts, words: RunWords): string[] {
  const left = counts.owed + counts.failed;
  const more = left > calls.length ? [`... and ${renderNumber(left - calls.length)} more`] : [];
  return [
    ...calls.map(renderCall),
    ...more,
    `Calls of --on-row: ${renderNumber(counts.done)} made, ${renderNumber(counts.failed)} failed, ${renderNumber(counts.owed)} to make`,
    ...(left > 0 ? [`Next: batch hooks retry ${words.run} --on-row CMD`] : []),
  ];
}

function renderCall({ id, attempt, state, tries, failure }: HookCall): string {
  const end =
    state === 'owed' ? 'to make' : `failed after ${tries} ${tries === 1 ? 'call' : 'calls'}: ${failure}`;
  return `${id}, attempt ${attempt}: ${end}`;
}
