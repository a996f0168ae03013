/** What the parts of the page receive to show, and what they can request. */

import type { WireMark } from '../../money/review/review-wire.ts';
import type { PageHeading } from '../../reports/page.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import type { Address } from '../address.ts';
import type { Mark } from '../marks/mark.ts';
import type { Marks } from '../marks/marks.ts';
import type { Unsaved } from '../marks/review.ts';
import { asMark, type SavedMarks } from '../marks/saved-marks.ts';
import type { ShownSample } from '../sample/drawn.ts';
import type { Rows } from './rows.ts';

/** The current state of the page. */
export interface Shown {
  readonly address: Address;
  readonly rows: Rows;
  /** The matching rows, in order. */
  readonly found: readonly PageRow[];
  /** The sample whose rows these are; null where they are of all rows. */
  readonly sample: ShownSample | null;
  /** Null until the end of the page is read. */
  readonly heading: PageHeading | null;
  /** Null until the run is known. */
  readonly marks: Marks | null;
  /** False while the browser is still reading rows. */
  readonly isRead: boolean;
  /** Whether a live page is connected to its server. */
  readonly isConnected: boolean;
  /** Marks of others that are saved with the run. */
  readonly others: SavedMarks;
  /** Marks of this page that are not. */
  readonly unsaved: Unsaved;
}

/** Changes what is shown. */
export type Go = (change: Partial<Address>) => void;

/** A part of the page. */
export interface Part {
  readonly element: HTMLElement;
  update(shown: Shown): void;
}

export function markOf({ marks }: Pick<Shown, 'marks'>, id: string): Mark | null {
  return marks?.get(id) ?? null;
}

/** What others say of a row. */
export function othersOn({ others }: Pick<Shown, 'others'>, id: string): readonly WireMark[] {
  return others.get(id) ?? none;
}

const none: readonly WireMark[] = [];

/** The reader's own mark, and those of others. */
export function marksOn(shown: Pick<Shown, 'marks' | 'others'>, id: string): readonly Mark[] {
  const own = markOf(shown, id);
  return [...(own === null ? [] : [own]), ...othersOn(shown, id).map(asMark)];
}

/** The order as the reader sees it: without suspects they cannot come first. Null for that in which rows were drawn. */
export function shownSort({
  address,
  rows,
  sample,
}: Pick<Shown, 'address' | 'rows' | 'sample'>): Address['sort'] | null {
  if (sample !== null) return null;
  const isPlain = address.sort.field === 'suspect' && rows.suspectCount === 0;
  return isPlain ? { field: 'row', isDown: false } : address.sort;
}
