/** The signals that end a run, and those that mean nothing to it. */

import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Stop } from '../app/run-session.ts';
import { decideSignal, type StopSignal, stopCodes } from '../core/stop-signal.ts';
import { shellPath } from '../core/text/shell-word.ts';
import type { Display } from '../terminal/plain-lines.ts';
import { printNotice } from './console.ts';

/** Hears the signals that end a run; returns how to hear them no longer. */
export function stopOnSignals(stop: Stop, display: Display, out: string): () => void {
  /** Milliseconds of the clock that is never set; null before the first signal. */
  let stoppedAt: number | null = null;
  const onSignal = (signal: StopSignal): void => {
    const order = decideSignal(signal, stoppedAt === null ? null : performance.now() - stoppedAt);
    if (order === 'nothing') return;
    if (order === 'stop') {
      stoppedAt = performance.now();
      stop(signal === 'SIGINT' ? 'interrupted' : 'terminated');
      display.say(
        'Stopping: nothing more is submitted; waiting for creations in flight. A second signal leaves at once.',
      );
      return;
    }
    display.ended();
    printNotice(
      'Left at once; everything done so far is saved, a creation without an answer becomes uncertain',
    );
    printNotice(`Next: batch resume ${shellPath(out)}`);
    process.exit(stopCodes[signal]);
  };
  const heard: StopSignal[] = isInBackground() ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const name of heard) process.on(name, onSignal);
  return () => {
    // The rest of a pair must not end the program in the middle of its last words.
    if (stoppedAt === null) for (const name of heard) process.off(name, onSignal);
  };
}

/**
 * A program that `nohup` started goes on when its terminal is closed. Node takes back at its start that a signal is to be
 * ignored, so it is known by what `nohup` leaves: no terminal, and output that goes to files.
 */
export function outliveTerminal(): void {
  if (isInBackground()) process.on('SIGHUP', () => {});
}

let inBackground: boolean | null = null;

/** True where no terminal and no reader could go away that this program talks to. */
function isInBackground(): boolean {
  inBackground ??= !isatty(0) && isKept(1) && isKept(2);
  return inBackground;
}

/** True for an output that is a file, or nothing. */
function isKept(output: number): boolean {
  try {
    const kind = fstatSync(output);
    return kind.isFile() || (kind.isCharacterDevice() && !isatty(output));
  } catch {
    return true;
  }
}
