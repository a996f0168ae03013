/** What a reviewer says of the attempts of a row. */

/** Which attempt a row is to have the video of. */
export interface Preference {
  readonly id: string;
  /** The cell of the column `batch` in a table; absent for none. */
  readonly key?: string;
  /** Line of a table, from 1; absent for a typed id. */
  readonly line?: number;
  /** Null for the latest one that has a video. */
  readonly attempt: number | null;
}
