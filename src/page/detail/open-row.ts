/** The row that is open, the attempt on the screen, and what the reviewer says of it. */

import type { PageRow } from '../../reports/page-wire.ts';
import { annotated, corrected, firstAttempt, judged, type Mark, preferring } from '../marks/mark.ts';

/** The row on the screen. */
export interface Seen {
  readonly row: PageRow;
  readonly mark: Mark | null;
  /** The attempt whose video is on the screen: marks are about it. */
  readonly attempt: number;
}

export type OpenRow = ReturnType<typeof createOpenRow>;

/** No row is open at first. `save` saves a mark. */
export function createOpenRow(save: (id: string, mark: Mark) => void) {
  let seen: Seen | null = null;
  const change = (edit: (seen: Seen) => Mark) => {
    if (seen !== null) save(seen.row.id, edit(seen));
  };
  return {
    get seen() {
      return seen;
    },
    /** Opens a row, or receives its news: the attempt on the screen stays until there is another one. */
    open(row: PageRow, mark: Mark | null): Seen {
      const isSame = seen?.row.key === row.key && seen?.row.attempts === row.attempts;
      seen = { row, mark, attempt: (isSame ? seen?.attempt : null) ?? firstAttempt(row, mark) };
      return seen;
    },
    choose(attempt: number): Seen | null {
      seen = seen && { ...seen, attempt };
      return seen;
    },
    close(): void {
      seen = null;
    },
    note: (text: string) => change(({ mark, attempt }) => annotated(mark, text, attempt)),
    judge: (verdict: Mark['verdict']) => change(({ mark, attempt }) => judged(mark, verdict, attempt)),
    correct: (field: 'question' | 'answer', text: string) =>
      change(({ row, mark, attempt }) => corrected(mark, field, text, { own: row[field], attempt })),
    /** Lets this attempt stand for the row. */
    prefer(attempt: number): void {
      if (seen === null || seen.row.videos.length === 0) return;
      change(({ row, mark }) => preferring(mark, attempt === row.attempts ? 'latest' : attempt, attempt));
    },
  };
}
