/** What to type next after a command that changed which rows are sent, with the budget that this needs. */

import { endOfSession, lookedAt, readEnd } from '../../app/offers/offers.ts';
import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { RunSetup } from '../../app/session.ts';
import { printResult, resultColumns } from '../../cli/console.ts';
import { type NextStep, nextSteps, sendingSteps } from '../../terminal/next-steps.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalLine } from '../../terminal/terminal-text.ts';
import { renderSteps } from './totals.ts';

/** Prints what sends the rows that wait now. */
export async function printSending(given: Invocation): Promise<void> {
  await using opened = await lookIntoRun(given);
  const { store, isInUse, invocation } = opened;
  const say = phrasesOf(invocation.language);
  const end = await readEnd(store, await store.checkpoint.ledger(), lookedAt);
  const steps = sendingSteps({ ...end, isInUse, words: invocation.words }, say).slice(0, 1);
  for (const line of renderSteps(steps, resultColumns(), say)) printResult(toTerminalLine(line));
}

/** What to type first after a run that somebody stopped; null where nothing can be read of it. */
export async function stepAfterStop(setup: RunSetup): Promise<NextStep | null> {
  const { store, invocation } = setup;
  try {
    const ledger = await store.checkpoint.ledger();
    const end = await readEnd(store, ledger, endOfSession(setup, 'interrupted'));
    const all = nextSteps(
      { ...end, isInUse: false, words: invocation.words },
      phrasesOf(invocation.language),
    );
    return all[0] ?? null;
  } catch {
    return null;
  }
}
