/** Watches a body on its way for the end that the video itself declares. */

import { declaredEnd, longestPiece, type Wanted } from '../../files/declared-end.ts';

export class EndWatch {
  readonly #walk = declaredEnd();
  #step = this.#walk.next();
  /** The end of what arrived: a piece that is wanted next may begin in it. */
  #tail: Uint8Array = new Uint8Array();
  seenBytes = 0;

  note(bytes: Uint8Array): void {
    const known = Buffer.concat([this.#tail, bytes]);
    this.seenBytes += bytes.length;
    while (this.#step.done !== true) {
      const { offset, length } = this.#step.value;
      if (offset + length > this.seenBytes) break;
      this.#step = this.#walk.next(this.#pieceOf(known, this.#step.value));
    }
    this.#tail = known.subarray(-longestPiece);
  }

  /** The body has ended: `whole` and `cut` are what the video says, `unknown` where it does not. */
  verdict(): 'whole' | 'cut' | 'unknown' {
    while (this.#step.done !== true)
      this.#step = this.#walk.next(this.#pieceOf(this.#tail, this.#step.value));
    const declared = this.#step.value;
    if (declared === null || declared.end < this.seenBytes) return 'unknown';
    if (declared.end > this.seenBytes) return 'cut';
    return declared.isLast ? 'whole' : 'unknown';
  }

  /** The piece out of the last bytes that arrived. */
  #pieceOf(known: Uint8Array, { offset, length }: Wanted): Uint8Array {
    const from = offset - this.seenBytes + known.length;
    return known.subarray(from, from + length);
  }
}
