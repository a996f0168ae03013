/**
 * One random history through several stores at once: each operation is asked of all of them, and every answer is compared.
 * What one store forgives and another refuses is found here, and not by a fleet that pays twice.
 */

import fc from 'fast-check';
import { expect } from 'vitest';
import { NoRoomError, StaleItemError } from '../../src/errors.ts';
import type { ItemEvent } from '../../src/money/event.ts';
import type { Item } from '../../src/money/item.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { roundPoints } from '../../src/money/summary.ts';
import { isLegal, transition } from '../../src/money/transition.ts';
import { saveLateTasks } from '../../src/runner/late-answers/late-tasks.ts';
import type { Change, ClaimRoom, CreationFact } from '../../src/stores/port/checkpoint.ts';
import { steeringSetting } from '../../src/stores/port/settings.ts';
import { sliceCount } from '../../src/stores/port/sharing.ts';
import type { Store } from '../../src/stores/port/store.ts';
import { eventArbitrary } from '../money/any-event.ts';
import { at, eventOf, events } from '../money/lives.ts';
import { incomingRows, namedRows } from './incoming-rows.ts';
import { factOf, lostFact, wide } from './store-contract/together.ts';
import { runOver } from './store-run.ts';

const rowCount = 6;

/** All rows are compared after so many steps: reading them takes longer than most steps. */
const wholeEvery = 10;

/** Few, so that two attempts are answered with one task. */
const anyTask = fc.constantFrom('task-1', 'task-2', 'task-3', 'task-4');

const named = (event: ItemEvent, taskId: string | null): ItemEvent =>
  taskId !== null && (event.type === 'creation-accepted' || event.type === 'task-adopted')
    ? { ...event, taskId }
    : event;

/** Those that lead onward come more often: among all others few rows would ever cost anything. */
const onward: readonly ItemEvent[] = [
  eventOf('claimed', { quality: null }),
  eventOf('claimed', { quality: 'h' }),
  events['creation-accepted'],
  events['creation-uncertain'],
  events['creation-not-sent'],
  events['task-completed'],
  events['video-saved'],
  events['task-overdue'],
  events['retry-ordered'],
];
const anyEvent = fc
  .tuple(fc.oneof(eventArbitrary, fc.constantFrom(...onward)), fc.option(anyTask))
  .map(([event, taskId]) => named(event, taskId));

/** A room as a worker may believe in it; what depends on the run is said by how far it is off. */
const anyRoom = fc.record({
  held: fc.constantFrom(1, 2, 3, 5, 1_000),
  mostHoldMs: fc.constantFrom(600_000, 21_600_000),
  open: fc.constantFrom(1, 2.5, 4, Number.POSITIVE_INFINITY),
  submitting: fc.constantFrom(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1, 2),
  submitted: fc.constantFrom(null, null, 2, 4, 8),
  points: fc.constantFrom(null, null, 0.3, 10, 22.5, 40, 100),
  pricedLateSince: fc.constantFrom(0, at, at + 40_000_000),
  unknownCreations: fc.constantFrom(0, 0, 0, 1),
  missedFacts: fc.constantFrom(0, 0, 0, 1, 3),
  missedSteering: fc.constantFrom(0, 0, 0, 1),
  missedRounds: fc.constantFrom(0, 0, 0, 1),
  answerBy: fc.constantFrom(at + 90_000, at + 3_600_000),
  at: fc.constantFrom(at, at + 1_200_000, at + 3_600_000),
});
type AnyRoom = typeof anyRoom extends fc.Arbitrary<infer T> ? T : never;

const anyFact = fc.constantFrom<CreationFact>(
  factOf('creation-accepted'),
  factOf('creation-refused'),
  lostFact,
);
const anyRows = fc.uniqueArray(fc.nat(rowCount - 1), { maxLength: rowCount });

