/**
 * Rules about tables that come back, each taken out on its own: the program gets the table as if it did not look at what the
 * rule looks at. The worlds are only worth something if they notice.
 */

import { change, keyAt, keyNow, nameOfRow, type Paper, type Shown, without } from './papers.ts';

export interface OwnerMutant {
  readonly name: string;
  /** The first world that is tried: those before it were seen not to notice. */
  readonly from?: number;
  /** The table as the program gets it for this command. */
  alter(paper: Paper, words: readonly string[], shown: Shown | null): Paper;
}

/** Every line says that it was written now. */
function renewed(paper: Paper, shown: Shown | null): Paper {
  const rows = new Map((shown?.rows ?? []).map((row) => [nameOfRow(row), row]));
  const at = keyAt(paper);
  const attemptAt = paper.header.indexOf('attempt');
  const keyed = change(paper, at, ({ cells, name }) => {
    const row = rows.get(name);
    return row === undefined || shown === null ? (cells[at] ?? '') : keyNow(row, shown.run);
  });
  return change(keyed, attemptAt, ({ cells, name }) =>
    String(rows.get(name)?.item.attempt ?? cells[attemptAt]),
  );
}

function asList(paper: Paper): Paper {
  return without(paper, (name) => name !== 'id');
}

const isOf =
  (...kinds: readonly Paper['kind'][]) =>
  ({ kind }: Paper): boolean =>
    kinds.includes(kind);

export const ownerMutants: readonly OwnerMutant[] = [
  {
    name: 'what was found out about an attempt settles a later one',
    from: 13,
    alter: (paper, [verb], shown) => (verb === 'resolve' ? renewed(paper, shown) : paper),
  },
  {
    name: 'failed rows of an earlier round take the place of videos',
    from: 50,
    alter: (paper, [verb], shown) =>
      verb === 'run' && isOf('failed')(paper) ? renewed(paper, shown) : paper,
  },
  {
    name: 'a table of the run is a list of ids',
    alter: (paper, [verb]) =>
      verb === 'retry' && isOf('report', 'manifest', 'failed', 'uncertain')(paper) ? asList(paper) : paper,
  },
  {
    name: 'a table of marks without its column of marks is a list of ids',
    from: 32,
    alter: (paper, [verb]) =>
      verb === 'retry' && isOf('marks')(paper) && !paper.header.includes('mark') ? asList(paper) : paper,
  },
  {
    name: 'a mark without its attempt is about any',
    from: 327,
    alter: (paper, [verb], shown) =>
      verb === 'retry' && isOf('marks')(paper) && !paper.header.includes('attempt')
        ? renewed(paper, shown)
        : paper,
  },
];
