/** One mark of a reviewer, as the page keeps it. */

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
