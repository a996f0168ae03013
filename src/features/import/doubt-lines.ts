/** What to print where the ids of an edited file do not identify its rows, and how the user can settle it. */

import { type Problem, problemOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { IdDoubt } from '../../money/row-identity.ts';
import { shellWord } from '../../text/shell-word.ts';

/** Rows listed by line. */
const listedCount = 20;

/** Each doubtful row, and what to do. `column` is the id column. */
export function renderDoubt(
  doubt: IdDoubt,
  column: string,
  rows: readonly { readonly id: string; readonly line: number }[],
): Problem[] {
  const left = rows.length - listedCount;
  return [
    ...rows
      .slice(0, listedCount)
      .map(({ id, line }) => problemOf(line, message('ids.edited', { column, id }))),
    ...(left > 0 ? [problemOf(null, message('ids.more-edited', { count: left }))] : []),
    problemOf(null, message('ids.doubt', { doubt, trust: shellWord(`id=${column}`) })),
  ];
}
