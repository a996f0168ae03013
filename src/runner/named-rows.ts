/** The rows that `--only` names, and which of them wait: a hundred thousand may be named, and a turn looks at a few. */

import type { Item } from '../core/item.ts';

/** Ids that are asked for at once. */
const pageLength = 500;

export class NamedRows {
  readonly #ids: ReadonlySet<string>;
  /** In the order of the file; one that came back stands last, and waits for the end of its pause. */
  readonly #waiting: Set<string>;

  /** `items` are those of the ids, in the order of the file. */
  constructor(ids: readonly string[], items: readonly Item[]) {
    this.#ids = new Set(ids);
    this.#waiting = new Set(items.filter(({ status }) => status === 'pending').map(({ id }) => id));
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** An item went from one status to another. */
  note({ id, status }: Item): void {
    if (!this.#ids.has(id)) return;
    if (status === 'pending') this.#waiting.add(id);
    else this.#waiting.delete(id);
  }

  /** Ids of rows that wait, a few at a time. */
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
