/**
 * The rows named by `--only`, and which of them wait: a hundred thousand may be named, and each turn reads only a few.
 */

import type { Item } from '../../money/item.ts';

/** Ids per query. */
const pageLength = 500;

export class NamedRows {
  readonly #ids: ReadonlySet<string>;
  /** In file order; a row that came back goes last, and waits for the end of its pause. */
  readonly #waiting: Set<string>;

  /** `items` are those with these ids, in file order. */
  constructor(ids: readonly string[], items: readonly Item[]) {
    this.#ids = new Set(ids);
    this.#waiting = new Set(items.filter(({ status }) => status === 'pending').map(({ id }) => id));
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** An item changed its status. */
  note({ id, status }: Item): void {
    if (!this.#ids.has(id)) return;
    if (status === 'pending') this.#waiting.add(id);
    else this.#waiting.delete(id);
  }

  /** Ids of waiting rows, a few at a time. */
  *pages(): Generator<readonly string[]> {
    let page: string[] = [];
    for (const id of this.#waiting) {
      page.push(id);
      if (page.length < pageLength) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }
}
