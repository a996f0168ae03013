/**
 * The store of a simulated fleet: the SQLite checkpoint under the rules of a shared one. What PostgreSQL does under one
 * lock, this does in one turn of the event loop. The same histories on both give the same answers
 * (`test/support/shared-histories.ts`): else the worlds of a fleet prove nothing.
 */

import { randomUUID } from 'node:crypto';
import { NoRoomError, UsageError } from '../../../src/errors.ts';
import type { Item, Quality, Status } from '../../../src/money/item.ts';
import { hasMark } from '../../../src/money/statuses.ts';
import {
  createLedger,
  effectiveQuality,
  type Ledger,
  mostPoints,
  noteLargest,
  reservedPoints,
  roundPoints,
} from '../../../src/money/summary.ts';
import { type UncertainPlace, uncertainSlotMs, uncertainSlots } from '../../../src/money/tick.ts';
import type { Change, ClaimRoom, CommitExtras } from '../../../src/stores/port/checkpoint.ts';
import { steeringSetting } from '../../../src/stores/port/settings.ts';
import {
  type RoundStart,
  type SavedFact,
  type SharedState,
  sliceCount,
  type TermsMark,
} from '../../../src/stores/port/sharing.ts';
import type { Database } from '../../../src/stores/sqlite/database.ts';
import { markName } from '../../../src/stores/sqlite/move-mark.ts';
import {
  createSqliteCheckpoint,
  type SqliteCheckpoint,
} from '../../../src/stores/sqlite/sqlite-checkpoint.ts';

const unfinished: readonly Status[] = ['submitting', 'open', 'downloading', 'lost', 'undelivered'];

/** More facts decide no breaker. */
const mostFacts = 1_000;

/** What the store counts of a round. */
interface Round {
  readonly submittedRows: number;
  readonly badRows: number;
}

interface AttemptRow {
  readonly quality: Quality | null;
  readonly status: Status;
  readonly taskId: string | null;
  readonly points: number | null;
  readonly submittedAt: number | null;
  readonly endedAt: number | null;
}

const isClaim = ({ before, after }: Change): boolean =>
  after.status === 'submitting' && before.status !== 'submitting';

