/** The marks that are saved with a run, as a retry takes them. */

import { type NamingTable, namedRows, refuseUnclear } from '../../app/naming/only-file.ts';
import type { GivenMark } from '../../money/review/joined-marks.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import type { Store } from '../../stores/port/store.ts';

/** The marks that are saved with the run, as those of a table. */
export async function savedMarks({ reviews }: Pick<Store, 'reviews'>): Promise<readonly GivenMark[]> {
  return (await reviews.marks()).map(
    (mark): GivenMark => ({
      ...mark,
      key: null,
      by: mark.reviewer,
      unreadable: null,
      prefer: '',
      row: '',
      status: '',
      broken: null,
      line: 0,
    }),
  );
}

/** The rows that reviewers call bad, as one table of all marks would name them. Throws `InputError` as for such a table. */
export async function markedRows(store: Pick<Store, 'reviews'>): Promise<readonly NamedRow[]> {
  const table: NamingTable = {
    ...{ place: '--marked', file: '', path: '', isMarked: true, kind: 'marks', notes: [] },
    rows: await savedMarks(store),
  };
  const naming = { typed: [], tables: [table], mark: 'bad' } as const;
  refuseUnclear(naming);
  return namedRows(naming);
}
