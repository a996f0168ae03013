/**
 * Slices that nobody takes, because a process that is counted does not come for its share: after a while others take
 * them, so that no row waits for ever.
 */

/** Long enough for a process that has just been counted to come. */
const patienceMs = 8_000;

/** How long the others keep them before they leave them to the process that should come (ms). */
const keepMs = 120_000;

export class StrandedSlices {
  /** When each free job was first seen, by its id; steady ms. */
  #seenAt = new Map<string, number>();
  #extra = 0;
  #until = 0;

  /** `free`: ids of the jobs that nobody holds `at` this time (steady ms). */
  look(free: ReadonlySet<string>, at: number): void {
    this.#seenAt = new Map([...free].map((id) => [id, this.#seenAt.get(id) ?? at]));
    const stranded = [...this.#seenAt.values()].filter((seenAt) => at - seenAt >= patienceMs);
    if (stranded.length === 0) return;
    this.#extra = this.extra(at) + stranded.length;
    this.#until = at + keepMs;
    this.#seenAt = new Map();
  }

  /** How many slices above the fair share may be taken (steady ms). */
  extra(at: number): number {
    return at < this.#until ? this.#extra : 0;
  }

  /** The number of processes has changed: everybody comes for the new share. */
  forget(): void {
    this.#extra = 0;
    this.#seenAt = new Map();
  }
}