export class SharedBook {
  /** The checkpoint without anybody's troubles. */
  readonly truth: SqliteCheckpoint;
  readonly #db: Database;
  readonly #facts: SavedFact[] = [];
  /** Names the run, and the server that keeps it. */
  readonly runId = randomUUID();
  server = 'first';
  /** The server that the processes have compared with what they know. */
  #confirmed: string | null = 'first';
  #change = 0;
  #round = 1;
  #roundFact = 0;
  #counted: Round = { submittedRows: 0, badRows: 0 };
  /** `#change` as each item was changed last, and the round in which it was claimed. */
  readonly #changes = new Map<number, number>();
  readonly #rounds = new Map<number, number>();
  /** Until when the answer to each token can come (epoch ms). */
  readonly #answerBy = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
    this.truth = createSqliteCheckpoint(db);
  }

  /** Does what is no commit, such as an import: what it changed is noted row by row. */
  async noting<T>(work: () => Promise<T>): Promise<T> {
    this.#refuseMoved();
    const before = this.#rows();
    const end = await work();
    this.#change += 1;
    for (const [key, row] of this.#rows()) if (before.get(key) !== row) this.#changes.set(key, this.#change);
    return end;
  }

  /** The items with what belongs to them and an import writes. */
  #rows(): ReadonlyMap<number, string> {
    const rows = this.#db.prepare<[], { key: number }>(`
      SELECT i.*, q.input AS text, e.content AS edit, e.input AS edited, e.source AS edited_source, e.failure AS refused, p.written FROM items i
      LEFT JOIN questions q ON q.item = i.key LEFT JOIN edits e ON e.item = i.key LEFT JOIN pictured p ON p.item = i.key`);
    return new Map(rows.all().map((row) => [row.key, JSON.stringify(row)]));
  }

  /** A process has compared this server; null where one knows of creations that are not here. */
  confirm(server: string | null): void {
    if (server === null || server === this.server) this.#confirmed = server;
  }

  tasksOf(tokens: readonly string[]): ReadonlyMap<string, string | null> {
    const found = this.#db.prepare<[string], { taskId: string | null }>(
      'SELECT task_id AS taskId FROM attempts WHERE token = ?',
    );
    return new Map(
      tokens.flatMap((token) => {
        const row = found.get(token);
        return row === undefined ? [] : [[token, row.taskId] as const];
      }),
    );
  }

  /** The round and what it begins with are one record. */
  beginRound({ options, terms }: RoundStart = { options: {}, terms: null }): TermsMark {
    const saved = JSON.parse(this.#setting('options') ?? '{}');
    this.#save('options', JSON.stringify({ ...saved, ...options }));
    if (terms !== null) this.#save('round', terms);
    this.#round += 1;
    this.#change += 1;
    this.#roundFact = this.#facts.length;
    this.#counted = { submittedRows: 0, badRows: 0 };
    return this.mark();
  }

  mark(): TermsMark {
    const steering = JSON.parse(this.#setting(steeringSetting) ?? 'null');
    return { round: this.#round, steering: steering?.number ?? 0 };
  }

  /** The run is elsewhere: what is saved here would stay behind. */
  #refuseMoved(): void {
    if (this.#setting(markName) !== null) throw new UsageError('this run moves, or has moved');
  }

  pictureDigests(paths: readonly string[]): ReadonlyMap<string, string> {
    const found = this.#db.prepare<[string], { digest: string }>(
      'SELECT digest FROM pictures WHERE path = ?',
    );
    return new Map(paths.flatMap((path) => found.all(path).map(({ digest }) => [path, digest] as const)));
  }

  #setting(name: string): string | null {
    const found = this.#db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?');
    return found.get(name)?.value ?? null;
  }

  #save(name: string, value: string): void {
    this.#db
      .prepare(
        'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      )
      .run(name, value);
  }

  get round(): number {
    return this.#round;
  }

  /** Saves all or nothing, as no other process can come between. Throws `StaleItemError` and `NoRoomError`. */
  commit(
    worker: string,
    changes: readonly Change[],
    { room, facts }: CommitExtras = { room: null, facts: [] },
  ): void {
    if (changes.length + facts.length === 0) return;
    this.#refuseMoved();
    const claims = changes.filter(isClaim);
    const counted = this.#countedWith(changes);
    const saveAll = this.#db.transaction(() => {
      this.truth.commitNow(changes, claims.length > 0 ? room?.steering : undefined);
      if (room !== null && claims.length > 0) this.#checkRoom(room, claims, counted);
    });
    saveAll();
    this.#change += 1;
    this.#counted = counted;
    for (const { after } of changes) this.#changes.set(after.key, this.#change);
    for (const { after } of claims) {
      this.#rounds.set(after.key, this.#round);
      this.#answerBy.set(after.token ?? '', room?.answerBy ?? 0);
    }
    for (const fact of facts) this.#facts.push({ number: this.#facts.length + 1, worker, fact });
  }

  #countedWith(changes: readonly Change[]): Round {
    let { submittedRows, badRows } = this.#counted;
    for (const change of changes) {
      const { before, after } = change;
      if (isClaim(change)) submittedRows += 1;
      // A row that was claimed before this round did not count in it.
      const isBack = before.status === 'submitting' && after.status === 'pending';
      if (isBack && this.#rounds.get(after.key) === this.#round) submittedRows -= 1;
      if (hasMark(after.status, 'bad') && !hasMark(before.status, 'bad')) badRows += 1;
    }
    return { submittedRows, badRows };
  }

  /** Holds everything as it is with the claims against their room. */
  #checkRoom(room: ClaimRoom, claims: readonly Change[], { submittedRows }: Round): void {
    const ledger = this.#ledgerNow();
    const { submitting, open } = ledger.counts;
    const holdMs = uncertainSlotMs(ledger, { taskTimeoutMs: room.mostHoldMs });
    const held = submitting + open + uncertainSlots(this.#places(), holdMs, room.at).length;
    const isOutdated = this.#facts
      .slice(room.lastFact)
      .some(({ fact }) => fact.type === 'lost' || fact.event.type !== 'creation-accepted');
    const { lastSent } = room;
    const fits =
      this.#confirmed === this.server &&
      (lastSent === null || this.tasksOf([lastSent]).size === 1) &&
      (room.round === null || room.round === this.#round) &&
      this.#creations() - claims.length >= room.creations &&
      !isOutdated;
    if (!fits) throw new NoRoomError();
    const byFlight = (room.submitting ?? Number.POSITIVE_INFINITY) - submitting;
    const byRest = Math.min(
      room.held - held,
      room.open - submitting - open,
      (room.submitted ?? Number.POSITIVE_INFINITY) - submittedRows,
    );
    const least = Math.min(byFlight, byRest);
    if (least < 0) {
      const places = Math.max(0, claims.length + Math.floor(least));
      throw new NoRoomError({ places, isBrief: byFlight <= byRest });
    }
    if (room.points !== null && !this.#hasPoints(room, room.points, ledger, claims)) throw new NoRoomError();
  }

  /** The rule of `decideAffordable`, on the numbers as they are with the claims. */
  #hasPoints(room: ClaimRoom, most: number, ledger: Ledger, claims: readonly Change[]): boolean {
    for (const { quality, status, points, endedAt } of this.#attempts()) {
      const isMade = status === 'downloading' || status === 'completed';
      if (!isMade || points !== 0 || (endedAt ?? 0) < room.pricedLateSince) continue;
      const asked = effectiveQuality(quality);
      ledger.reserving.set(asked, (ledger.reserving.get(asked) ?? 0) + 1);
    }
    const reserved = reservedPoints(ledger);
    if (reserved !== null) return roundPoints(ledger.spent + reserved) <= most;
    const [claim] = claims;
    if (claim === undefined || claims.length > 1) return false;
    // Alone, and the only one of an unknown price.
    const quality = effectiveQuality(claim.after.quality);
    ledger.reserving.set(quality, (ledger.reserving.get(quality) ?? 0) - 1);
    const others = reservedPoints(ledger);
    if (others === null) return false;
    const total = ledger.spent + others;
    return total < most && roundPoints(total + (mostPoints(ledger) ?? 0)) <= most;
  }

  /** The numbers that claims are held against, counted up from the rows: the obvious way. */
  #ledgerNow(): Ledger {
    const ledger = createLedger();
    const counts = this.#db.prepare<[], { status: Status; n: number }>(
      'SELECT status, count(*) AS n FROM items GROUP BY status',
    );
    for (const { status, n } of counts.all()) ledger.counts[status] = n;
    for (const { quality, status, taskId, points, submittedAt, endedAt } of this.#attempts()) {
      const asked = effectiveQuality(quality);
      ledger.spent = roundPoints(ledger.spent + (points ?? 0));
      noteLargest(ledger, asked, points ?? 0);
      if (points === null && (hasMark(status, 'reserving') || taskId !== null))
        ledger.reserving.set(asked, (ledger.reserving.get(asked) ?? 0) + 1);
      if (taskId !== null && submittedAt !== null && endedAt !== null)
        ledger.longestTaskMs = Math.max(ledger.longestTaskMs ?? 0, endedAt - submittedAt);
    }
    return ledger;
  }

  #attempts(): readonly AttemptRow[] {
    return this.#db
      .prepare<[], AttemptRow>(
        `SELECT quality, status, task_id AS taskId, points, submitted_at AS submittedAt, ended_at AS endedAt FROM attempts`,
      )
      .all();
  }

  #places(): readonly UncertainPlace[] {
    return this.#db
      .prepare<[], UncertainPlace>(
        "SELECT id, submitted_at AS at FROM items WHERE status = 'uncertain' AND submitted_at IS NOT NULL",
      )
      .all();
  }

  #creations(): number {
    return this.#db.prepare<[], { n: number }>('SELECT total(attempt) AS n FROM items').get()?.n ?? 0;
  }

  async look(): Promise<SharedState> {
    return {
      ledger: await this.truth.ledger(),
      change: this.#change,
      round: this.#round,
      ...this.#counted,
      lastFact: this.#facts.length,
      roundFact: this.#roundFact,
      creations: this.#creations(),
      server: this.server,
      isConfirmed: this.#confirmed === this.server,
      refusal: null,
      crew: [],
    };
  }

  facts(after: number): readonly SavedFact[] {
    return this.#facts.slice(after).slice(-mostFacts);
  }

  async unfinished(slices: readonly number[], change: number): Promise<readonly Item[]> {
    const items = await Array.fromAsync(this.truth.items(unfinished));
    return items.filter(({ key }) => this.#isIn(slices, key) && (this.#changes.get(key) ?? 0) > change);
  }

  async unanswered(slices: readonly number[], at: number): Promise<readonly Item[]> {
    const items = await Array.fromAsync(this.truth.items(['submitting']));
    return items.filter((item) => this.#isIn(slices, item.key) && at > this.answerBy(item));
  }

  /** Up to `limit` pending items of these slices; `only` names ids. */
  async pending(slices: readonly number[], limit: number, only: readonly string[] | null): Promise<Item[]> {
    const items = await this.truth.pendingItems({ limit: 10_000, only });
    return items.filter(({ key }) => this.#isIn(slices, key)).slice(0, limit);
  }

  /** Until when the answer to the creation of this item can come (epoch ms). */
  answerBy({ token }: Item): number {
    return this.#answerBy.get(token ?? '') ?? 0;
  }

  #isIn(slices: readonly number[], key: number): boolean {
    return slices.includes(key % sliceCount);
  }
}
