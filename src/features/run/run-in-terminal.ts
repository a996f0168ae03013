/** Runs a session in a terminal: its output, the signals that end it, and the totals at the end. */

import type { PlanEvent } from '../../app/events/events.ts';
import { endOfSession } from '../../app/offers/offers.ts';
import type { Options } from '../../app/options/options.ts';
import { policyOf } from '../../app/options/settings.ts';
import { runSession } from '../../app/run-session.ts';
import type { Controls, RunObserver, RunSetup } from '../../app/session.ts';
import { systemClock } from '../../app/system-clock.ts';
import { agreesToService } from '../../cli/confirm.ts';
import {
  canMoveCursor,
  printJson,
  printNotice,
  printPainted,
  printResult,
  wantsColor,
} from '../../cli/console.ts';
import { printInUse } from '../../cli/report-notices.ts';
import { isStarterGone } from '../../cli/starter.ts';
import { stopOnSignals } from '../../cli/stop-signals.ts';
import { giveStrayErrors } from '../../cli/stray-errors.ts';
import { fixed } from '../../money/policy.ts';
import { decideExitCode, type Ledger } from '../../money/summary.ts';
import type { RunEnding } from '../../runner/ending.ts';
import type { EndedOutput } from '../../schemas/run-state.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { createPlainLines, type Display } from '../../terminal/plain-lines.ts';
import { withoutRepeats } from '../../terminal/without-repeats.ts';
import type { RunWords } from '../../text/run-words.ts';
import { openFollowers } from '../hooks/followers.ts';
import { mendedTables } from '../import/mended-tables.ts';
import { deepJson, inspectAtEnd } from '../inspect/inspect-after-run.ts';
import { suspectLines } from '../inspect/suspect-lines.ts';
import { stepAfterStop } from './print-next.ts';
import { printTotals, totalsJson } from './print-totals.ts';

/** What a command knows of its run besides the setup. */
interface TerminalRun {
  /** Added to the summary for programs. */
  readonly more?: Pick<EndedOutput, 'plan'>;
  /** The first event; that of the checkpoint by default. */
  readonly plan?: PlanEvent | null;
  /** The user has agreed to the address that the key goes to, before anything was changed. */
  readonly isAgreed?: boolean;
}

/** Runs the session and returns its exit code. */
export async function runInTerminal(
  setup: RunSetup,
  { more = {}, plan = null, isAgreed = false }: TerminalRun = {},
): Promise<number> {
  const { options, invocation } = setup;
  const say = phrasesOf(invocation.language);
  if (!isAgreed && !(await agreesToService(setup, say))) return 2;
  const display = await observerFor(options, invocation.words, say);
  const hook = (controls: Controls): (() => void) => {
    const { requestTimeoutMs } = policyOf(options, 0);
    const unhooks = [
      stopOnSignals(controls, { display, words: invocation.words, say, next: () => stepAfterStop(setup) }),
      restOnSuspend(display),
      giveStrayErrors(controls.fail, requestTimeoutMs + fixed.answerMarginMs),
    ];
    return () => {
      for (const unhook of unhooks) unhook();
    };
  };
  const followers = await openFollowers(setup, plan, display);
  try {
    const ending = setup.isIdle
      ? await idleEnding(setup)
      : await runSession({
          setup,
          observer: followers.observer,
          mended: mendedTables,
          hook,
          isAbandoned: isStarterGone,
        });
    const exitCode = await finish(setup, ending, more);
    await followers.ended(ending, exitCode);
    return exitCode;
  } catch (error) {
    await followers.failed(error);
    throw error;
  }
}

/** How the run is displayed: as a live block on an interactive terminal, else as lines. */
async function observerFor(options: Options, words: RunWords, say: Phrases): Promise<RunObserver & Display> {
  const isColor = wantsColor(options['no-color']);
  if (!options.quiet && !options.verbose && canMoveCursor()) {
    const { LiveScreen } = await import('../../terminal/live-screen.ts');
    const screen = new LiveScreen(process.stderr, { isColor, words, say, now: systemClock.now });
    return withoutRepeats(screen, systemClock.now);
  }
  const lines = createPlainLines({ write: printPainted, isColor, words, say, now: systemClock.now });
  return {
    ...withoutRepeats(lines, systemClock.now),
    ...(options.quiet ? { note: () => {}, started: () => {} } : {}),
    ...(options.verbose ? { logged: printNotice } : {}),
  };
}

/**
 * Ctrl-Z releases the terminal before the system suspends the program. If no shell could continue the program, the system
 * does not suspend it, and the run continues.
 */
function restOnSuspend(display: Display): () => void {
  const onContinue = (): void => {
    process.on('SIGTSTP', onSuspend);
  };
  const onSuspend = (): void => {
    display.suspended();
    process.off('SIGTSTP', onSuspend);
    process.once('SIGCONT', onContinue);
    process.kill(process.pid, 'SIGTSTP');
  };
  process.on('SIGTSTP', onSuspend);
  return () => {
    process.off('SIGTSTP', onSuspend);
    process.off('SIGCONT', onContinue);
  };
}

/** Of a command that has nothing to do. */
async function idleEnding({ store, invocation }: RunSetup): Promise<RunEnding> {
  const { counts } = await store.checkpoint.ledger();
  const reason = counts.pending > 0 ? 'part' : 'done';
  return { reason, failure: null, isShared: invocation.words.isShared };
}

/** Prints how the run ended and returns its exit code. `more` is added to the summary for programs. */
async function finish(setup: RunSetup, ending: RunEnding, more: Pick<EndedOutput, 'plan'>): Promise<number> {
  const { reason, failure } = ending;
  const { invocation, options, store } = setup;
  const seen = await inspectAtEnd(setup, reason);
  const ledger: Ledger = await store.checkpoint.ledger();
  const exitCode = decideExitCode(ledger.counts, reason, { ...ending, held: ledger.held });
  const { outShown: out, words, language } = invocation;
  const say = phrasesOf(language);
  const end = endOfSession(setup, reason);
  if (seen !== null) printInUse(seen.inUse, say);
  const totals = { store, ledger, end, detail: ending.said ?? failure, out, words, say, isInUse: false };
  if (options.json) {
    const inspected = seen === null ? {} : { inspected: deepJson(seen) };
    const said = { ...(await totalsJson(totals)), reason, failure, exitCode, ...inspected, ...more };
    printJson(said satisfies EndedOutput);
  } else {
    for (const line of seen === null ? [] : suspectLines(seen, say)) printResult(line);
    await printTotals(totals);
  }
  return exitCode;
}
