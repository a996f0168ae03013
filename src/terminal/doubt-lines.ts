/** What to print where the ids of an edited file do not identify its rows, and how the user can settle it. */

import type { IdDoubt } from '../core/row-identity.ts';
import { shellWord } from '../core/text/shell-word.ts';
import type { Problem } from '../errors.ts';

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
    ...rows.slice(0, listedCount).map(({ id, line }) => ({
      line,
      message: `${column} ${id} was submitted with another text: is this that row, edited, or a different one?`,
    })),
    ...(left > 0 ? [{ line: null, message: `${left} more of these rows are not listed` }] : []),
    {
      line: null,
      message: `${why[doubt]}; nothing was sent. Choose one of: ${options(doubt, column)}`,
    },
  ];
}

const why: Readonly<Record<IdDoubt, string>> = {
  renumbered: 'other rows were renumbered, added or removed, so the ids alone are not conclusive',
  'other-file': 'no text is known, so the ids may belong to another file',
  added: 'added rows have the ids of existing rows',
};

function options(doubt: IdDoubt, column: string): string {
  const trust = shellWord(`id=${column}`);
  return [
    `--map ${trust} (edited: they keep their results)`,
    '--rerun-changed (edited: they are paid for again)',
    '--map id=none (the column only numbers rows: these are new rows, and are sent)',
    ...(doubt === 'other-file' ? ['another --out (another file)'] : []),
  ].join(', ');
}
