/** Who follows a session: no text that they get has a secret, and what they throw does no harm. */

import { messageOf, stackOf } from '../../errors.ts';
import { withTexts } from '../../messages/message.ts';
import type { Log, Reporter } from '../../ports.ts';
import { toTerminalJson } from '../../terminal/terminal-text.ts';
import type { Redact } from '../../text/redact.ts';
import type { RunObserver } from '../session.ts';

/** An observer that throws must not come between a commit and its effects. */
export function unharmed(log: Log, report: () => void): void {
  try {
    report();
  } catch (error) {
    log.warn({ failure: messageOf(error), stack: stackOf(error) }, 'a follower of the run failed');
  }
}

export function reporterTo(observer: RunObserver, log: Log, redact: Redact): Reporter {
  return {
    note: (said, row) => unharmed(log, () => observer.note(withTexts(said, redact), row)),
    warn: (said) => unharmed(log, () => observer.warn(withTexts(said, redact))),
    changed: (before, after) => unharmed(log, () => observer.changed(before, after)),
  };
}

/** The log, with the observer as a second destination. */
export function observedLog(log: Log, observer: RunObserver, redact: Redact): Log {
  const { logged } = observer;
  if (logged === undefined) return log;
  const both =
    (level: 'info' | 'warn'): Log['info'] =>
    (fields, message) => {
      log[level](fields, message);
      logged(redact(`${message} ${toTerminalJson(fields)}`));
    };
  return { info: both('info'), warn: both('warn') };
}
