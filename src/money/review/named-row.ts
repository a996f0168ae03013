/** What `--only` says of a row. */

import { type Message, message } from '../../messages/message.ts';
import type { JoinedMark } from './joined-marks.ts';

/** A row that `--only` names. */
export interface NamedRow {
  readonly id: string;
  /** True when it was typed, false when only files name it. */
  readonly isTyped: boolean;
  /** The marked attempt, the latest if several files name the row; null for any, where no file says. */
  readonly attempt: number | null;
  /**
   * What the line of a table orders, once: the attempt after the `marked` one, or one for a row without a video (`unmade`).
   * Absent for a typed id, and in a list of ids that is no table of this program: they order another one whatever stands.
   */
  readonly orders?: 'marked' | 'unmade';
  /** Texts that a reviewer corrected; absent for none. */
  readonly corrected?: Pick<JoinedMark, 'question' | 'answer'>;
  /** Why the row is not paid for: reviewers contradict each other. Absent where they do not. */
  readonly dispute?: string;
}

/** For commands that take only the ids of `--only`. A warning, printed even with `--quiet`; null where nothing is lost. */
export function unusedCorrections(named: readonly NamedRow[] | null): Message | null {
  const count = (named ?? []).filter(({ corrected }) => corrected !== undefined).length;
  return count === 0 ? null : message('retry.ids-alone', { count });
}
