/** A part file that an earlier link may have begun. */

import type { PartFile } from '../../ports.ts';

/** A part, and whether its bytes came from the current link. */
export interface OwnedPart extends PartFile {
  readonly isOwn: boolean;
}

/** Bytes of another link are ignored, but kept until the first ones of this link replace them. */
export function ownedPart(part: PartFile, isOwn: boolean): OwnedPart {
  return {
    get isOwn() {
      return isOwn;
    },
    get sizeBytes() {
      return isOwn ? part.sizeBytes : 0;
    },
    get validator() {
      return isOwn ? part.validator : null;
    },
    restart: (validator) => {
      isOwn = true;
      return part.restart(validator);
    },
    append: (bytes) => part.append(bytes),
    expect: (wholeBytes) => part.expect(wholeBytes),
    head: () => part.head(),
    digest: () => part.digest(),
    commit: (path) => part.commit(path),
    discard: () => part.discard(),
    [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
  };
}
