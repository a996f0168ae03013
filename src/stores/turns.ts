/** The order in which waiting rows are sent, for both stores: SQL that each of them knows. */

import type { Item } from '../money/item.ts';

type Tried = Pick<Item, 'row' | 'submittedAt'>;

/** Rows of one turn. */
export interface TurnRows {
  /** Which rows of `items`. */
  readonly where: string;
  /** By columns of `items`. */
  readonly order: string;
  /** The same for the rows of a retry, joined with `orders`: by its index, because a million may be ordered. */
  readonly orderOfOrders: string;
  /** The same of items that were read. */
  compare(one: Tried, other: Tried): number;
}

const lastTried = 'coalesce(submitted_at, 0), row';

/**
 * Rows that the service refused for a cause that may concern all rows come last, the one that was tried longest ago first: if it
 * refuses two of them for ever, no other row waits behind those.
 */
export const turns: Readonly<Record<'first' | 'later', TurnRows>> = {
  first: {
    where: "turn = 'first'",
    order: 'row',
    orderOfOrders: 'orders.item',
    compare: (one, other) => one.row - other.row,
  },
  later: {
    where: "turn <> 'first'",
    order: lastTried,
    orderOfOrders: lastTried,
    compare: (one, other) => (one.submittedAt ?? 0) - (other.submittedAt ?? 0) || one.row - other.row,
  },
};
