/** What the list shows of one row. */

import type { WireMark } from '../../money/review/review-wire.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import type { Mark } from '../marks/mark.ts';

/** The content of one row in the list. */
export interface Entry {
  readonly row: PageRow;
  readonly mark: Mark | null;
  /** Marks of others. */
  readonly others: readonly WireMark[];
  /** Address of the row's detail. */
  readonly link: string;
  /** Shows the text now, and its formulas when it becomes visible. */
  showText(element: HTMLElement, text: string): void;
}
