/** What the list shows of one row. */

import type { WireMark } from '../../money/review/review-wire.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import type { Mark } from '../marks/mark.ts';

/** A cell of a column of the user's own; '' for an empty one. */
interface OwnCell {
  readonly column: string;
  readonly text: string;
}

/** The content of one row in the list. */
export interface Entry {
  readonly row: PageRow;
  readonly mark: Mark | null;
  /** Marks of others. */
  readonly others: readonly WireMark[];
  /** The chosen column of the user's own; null where none is. */
  readonly own: OwnCell | null;
  /** Address of the row's detail. */
  readonly link: string;
  /** Shows the text now, and its formulas when it becomes visible. */
  showText(element: HTMLElement, text: string): void;
}
