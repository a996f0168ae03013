/** Saves complete files, a few at a time. */

import { fixed } from '../../money/policy.ts';
import type { DownloadEnd, SaveEnd } from './download-artifact.ts';

export type WholeFile = Extract<DownloadEnd, { readonly outcome: 'whole' }>;

export class Saves {
  readonly #going = new Set<Promise<unknown>>();
  #nextEnd = Promise.withResolvers<void>();

  /** Resolves once there is room: complete files stay open until saved, so a slow disk delays further downloads. */
  async room(): Promise<void> {
    while (this.#going.size >= fixed.savesAtOnce) await this.#nextEnd.promise;
  }

  /** Saves a file while `saveAlong` saves what goes along with it. */
  async save({ path, save }: WholeFile, saveAlong: (path: string) => Promise<void>): Promise<SaveEnd> {
    const saved = bothDone(save(), saveAlong(path));
    this.#going.add(saved);
    try {
      return await saved;
    } finally {
      this.#going.delete(saved);
      this.#nextEnd.resolve();
      this.#nextEnd = Promise.withResolvers();
    }
  }

  /** Resolves when nothing is being saved. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#going);
  }
}

/** The result of the first, when both have ended: no disk work continues after a failure. */
async function bothDone<T>(work: Promise<T>, other: Promise<void>): Promise<T> {
  const [done, otherDone] = await Promise.allSettled([work, other]);
  if (done.status === 'rejected') throw done.reason;
  if (otherDone.status === 'rejected') throw otherDone.reason;
  return done.value;
}
