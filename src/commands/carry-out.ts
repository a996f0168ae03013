/** Carries a run out before a person: what it says while it goes, the signals that end it, and the words at the end. */

import { decideExitCode, type Ledger } from '../core/summary.ts';
import type { Options } from '../job-file.ts';
import { renderStatusJson } from '../report/status-json.ts';
import type { RunEnding } from '../runner/runner.ts';
import { nextCommand } from '../terminal/next-steps.ts';
import { createPlainLines } from '../terminal/plain-lines.ts';
import { shellPath } from '../terminal/shell-word.ts';
import { printJson, printNotice, printPainted, wantsColor } from './console.ts';
import { printTotals } from './print-totals.ts';
import { type Errand, type Follower, type Stop, turn } from './turn.ts';

/** Carries the run out and returns its exit code. */
export async function carryOut(errand: Errand): Promise<number> {
  const { options, given } = errand;
  const hook = (stop: Stop): (() => void) => stopOnSignals(stop, given.outShown);
  return finish(errand, await turn({ errand, follower: followerFor(options), hook }));
}

/** How the run is shown while it goes. */
function followerFor(options: Options): Follower {
  const lines = createPlainLines({ write: printPainted, isColor: wantsColor(options['no-color']) });
  return {
    ...lines,
    ...(options.quiet ? { note: () => {}, started: () => {} } : {}),
    ...(options.verbose ? { logged: printNotice } : {}),
  };
}

/** The first signal ends the run in good order, the second at once. A terminal that is closed is such a signal. */
function stopOnSignals(stop: Stop, out: string): () => void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
  let isSecond = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    const name = signal as keyof typeof codes;
    if (isSecond) {
      printNotice('Left at once; what was done is saved, a creation without its answer becomes uncertain');
      printNotice(`Next: batch resume ${shellPath(out)}`);
      process.exit(codes[name]);
    }
    isSecond = true;
    printNotice(
      'Stopping: nothing more is submitted; waiting for creations on their way. Once more leaves at once.',
    );
    stop(name === 'SIGINT' ? 'interrupted' : 'terminated');
  };
  const names = Object.keys(codes) as (keyof typeof codes)[];
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}

/** Says how the run ended and returns its exit code. */
async function finish(
  { given, options, checkpoint }: Errand,
  { reason, failure }: RunEnding,
): Promise<number> {
  const ledger: Ledger = await checkpoint.ledger();
  const exitCode = decideExitCode(ledger.counts, reason);
  if (options.json) {
    const next = nextCommand(ledger.counts, reason, given.outShown);
    const summary = { ...renderStatusJson(ledger, given.outShown), reason, failure, exitCode, next };
    printJson(summary);
    return exitCode;
  }
  await printTotals(checkpoint, { ledger, reason, detail: failure, out: given.outShown });
  return exitCode;
}