type Step =
  /** Each of these rows lives through the first of its events that can happen to it, all in one commit. */
  | {
      readonly type: 'commit';
      readonly worker: number;
      readonly moves: readonly { readonly row: number; readonly events: readonly ItemEvent[] }[];
      /** Decided on the rows as they were before their last change. */
      readonly isLate: boolean;
      readonly room: AnyRoom | null;
      readonly facts: readonly CreationFact[];
    }
  | { readonly type: 'file'; readonly lines: readonly ('same' | 'edited' | 'unsendable' | 'none')[] }
  | { readonly type: 'take back'; readonly rows: readonly number[] }
  | { readonly type: 'late'; readonly attempt: number; readonly taskId: string }
  | {
      readonly type: 'priced';
      readonly attempt: number;
      readonly status: 'completed' | 'failed';
      readonly points: number | null;
    }
  | { readonly type: 'round' }
  | { readonly type: 'steer' }
  /** What is asked without changing anything. */
  | { readonly type: 'ask'; readonly rows: readonly number[]; readonly limit: number; readonly at: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      worker: fc.nat(1),
      moves: fc.uniqueArray(
        fc.record({
          row: fc.nat(rowCount - 1),
          events: fc.array(anyEvent, { minLength: 6, maxLength: 6 }),
        }),
        { selector: ({ row }) => row, minLength: 1, maxLength: 3 },
      ),
      isLate: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      room: fc.option(anyRoom),
      facts: fc.array(anyFact, { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('file' as const),
      lines: fc.array(fc.constantFrom('same', 'same', 'edited', 'unsendable', 'none'), {
        minLength: rowCount,
        maxLength: rowCount,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take back' as const), rows: anyRows }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('late' as const),
      attempt: fc.nat(40),
      taskId: fc.oneof(anyTask, fc.uuid()),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('priced' as const),
      attempt: fc.nat(40),
      status: fc.constantFrom('completed', 'failed'),
      points: fc.constantFrom(null, 0, 5, 12.5),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'round' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'steer' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('ask' as const),
      rows: anyRows,
      limit: fc.integer({ min: 1, max: 4 }),
      at: fc.constantFrom(at, at + 100_000, at + 4_000_000),
    }),
  },
);

/** What a store has of its own: its keys, and what it reads beside the items of a report. */
const own: ReadonlySet<string> = new Set(['key', 'gone', 'input', 'source']);
const bare = (item: Item) => ({
  ...Object.fromEntries(Object.entries(item).filter(([name]) => !own.has(name))),
  artifacts: withoutKeys(item.artifacts),
});
const withoutKeys = (parts: readonly object[]) =>
  parts.map((part) => Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'item')));
const bareAll = (items: readonly Item[]) =>
  items.toSorted((a, b) => a.row - b.row || a.id.localeCompare(b.id)).map(bare);

/** One store, as the two processes that work on it have it. */
class Side {
  readonly name: string;
  readonly isShared: boolean;
  readonly #stores: readonly Store[];
  /** Each row as it was before its last change here. */
  readonly #before = new Map<string, Item>();
  /** `change` at the last question. */
  #asked = -1;
  #steering = 0;
  readonly #tokens: string[] = [];

  constructor(name: string, stores: readonly Store[]) {
    this.name = name;
    this.#stores = stores;
    this.isShared = stores.every(({ sharing }) => sharing !== null);
  }

