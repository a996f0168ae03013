/** `--inspect`: looks into the videos when a run has ended. */

import type { RunSetup } from '../../app/session.ts';
import { printNotice } from '../../cli/console.ts';
import { longWork } from '../../cli/long-work.ts';
import { BatchError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { EndingReason } from '../../money/summary.ts';
import type { EndedOutput } from '../../schemas/run-state.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { type DeepCheck, inspectRun } from './deep-check.ts';

/** Endings after which the user waits for the prompt, or the store or the disk is not as it should be. */
const hasty: ReadonlySet<EndingReason> = new Set<EndingReason>([
  'interrupted',
  'terminated',
  'new-round',
  'older-store',
  'updated',
  'not-durable',
  'disk',
  'checkpoint',
  'bug',
]);

/** Null where it was not asked for, or could not be done: it never changes how a run ended. */
export async function inspectAtEnd(setup: RunSetup, reason: EndingReason): Promise<DeepCheck | null> {
  if (!setup.options.inspect || hasty.has(reason)) return null;
  try {
    using work = longWork(message('work.videos'), setup.invocation);
    return await inspectRun(setup, work.done);
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    const { render } = phrasesOf(setup.invocation.language);
    printNotice(toTerminalText(render(message('verify.not-looked', { failure: error.message }))));
    return null;
  }
}

/** What was seen in the videos, for programs. */
export function deepJson({
  videos,
  looked,
  suspects,
  reasons,
  lacking,
}: DeepCheck): NonNullable<EndedOutput['inspected']> {
  return { videos, looked, suspects, reasons, lacking };
}
