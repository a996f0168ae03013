/** Passes on what became of items, once it is saved: to memory, to the parts of the loop, to the reporter and the log. */

import { message } from '../messages/message.ts';
import { hasMark } from '../money/statuses.ts';
import { applyChange, type Ledger } from '../money/summary.ts';
import type { Change } from '../stores/port/checkpoint.ts';
import type { RunContext } from './context.ts';
import type { Effects } from './effects.ts';
import { type Entry, moveItem } from './entry.ts';
import type { Callbacks } from './late-answers/callbacks.ts';
import type { Submissions } from './submitting/submissions.ts';

interface Parts {
  readonly run: RunContext;
  readonly effects: Effects;
  readonly submissions: Submissions;
  readonly callbacks: Callbacks;
}

/** `ledger` counts the change from now on. */
export function noteChange(entry: Entry, { before, after }: Change, ledger: Ledger, parts: Parts): void {
  const { run, effects, submissions, callbacks } = parts;
  const { entries, ports } = run;
  moveItem(entry, after, ports.clock);
  if (after.status !== 'lost') entries.lost.delete(entry);
  if (after.status !== before.status || after.points !== before.points) submissions.budget.askPrice(entry);
  if (after.status !== 'downloading') effects.cutWaits(entry);
  applyChange(ledger, before, after);
  submissions.note(before, after, ledger);
  ports.reporter.changed(before, after);
  if (before.status === after.status) return;
  callbacks.noteChange(before, after);
  const { id, taskId, attempt, status, failure, points } = after;
  ports.log.info({ id, taskId, attempt, from: before.status, to: status, points, failure }, 'transition');
  if (hasMark(status, 'bad'))
    ports.reporter.note(
      message('row.ended', { id, status, failure: failure ?? message('row.no-reason') }),
      after,
    );
}
