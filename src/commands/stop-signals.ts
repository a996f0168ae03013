/** The signals that end a run, and those that mean nothing to it. */

import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { shellPath } from '../core/shell-word.ts';
import type { Display } from '../terminal/plain-lines.ts';
import { printNotice } from './console.ts';
import type { Stop } from './turn.ts';

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
type StopSignal = keyof typeof codes;

/** One wish to stop may come as several signals: a terminal that is closed sends two, an init system its own two. */
const secondWishMs = 1_000;

/**
 * The first signal ends the run in good order. A second one leaves at once: it comes a second later or more, and is no SIGHUP,
 * which only says that nobody is there any more.
 */
export function stopOnSignals(stop: Stop, display: Display, out: string): () => void {
  /** Milliseconds of the clock that is never set; null before the first signal. */
  let stoppedAt: number | null = null;
  const onSignal = (signal: StopSignal): void => {
    if (stoppedAt === null) {
      stoppedAt = performance.now();
      stop(signal === 'SIGINT' ? 'interrupted' : 'terminated');
      display.say(
        'Stopping: nothing more is submitted; waiting for creations on their way. Once more leaves at once.',
      );
      return;
    }
    if (signal === 'SIGHUP' || performance.now() - stoppedAt < secondWishMs) return;
    display.ended();
    printNotice('Left at once; what was done is saved, a creation without its answer becomes uncertain');
    printNotice(`Next: batch resume ${shellPath(out)}`);
    process.exit(codes[signal]);
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
