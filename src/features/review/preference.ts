/** What a reviewer says of the attempts of a row. */

/** Which attempt a row is to have the video of. */
export interface Preference {
  readonly id: string;
  /** Null for the latest one that has a video. */
  readonly attempt: number | null;
}
