/** `--marked`: the marks that are saved with a run, as the rows of a retry. */

import { namedRows, refuseUnclear } from '../../app/naming/only-file.ts';
import type { GivenMark } from '../../money/review/joined-marks.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import type { Store } from '../../stores/port/store.ts';

/** The rows that reviewers call bad, as one table of all marks would name them. Throws `InputError` as for such a table. */
export async function markedRows({ reviews }: Pick<Store, 'reviews'>): Promise<readonly NamedRow[]> {
  const rows = (await reviews.marks()).map(
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
  const place = '--marked';
  const naming = {
    typed: [],
    tables: [{ place, file: '', path: '', isMarked: true, rows }],
    mark: 'bad',
  } as const;
  refuseUnclear(naming);
  return namedRows(naming);
}
