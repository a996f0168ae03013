/** What the parts of the page are given to show, and what they may ask for. */

import type { PageHeading } from '../report/page.ts';
import type { Address } from './address.ts';
import type { Mark, Marks } from './marks.ts';
import type { Row, Rows } from './rows.ts';

/** Everything there is to show now. */
export interface Shown {
  readonly address: Address;
  readonly rows: Rows;
  /** The rows that match, in order. */
  readonly found: readonly Row[];
  /** Null until the end of the page is read. */
  readonly heading: PageHeading | null;
  /** Null until it is known whose they are. */
  readonly marks: Marks | null;
  /** False while the browser is still reading rows. */
  readonly isRead: boolean;
  /** Whether a live page hears from its server. */
  readonly isConnected: boolean;
}

/** Shows something else. */
export type Go = (change: Partial<Address>) => void;

/** A part of the page. */
export interface Part {
  readonly element: HTMLElement;
  update(shown: Shown): void;
}

/** What the reviewer noted of a row. */
export function markOf({ marks }: Pick<Shown, 'marks'>, id: string): Mark | null {
  return marks?.get(id) ?? null;
}
