/**
 * The store of a simulated fleet: the SQLite checkpoint under the rules of a shared one. What PostgreSQL does in one
 * function call, this does between two turns of the event loop.
 */

import type { SqliteCheckpoint } from '../../../src/adapters/sqlite/sqlite-checkpoint.ts';
import type { Item, Status } from '../../../src/core/item.ts';
import {
  applyChange,
  badStatuses,
  copyLedger,
  effectiveQuality,
  guessedPoints,
  type Ledger,
  reservedPoints,
} from '../../../src/core/summary.ts';
import { heldByUncertain, placesAfter, type UncertainPlace } from '../../../src/core/tick.ts';
import { NoRoomError } from '../../../src/errors.ts';
import {
  type Beside,
  type Change,
  type ClaimRoom,
  type SavedFact,
  type SharedState,
  sliceCount,
} from '../../../src/store.ts';

const unfinished: readonly Status[] = ['submitting', 'open', 'downloading', 'lost', 'undelivered'];

export class SharedBook {
  /** The checkpoint without anybody's troubles. */
  readonly truth: SqliteCheckpoint;
  readonly #facts: SavedFact[] = [];
  #change = 0;
  #round = 1;
  #roundFact = 0;
  #submittedRows = 0;
  #badRows = 0;
  #creations = 0;
  /** `#change` as each item was changed last, and until when the answer to each token can come (epoch ms). */
  readonly #changes = new Map<number, number>();
  readonly #answerBy = new Map<string, number>();

  constructor(truth: SqliteCheckpoint) {
    this.truth = truth;
  }

  /** Anything may have changed, such as by an import. */
  noteAll(): void {
    this.#change += 1;
  }

  beginRound(): void {
    this.#round += 1;
    this.#change += 1;
    this.#roundFact = this.#facts.length;
    this.#submittedRows = 0;
    this.#badRows = 0;
  }

  get round(): number {
    return this.#round;
  }

  /** Saves all or nothing, as no other process can come between. Throws `StaleItemError` and `NoRoomError`. */
  async commit(worker: string, changes: readonly Change[], beside: Beside | undefined): Promise<void> {
    const room = beside?.room ?? null;
    if (room !== null) await this.#checkRoom(room, changes);
    this.truth.commitNow(changes, room?.steering);
    this.#change += 1;
    for (const { before, after } of changes) {
      this.#changes.set(after.key, this.#change);
      if (after.status === 'submitting' && before.status === 'pending') {
        this.#submittedRows += 1;
        this.#creations += 1;
        this.#answerBy.set(after.token ?? '', room?.answerBy ?? 0);
      }
      if (before.status === 'submitting' && after.status === 'pending') this.#submittedRows -= 1;
      if (badStatuses.has(after.status) && !badStatuses.has(before.status)) this.#badRows += 1;
    }
    for (const fact of beside?.facts ?? [])
      this.#facts.push({ number: this.#facts.length + 1, worker, fact });
  }

  async #checkRoom(room: ClaimRoom, changes: readonly Change[]): Promise<void> {
    const ledger = await this.truth.ledger();
    let places: readonly UncertainPlace[] = await this.truth.uncertainPlaces();
    for (const { before, after } of changes) {
      applyChange(ledger, before, after);
      places = placesAfter(places, before, after);
    }
    const claims = changes.filter(
      ({ before, after }) => before.status === 'pending' && after.status === 'submitting',
    );
    const { submitting, open } = ledger.counts;
    const held = submitting + open + heldByUncertain(places, ledger, room.at).length;
    const isOutdated = this.#facts
      .slice(room.lastFact)
      .some(({ fact }) => fact.type === 'lost' || fact.event.type !== 'creation-accepted');
    const fits =
      held <= room.held &&
      submitting + open <= room.open &&
      (room.submitting === null || submitting <= room.submitting) &&
      (room.submitted === null || this.#submittedRows + claims.length <= room.submitted) &&
      (room.points === null || (await this.#hasPoints(room, room.points, ledger, claims))) &&
      !isOutdated;
    if (!fits) throw new NoRoomError();
  }

  /** The rule of `decideAffordable`, on the numbers as they would be. */
  async #hasPoints(
    room: ClaimRoom,
    most: number,
    after: Ledger,
    claims: readonly Change[],
  ): Promise<boolean> {
    const ledger = copyLedger(after);
    for await (const { quality, points, endedAt } of this.truth.items(['downloading', 'completed'])) {
      if (points !== 0 || (endedAt ?? 0) < room.pricedLateSince) continue;
      const asked = effectiveQuality(quality);
      ledger.reserving.set(asked, (ledger.reserving.get(asked) ?? 0) + 1);
    }
    const reserved = reservedPoints(ledger);
    if (reserved !== null) return ledger.spent + reserved <= most;
    const [claim] = claims;
    if (claim === undefined || claims.length > 1) return false;
    // Alone, and the only one of an unknown price.
    const quality = effectiveQuality(claim.after.quality);
    ledger.reserving.set(quality, (ledger.reserving.get(quality) ?? 0) - 1);
    const others = reservedPoints(ledger);
    if (others === null) return false;
    const total = ledger.spent + others;
    return total < most && total + (guessedPoints(ledger, quality) ?? 0) <= most;
  }

  async look(): Promise<SharedState> {
    return {
      ledger: await this.truth.ledger(),
      change: this.#change,
      round: this.#round,
      submittedRows: this.#submittedRows,
      badRows: this.#badRows,
      lastFact: this.#facts.length,
      roundFact: this.#roundFact,
      creations: this.#creations,
    };
  }

  facts(after: number): readonly SavedFact[] {
    return this.#facts.slice(after);
  }

  async unfinished(slices: readonly number[], change: number): Promise<readonly Item[]> {
    const items = await Array.fromAsync(this.truth.items(unfinished));
    return items.filter(({ key }) => this.#isIn(slices, key) && (this.#changes.get(key) ?? 0) > change);
  }

  async unanswered(slices: readonly number[], at: number): Promise<readonly Item[]> {
    const items = await Array.fromAsync(this.truth.items(['submitting']));
    return items.filter(({ key, token }) => this.#isIn(slices, key) && this.#isPast(token, at));
  }

  /** Up to `limit` pending items of these slices. */
  async pending(slices: readonly number[], limit: number): Promise<Item[]> {
    const items = await this.truth.pendingItems({ limit: 10_000, only: null });
    return items.filter(({ key }) => this.#isIn(slices, key)).slice(0, limit);
  }

  /** True where the answer to this attempt's creation can no longer come. */
  #isPast(token: string | null, at: number): boolean {
    return at > (this.#answerBy.get(token ?? '') ?? 0);
  }

  /** Until when the answer to the creation of this item can come (epoch ms). */
  answerBy({ token }: Item): number {
    return this.#answerBy.get(token ?? '') ?? 0;
  }

  #isIn(slices: readonly number[], key: number): boolean {
    return slices.includes(key % sliceCount);
  }
}
