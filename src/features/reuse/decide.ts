/** What becomes of rows that wait to be sent: each takes a known video, waits for that of another row, or is sent. */

import type { Quality } from '../../money/item.ts';
import type { KnownVideo, KnownVideos, RowUnderWay } from './known-videos.ts';

/** A row that waits to be sent. */
export interface Candidate {
  readonly id: string;
  /** Its own quality. */
  readonly quality: Quality | null;
  /** The digest of its texts. */
  readonly text: string;
  /** The digests of its pictures; null where they cannot be sent. */
  pictures(): Promise<string | null>;
}

export type Decision =
  /** The first of these videos that is whole. */
  | { readonly is: 'known'; readonly videos: readonly KnownVideo[] }
  /** For the video of this row. */
  | { readonly is: 'waits'; readonly row: RowUnderWay }
  | { readonly is: 'sent' };

/** Decides row by row, in the order of the file: the first row of a question is the one that is sent. */
export class Decider {
  readonly #videos: KnownVideos;
  /** How many rows have these texts. */
  readonly #texts: ReadonlyMap<string, number>;
  /** By texts and pictures: the row that is sent. */
  readonly #first = new Map<string, RowUnderWay>();

  constructor(videos: KnownVideos, candidates: readonly Pick<Candidate, 'text'>[]) {
    this.#videos = videos;
    const texts = new Map<string, number>();
    for (const { text } of candidates) texts.set(text, (texts.get(text) ?? 0) + 1);
    this.#texts = texts;
  }

  async decide({ id, text, pictures: read }: Candidate): Promise<Decision> {
    if (!this.#videos.hasText(text) && this.#texts.get(text) === 1) return { is: 'sent' };
    const pictures = await read();
    if (pictures === null) return { is: 'sent' };
    const videos = this.#videos.find(text, pictures);
    if (videos.length > 0) return { is: 'known', videos };
    const key = `${text} ${pictures}`;
    const other = this.#videos.rowUnderWay(text, pictures) ?? this.#first.get(key);
    if (other !== undefined) return { is: 'waits', row: other };
    this.#first.set(key, { id, folder: null, isDoubtful: false });
    return { is: 'sent' };
  }
}
