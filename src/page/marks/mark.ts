/** One mark of a reviewer, as the page keeps it. */

import type { PageRow } from '../../reports/page-wire.ts';

/** What a reviewer says of a row. */
export interface Mark {
  readonly verdict: 'good' | 'bad' | null;
  readonly note: string;
  /** The attempt the verdict was given to, 0 before the first; null where unknown. */
  readonly attempt: number | null;
  /** Corrected texts; absent where they are right. */
  readonly question?: string;
  readonly answer?: string;
  /** The attempt whose video is to stand for the row; absent where the reviewer chose none. */
  readonly prefer?: number | 'latest';
}

/** What marks need to know of a row. */
export type MarkableRow = Pick<PageRow, 'attempts' | 'preferred'>;

const unmarked: Mark = { verdict: null, note: '', attempt: null };

/** The attempt that stands for the row: the one the reviewer prefers, else that of the run, else the latest. */
export function standingAttempt({ attempts, preferred }: MarkableRow, mark: Mark | null): number {
  if (mark?.prefer === undefined) return preferred ?? attempts;
  return mark.prefer === 'latest' ? attempts : mark.prefer;
}

/** The attempt that is shown first: the one that stands for the row, or whose video does. */
export function firstAttempt(row: PageRow, mark: Mark | null): number {
  const standing = standingAttempt(row, mark);
  if (row.videos.some(([attempt]) => attempt === standing)) return standing;
  return row.videos.find(([, video]) => video === row.video)?.[0] ?? row.attempts;
}

/** The verdict of a mark on this attempt: one on another attempt does not count. */
export function verdictNow(mark: Mark | null, attempt: number): Mark['verdict'] {
  return mark === null || isElsewhere(mark, attempt) ? null : mark.verdict;
}

function isElsewhere(mark: Mark, attempt: number): boolean {
  return mark.attempt !== null && mark.attempt !== attempt;
}

/** The verdict on another attempt than this one, and its number; null for none. */
export function verdictElsewhere(
  mark: Mark | null,
  attempt: number,
): { readonly verdict: 'good' | 'bad'; readonly attempt: number } | null {
  if (mark === null || mark.verdict === null || mark.attempt === null) return null;
  return isElsewhere(mark, attempt) ? { verdict: mark.verdict, attempt: mark.attempt } : null;
}

/** The mark after a verdict on this attempt. */
export function judged(mark: Mark | null, verdict: Mark['verdict'], attempt: number): Mark {
  return { ...(mark ?? unmarked), verdict, attempt };
}

/** The mark with another note; a verdict stays with the attempt it was given to. */
export function annotated(mark: Mark | null, note: string, attempt: number): Mark {
  return { ...(mark ?? unmarked), note, attempt: mark?.verdict ? mark.attempt : attempt };
}

/** The mark with another text of the row; `own` is the text as it was sent. */
export function corrected(
  mark: Mark | null,
  field: 'question' | 'answer',
  text: string,
  { own, attempt }: { readonly own: string; readonly attempt: number },
): Mark {
  const { [field]: _, ...rest } = annotated(mark, mark?.note ?? '', attempt);
  return text.trim() === '' || text === own ? rest : { ...rest, [field]: text };
}

/** The mark with another preference. */
export function preferring(mark: Mark | null, prefer: number | 'latest', attempt: number): Mark {
  return { ...annotated(mark, mark?.note ?? '', attempt), prefer };
}

/** True where it says nothing. */
export function isEmpty({ verdict, note, question, answer, prefer }: Mark): boolean {
  return verdict === null && note === '' && (question ?? answer ?? prefer) === undefined;
}