  get #first(): Store {
    const [store] = this.#stores;
    if (store === undefined) throw new Error(`${this.name} has no store`);
    return store;
  }

  async begin(): Promise<void> {
    await runOver(this.#first).ingest(incomingRows(...namedRows(rowCount)));
  }

  /** The answer to this step. */
  async take(step: Step, token: string): Promise<unknown> {
    const { checkpoint, settings, sharing } = this.#first;
    switch (step.type) {
      case 'commit':
        return this.#commit(step, token);
      case 'file': {
        const file = incomingRows(...namedRows(rowCount)).flatMap((row, n) => {
          const how = step.lines[n];
          if (how === 'none') return [];
          if (how === 'unsendable') return [{ ...row, failure: 'its picture is not there' }];
          return [how === 'same' ? row : { ...row, content: `another text of ${row.id}` }];
        });
        if (file.length === 0) return null;
        const { plan, problems } = await runOver(this.#first).ingest(file);
        return { plan, problems };
      }
      case 'take back':
        await checkpoint.takeBack((await this.#rows(step.rows)).map(({ key }) => key));
        return null;
      case 'late': {
        const attempt = this.#tokens[step.attempt % Math.max(1, this.#tokens.length)];
        if (attempt === undefined) return null;
        return saveLateTasks(checkpoint, [{ token: attempt, taskId: step.taskId }], at);
      }
      case 'priced': {
        const unpriced = [...(await checkpoint.unpricedAttempts(100))].sort((a, b) =>
          a.token.localeCompare(b.token),
        );
        const task = unpriced[step.attempt % Math.max(1, unpriced.length)];
        if (task !== undefined) await checkpoint.savePoints(task, { ...step, at });
        return unpriced;
      }
      case 'round':
        await sharing?.beginRound({ options: {}, terms: null });
        return null;
      case 'steer':
        this.#steering += 1;
        await settings.save(steeringSetting, JSON.stringify({ number: this.#steering, pause: null }));
        return null;
      case 'ask':
        return this.#ask(step);
    }
  }

  async #rows(places: readonly number[]): Promise<Item[]> {
    return this.#first.checkpoint.itemsWithIds(places.map((place) => `q${place + 1}`));
  }

  async #commit(step: Extract<Step, { type: 'commit' }>, token: string): Promise<unknown> {
    const { checkpoint, sharing } = this.#stores[step.worker % this.#stores.length] ?? this.#first;
    const changes: Change[] = [];
    for (const { row, events: story } of step.moves) {
      const [now] = await this.#rows([row]);
      const before = step.isLate && now !== undefined ? (this.#before.get(now.id) ?? now) : now;
      const legal = story.find(({ type }) => before !== undefined && isLegal(before.status, type));
      if (before === undefined || legal === undefined) continue;
      const event = legal.type === 'claimed' ? { ...legal, token: `${token} ${row}` } : legal;
      changes.push({ before, after: transition(before, event, defaultPolicy).item });
    }
    const room = step.room === null || sharing === null ? null : await this.#room(step.room);
    try {
      await checkpoint.commit(changes, { room, facts: sharing === null ? [] : step.facts });
    } catch (error) {
      if (error instanceof NoRoomError) return 'no room';
      if (!(error instanceof StaleItemError)) throw error;
      const stale = changes.filter(({ after }) => error.keys.includes(after.key));
      return `stale: ${stale.map(({ after }) => after.id).sort()}`;
    }
    for (const { before, after } of changes) {
      this.#before.set(before.id, before);
      if (after.token !== null && after.token !== before.token) this.#tokens.push(after.token);
    }
    return 'saved';
  }

  async #room(room: AnyRoom): Promise<ClaimRoom> {
    const state = await this.#first.sharing?.look();
    const { unknownCreations, missedFacts, missedSteering, missedRounds, ...limits } = room;
    return {
      ...wide,
      ...limits,
      creations: (state?.creations ?? 0) + unknownCreations,
      lastFact: Math.max(0, (state?.lastFact ?? 0) - missedFacts),
      steering: Math.max(0, this.#steering - missedSteering),
      round: (state?.round ?? 0) - missedRounds,
    };
  }

  async #ask({ rows, limit, at: time }: Extract<Step, { type: 'ask' }>): Promise<unknown> {
    const { checkpoint, sharing } = this.#first;
    const items = await this.#rows(rows);
    const alone = {
      places: (await checkpoint.uncertainPlaces()).toSorted((a, b) => a.id.localeCompare(b.id)),
      sources: (await checkpoint.sources()).length,
      pausedUntil: await checkpoint.pausedUntil(),
      hasPending: await checkpoint.hasPending({ only: items.map(({ id }) => id) }),
      edits: await Promise.all(items.map(({ key }) => checkpoint.editOf(key))),
      tasks: await Promise.all(
        ['task-1', 'task-2'].map(async (task) => (await checkpoint.itemOfTask(task))?.id ?? null),
      ),
    };
    if (sharing === null) return { alone, shared: null };
    const slices = items.map(({ key }) => key % sliceCount);
    const { change } = await sharing.look();
    const since = this.#asked;
    this.#asked = change;
    return {
      alone,
      shared: {
        changed: bareAll(await Array.fromAsync(sharing.unfinished(slices, since))),
        all: bareAll(await Array.fromAsync(sharing.unfinished(slices, -1))),
        unanswered: bareAll(await sharing.unanswered(slices, time)),
        pending: bareAll(await checkpoint.pendingItems({ limit, only: null, slices })),
        only: bareAll(await checkpoint.pendingItems({ limit, only: ['q1', 'q3', 'q5'], slices })),
        facts: (await sharing.facts(limit)).map(({ number, fact }) => ({ number, fact })),
        answerBy: await Promise.all(items.map(({ key }) => sharing.answerBy(key))),
      },
    };
  }

  /** What a look shows, with all rows or only with what they come to. */
  async state(isWhole: boolean): Promise<{ readonly alone: unknown; readonly shared: unknown }> {
    const { checkpoint, sharing } = this.#first;
    const ledger = await checkpoint.ledger();
    const alone = {
      ledger: {
        ...ledger,
        spent: roundPoints(ledger.spent),
        reserving: [...ledger.reserving].filter(([, count]) => count > 0).sort(),
        largestPoints: [...ledger.largestPoints].sort(),
      },
      rows: (isWhole ? await Array.fromAsync(checkpoint.reportRows()) : []).map(
        ({ item, attempts, ...row }) => ({
          ...row,
          item: bare(item),
          attempts: withoutKeys(attempts),
        }),
      ),
    };
    if (sharing === null) return { alone, shared: null };
    // Servers have names of their own.
    const { ledger: _, change: __, round: ___, server: ____, ...counted } = await sharing.look();
    return { alone, shared: counted };
  }
}

/** The stores of one run each, as its two processes have it, by name; the first says what the others must. */
export type StoresByName = Readonly<Record<string, readonly Store[]>>;

/** Plays the history of this seed. */
export async function playHistory(seed: number, length: number, stores: StoresByName): Promise<void> {
  const [first, ...others] = Object.entries(stores).map(([name, each]) => new Side(name, each));
  if (first === undefined) throw new Error('no store is named');
  for (const side of [first, ...others]) await side.begin();
  for (const [place, step] of fc.sample(anyStep, { seed, numRuns: length }).entries()) {
    const token = `token ${place}`;
    const said = await first.take(step, token);
    const isWhole = place % wholeEvery === 0 || place === length - 1;
    const state = await first.state(isWhole);
    for (const side of others) {
      const where = `seed ${seed}, step ${place}, ${side.name} beside ${first.name}: ${JSON.stringify(step)}`;
      // One process alone has no room to keep to: it does not do what a shared store refuses.
      if (!side.isShared && said === 'no room') continue;
      const theirs = await side.take(step, token);
      if (side.isShared || step.type !== 'ask') expect(theirs, where).toEqual(said);
      const now = await side.state(isWhole);
      expect(now.alone, where).toEqual(state.alone);
      if (side.isShared) expect(now.shared, where).toEqual(state.shared);
    }
  }
}
