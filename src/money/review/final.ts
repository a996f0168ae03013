/** Pure. Finals: rows whose draft a reviewer called good, made once more in another quality. */

import type { Quality } from '../item.ts';

/** What is ordered for a row. */
export interface OrderedFinal {
  readonly quality: Quality;
  /** The attempt that was called good. */
  readonly draft: number;
}

/** The same as it is saved. */
export interface Final extends OrderedFinal {
  /** The first attempt of this quality. Later ones have it too, until the row has another text. */
  readonly since: number;
  /** True until a final is there that nobody calls bad: the draft stands for the row, unless another attempt is preferred. */
  readonly isDraftStanding: boolean;
}
