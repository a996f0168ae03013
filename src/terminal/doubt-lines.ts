/** What is said where the ids of an edited file do not tell which rows are which, and how to say it. */

import type { IdDoubt } from '../core/row-identity.ts';
import { shellWord } from '../core/text/shell-word.ts';
import type { Problem } from '../errors.ts';

/** Rows that are listed by line. */
const listedCount = 20;

/** Each row in doubt, and what to do. `column` is the one of the ids. */
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
  added: 'added rows have ids that existing rows have',
};

function options(doubt: IdDoubt, column: string): string {
  const trust = shellWord(`id=${column}`);
  return [
    `--map ${trust} (edited: they keep their results)`,
    '--rerun-changed (edited: they are paid for again)',
    '--map id=none (the column only counts rows: these are new rows, and are sent)',
    ...(doubt === 'other-file' ? ['another --out (another file)'] : []),
  ].join(', ');
}
