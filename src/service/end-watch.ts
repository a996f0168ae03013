/** Watches a body on its way for the end that the video itself declares. */

import { declaredEnd } from '../files/declared-end.ts';
import { ArrivingWalk } from '../files/walk.ts';

export class EndWatch {
  readonly #walk = new ArrivingWalk(declaredEnd());

  get seenBytes(): number {
    return this.#walk.seenBytes;
  }

  note(bytes: Uint8Array): void {
    this.#walk.note(bytes);
  }

  /** The body has ended: `whole` and `cut` are what the video says, `unknown` where it does not. */
  verdict(): 'whole' | 'cut' | 'unknown' {
    const declared = this.#walk.end();
    if (declared === null || declared.end < this.seenBytes) return 'unknown';
    if (declared.end > this.seenBytes) return 'cut';
    return declared.isLast ? 'whole' : 'unknown';
  }
}
