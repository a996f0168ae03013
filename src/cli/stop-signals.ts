/** Handles the signals and orders that end a run, and ignores those that must not. */

import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Controls, Stop } from '../app/session.ts';
import type { NextStep } from '../terminal/next-steps.ts';
import type { Phrases } from '../terminal/phrases/phrases.ts';
import type { Display } from '../terminal/plain-lines.ts';
import type { RunWords } from '../text/run-words.ts';
import { printNotice } from './console.ts';
import { forgetStarter } from './starter.ts';
import { decideSignal, type StopSignal, stopCodes } from './stop-signal.ts';

/** What a stopping run says. */
interface StoppingRun {
  readonly display: Display;
  readonly words: RunWords;
  readonly say: Phrases;
  /** What to type next as of now; null where that is not known. */
  next(): Promise<Pick<NextStep, 'command'> | null>;
}

/** Stops the run on signals and orders; returns a function that removes the handlers. */
export function stopOnSignals(
  { stop, onOrder }: Pick<Controls, 'stop' | 'onOrder'>,
  { display, words, say, next }: StoppingRun,
): () => void {
  /** Steady ms; null before the first signal. */
  let stoppedAt: number | null = null;
  // At the second signal there is no time to read anything; this one shows what to type, and what it costs.
  let command = `batch status ${words.run}`;
  const begin = (reason: Parameters<Stop>[0]): void => {
    stoppedAt = performance.now();
    stop(reason);
    display.say(say.progress.stoppingNow);
    next().then(
      (step) => {
        command = step?.command ?? command;
      },
      () => {},
    );
  };
  const leave = (signal: StopSignal): void => {
    display.ended();
    printNotice(say.progress.leftAtOnce);
    printNotice(`${say.ending.firstStep}${command}`);
    exitAtOnce(stopCodes[signal]);
  };
  const onSignal = (signal: StopSignal): void => {
    const order = decideSignal(signal, stoppedAt === null ? null : performance.now() - stoppedAt);
    if (order === 'stop') begin(signal === 'SIGINT' ? 'interrupted' : 'terminated');
    else if (order === 'leave') leave(signal);
  };
  onOrder(({ isNow }) => {
    if (isNow) leave('SIGTERM');
    else if (stoppedAt === null) begin('terminated');
  });
  const handled: StopSignal[] = isInBackground() ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const name of handled) process.on(name, onSignal);
  return () => {
    // A second signal of a pair must not end the program while it prints the totals.
    if (stoppedAt === null) for (const name of handled) process.off(name, onSignal);
  };
}

/**
 * Ends the process. It would wait for names that the system is still asked for, half a minute where no name server answers:
 * only another program in its place ends that, and keeps the exit code. Windows has no such call.
 */
export function exitAtOnce(code = process.exitCode): never {
  process.once('exit', (last) => {
    if (!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) return;
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${last})`], {});
  });
  return process.exit(code);
}

/**
 * A program started by `nohup` continues when its terminal closes. Node resets ignored signals at its start, so this
 * recognizes `nohup` by its other effects: no terminal, and output to files.
 */
export function outliveTerminal(): void {
  if (isInBackground()) process.on('SIGHUP', forgetStarter);
}

let inBackground: boolean | null = null;

/** True when the program has no terminal or reader that could disappear. */
function isInBackground(): boolean {
  inBackground ??= !isatty(0) && isKept(1) && isKept(2);
  return inBackground;
}

/** True for an output that is a file or discarded. */
function isKept(output: number): boolean {
  try {
    const kind = fstatSync(output);
    return kind.isFile() || (kind.isCharacterDevice() && !isatty(output));
  } catch {
    return true;
  }
}
