/**
 * Rules that stand twice, in the core and in a store that counts by itself: what is spent and reserved, what a row costs, which rows
 * count, how long the service asked to wait. After any history both say the same.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StaleItemError } from '../../../src/errors.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import { countQualities } from '../../../src/money/forecast/estimate.ts';
import type { Item, Status } from '../../../src/money/item.ts';
import { defaultPolicy, fixed } from '../../../src/money/policy.ts';
import { isHeld } from '../../../src/money/reused.ts';
import { hasMark } from '../../../src/money/statuses.ts';
import {
  applyChange,
  copyLedger,
  createLedger,
  type Ledger,
  mayBePricedLate,
  roundPoints,
} from '../../../src/money/summary.ts';
import { isLegal, transition } from '../../../src/money/transition.ts';
import { reportLine } from '../../../src/reports/columns.ts';
import { addTotals, noTotals } from '../../../src/reports/page.ts';
import { saveLateTasks } from '../../../src/runner/late-answers/late-tasks.ts';
import { askedPause } from '../../../src/stores/asked-pause.ts';
import type { ReportRow, RunWatch } from '../../../src/stores/port/reading.ts';
import { eventArbitrary } from '../../money/any-event.ts';
import { at, eventOf, itemIn } from '../../money/lives.ts';
import { incomingRows, namedRows } from '../incoming-rows.ts';
import type { StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';

const rowCount = 4;

/** Few, so that two attempts are answered with one task. */
const anyTask = fc.constantFrom('task-1', '0Task-1', 'task-2', 'task-3');

/** Events that lead a row to where points are counted: among all others they would come too seldom. */
const onward: ReadonlySet<ItemEvent['type']> = new Set<ItemEvent['type']>([
  'claimed',
  'creation-accepted',
  'task-completed',
  'video-saved',
  'task-overdue',
  'retry-ordered',
]);

/** An order falls away with what its row's last attempt is known for, which an event made up does not have. */
const madeUp = eventArbitrary.filter(({ type }) => type !== 'order-ended');

const anyEvent = fc
  .tuple(
    fc.oneof(
      madeUp,
      madeUp.filter(({ type }) => onward.has(type)),
    ),
    fc.option(anyTask),
  )
  .map(
    ([event, taskId]): ItemEvent =>
      taskId !== null && (event.type === 'creation-accepted' || event.type === 'task-adopted')
        ? { ...event, taskId }
        : event,
  );

type Step =
  /** The first of these events that can happen to the row. */
  | { readonly type: 'event'; readonly row: number; readonly events: readonly ItemEvent[] }
  /** A file with some of the rows, some with another text. */
  | { readonly type: 'file'; readonly lines: readonly ('same' | 'edited' | 'unsendable' | 'none')[] }
  /** A creation of some attempt so far is answered. */
  | { readonly type: 'late'; readonly attempt: number; readonly taskId: string }
  /** The service says what the task of an attempt cost that its row has left. */
  | {
      readonly type: 'priced';
      readonly attempt: number;
      readonly status: 'completed' | 'failed';
      readonly points: number | null;
    };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      type: fc.constant('event' as const),
      row: fc.nat(rowCount - 1),
      events: fc.array(anyEvent, { minLength: 5, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('file' as const),
      lines: fc.array(fc.constantFrom('same', 'edited', 'unsendable', 'none'), {
        minLength: rowCount,
        maxLength: rowCount,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('late' as const),
      attempt: fc.nat(20),
      taskId: fc.oneof(anyTask, fc.uuid()),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('priced' as const),
      attempt: fc.nat(20),
      status: fc.constantFrom('completed', 'failed'),
      points: fc.constantFrom(null, 0, 5, 12.5),
    }),
  },
);

const meets = (event: ItemEvent): Step => ({ type: 'event', row: 0, events: [event] });

/** A row's own task is named when the one that the user had named has failed. */
const ownTaskLast: Step[] = [
  meets(eventOf('claimed')),
  meets(eventOf('creation-uncertain')),
  meets(eventOf('task-adopted', { taskId: 'task-2' })),
  meets(eventOf('task-failed')),
  meets(eventOf('creation-accepted', { taskId: 'task-1' })),
];

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, each) => sum + each, 0);

/** Qualities of which nothing is reserved are not worth a line. */
const plain = ({ largestPoints: _, reserving, spent, ...ledger }: Ledger) => ({
  ...ledger,
  spent: roundPoints(spent),
  reserving: new Map([...reserving].filter(([, count]) => count > 0)),
});

/** The rows of a run, and all that the changes so far come to. */
class History {
  readonly #run: StoreRun;
  readonly #watch: RunWatch;
  /** By `applyChange`, since what only the store counts. */
  #summed: Ledger = createLedger();
  /** The pause that the service asked for last (epoch ms). */
  #pausedUntil = 0;
  /** Tokens of all attempts, and all tasks that were ever named. */
  readonly #tokens: string[] = [];
  readonly #tasks = new Set<string>();

  constructor(run: StoreRun, watch: RunWatch) {
    this.#run = run;
    this.#watch = watch;
  }

  async begin(): Promise<void> {
    await this.#run.ingest(incomingRows(...namedRows(rowCount)));
    await this.#recount();
  }

  async take(step: Step): Promise<void> {
    if (step.type === 'event') await this.#meet(step.row, step.events);
    else {
      await this.check();
      await this.#change(step);
      await this.#recount();
    }
  }

  async #meet(row: number, events: readonly ItemEvent[]): Promise<void> {
    const { checkpoint } = this.#run;
    const items = await this.#run.all();
    const before = items[row % items.length];
    const legal = events.find(({ type }) => before !== undefined && isLegal(before.status, type));
    if (before === undefined || legal === undefined) return;
    // No two attempts have one token; generated ones are the same now and then.
    const event = legal.type === 'claimed' ? { ...legal, token: `token-${this.#tokens.length}` } : legal;
    const after = transition(before, event, defaultPolicy).item;
    const edit = await checkpoint.editOf(before.key);
    const owner = after.taskId === null ? null : await checkpoint.itemOfTask(after.taskId);
    const isNamed = after.taskId !== before.taskId && owner !== null;
    try {
      await checkpoint.commit([{ before, after }]);
    } catch (error) {
      if (!(error instanceof StaleItemError)) throw error;
      const [inFile] = await checkpoint.itemsWithIds([before.id], 'inFile');
      const isGoneClaim = event.type === 'claimed' && inFile?.key !== before.key;
      expect(owner !== null || isGoneClaim, 'a change is refused without a reason').toBe(true);
      expect(await checkpoint.itemWithKey(before.key)).toEqual(before);
      return;
    }
    const takesEdit = edit !== null && after.status === 'pending' && before.status !== 'pending';
    expect(await checkpoint.itemWithKey(before.key)).toEqual(
      takesEdit ? { ...after, token: null, quality: edit.quality } : after,
    );
    if (isNamed) expect(owner.key, 'a task was given to two rows').toBe(before.key);
    if (after.token !== null && after.token !== before.token) this.#tokens.push(after.token);
    if (after.taskId !== null) this.#tasks.add(after.taskId);
    const asked = askedPause([{ before, after }]);
    const isLonger = this.#pausedUntil >= asked && this.#pausedUntil <= asked + fixed.retryAfterMaxMs;
    if (asked > 0 && !isLonger) this.#pausedUntil = asked;
    applyChange(this.#summed, before, after);
    // A task that passes from one attempt to another takes its points along, which the row does not know of.
    if (isNamed) await this.#recount();
  }

  async #change(step: Exclude<Step, { type: 'event' }>): Promise<void> {
    const { checkpoint } = this.#run;
    if (step.type === 'file') {
      const file = incomingRows(...namedRows(rowCount)).flatMap((row, n) => {
        const how = step.lines[n];
        if (how === 'none') return [];
        if (how === 'unsendable') return [{ ...row, failure: 'its picture is not there' }];
        return [how === 'same' ? row : { ...row, content: `another text of ${row.id}` }];
      });
      await this.#run.ingest(file);
    } else if (step.type === 'late') {
      const token = this.#tokens[step.attempt % this.#tokens.length];
      if (token === undefined) return;
      await saveLateTasks(checkpoint, [{ token, taskId: step.taskId }], at);
      this.#tasks.add(step.taskId);
    } else {
      const unpriced = await checkpoint.unpricedAttempts(100);
      const task = unpriced[step.attempt % unpriced.length];
      if (task !== undefined) await checkpoint.savePoints(task, { ...step, at });
    }
  }

  async #recount(): Promise<void> {
    this.#summed = copyLedger(await this.#run.checkpoint.ledger());
  }

  async check(): Promise<void> {
    const items = await this.#run.all();
    const rows = await Array.fromAsync(this.#run.checkpoint.reportRows());
    await this.#checkLedger(items, rows);
    await this.#checkRows(items, rows);
    await this.#checkPrices(items, rows);
  }

  async #checkLedger(items: readonly Item[], rows: readonly ReportRow[]): Promise<void> {
    const ledger = await this.#run.checkpoint.ledger();
    const { counts, ...numbers } = plain(ledger);
    const { counts: summedCounts, ...summed } = plain(this.#summed);
    expect({ ...numbers, longestTaskMs: null }).toEqual({ ...summed, longestTaskMs: null });
    // The ended task that the user named gives way to the row's own: how long it took is known only to those who saw it end.
    if (numbers.longestTaskMs !== null)
      expect(summed.longestTaskMs).toBeGreaterThanOrEqual(numbers.longestTaskMs);
    // Rows that left the file are no work left to do.
    const goneCounts = createLedger().counts;
    for (const { item, gone } of rows) if (!gone || item.status !== 'pending') goneCounts[item.status] += 1;
    expect(counts).toEqual(goneCounts);
    if (items.length === rows.length && rows.every(({ gone }) => !gone)) expect(counts).toEqual(summedCounts);
    // A service that corrects its points downward leaves the higher price known only to those who saw it.
    for (const [quality, points] of ledger.largestPoints)
      expect(this.#summed.largestPoints.get(quality)).toBeGreaterThanOrEqual(points);
    // Each attempt counts as if it were an item of its own.
    const each = createLedger();
    for (const { attempts } of rows)
      for (const attempt of attempts)
        applyChange(each, itemIn('pending'), itemIn('pending', { ...attempt, token: `t${attempt.attempt}` }));
    expect({ ...numbers, reserving: sumOf(ledger.reserving.values()) }).toEqual({
      held: items.filter(isHeld).length,
      unpriced: each.unpriced,
      spent: roundPoints(each.spent),
      longestTaskMs: each.longestTaskMs,
      reserving: sumOf(each.reserving.values()),
    });
  }

  /** Rows that count are those of the file, and those that had a task: whatever was charged has a line. */
  async #checkRows(items: readonly Item[], rows: readonly ReportRow[]): Promise<void> {
    const keys = items.map(({ key }) => key);
    const marks = new Map((await this.#watch.marksOf(keys)).map((mark) => [mark.key, mark]));
    const isGone = ({ key }: Item): boolean => marks.get(key)?.gone === 1;
    const tasked = new Set<number>();
    for (const task of this.#tasks) {
      const item = await this.#run.checkpoint.itemOfTask(task);
      if (item !== null) tasked.add(item.key);
    }
    const hasNoTask: ReadonlySet<Status> = new Set<Status>(['pending', 'rejected', 'invalid']);
    const isShown = (item: Item): boolean =>
      !isGone(item) || (item.attempt > 0 && (!hasNoTask.has(item.status) || tasked.has(item.key)));
    const shown = items
      .filter(isShown)
      .sort((a, b) => Number(isGone(a)) - Number(isGone(b)) || a.row - b.row || a.key - b.key);
    expect(rows).toHaveLength(shown.length);
    expect(rows).toMatchObject(shown.map((item) => ({ item, gone: isGone(item) })));
    const some = await this.#watch.reportRowsOf(keys);
    expect(some.map(({ item }) => item.key).sort()).toEqual(shown.map(({ key }) => key).sort());
    for (const sum of await this.#watch.sums()) {
      const those = items.filter(({ status }) => status === sum.status);
      expect(sum).toEqual({
        status: sum.status,
        count: those.length,
        shown: those.filter(isShown).length,
        rows: sumOf(those.map(({ row }) => row)),
        gone: those.filter(isGone).length,
        attempts: sumOf(those.map(({ attempt }) => attempt)),
      });
    }
    const bad = shown.filter(({ status }) => hasMark(status, 'bad'));
    const unsendable = new Set<number>();
    for (const { key } of items)
      if (((await this.#run.checkpoint.editOf(key))?.failure ?? null) !== null) unsendable.add(key);
    const retriable = bad.filter((item) => !isGone(item) && !unsendable.has(item.key));
    const { groups } = await this.#run.store.totals.failureGroups();
    expect([sumOf(groups.map(({ count }) => count)), sumOf(groups.map(({ inFile }) => inFile))]).toEqual([
      bad.length,
      retriable.length,
    ]);
    for (const [status, qualities] of Object.entries(await this.#run.store.totals.retryable()))
      expect(countQualities(qualities)).toBe(retriable.filter((item) => item.status === status).length);
    const goneBad = Object.groupBy(bad.filter(isGone), ({ status }) => status);
    expect(await this.#run.store.totals.goneCounts()).toEqual(
      Object.fromEntries(Object.entries(goneBad).map(([status, those]) => [status, those.length])),
    );
  }

  async #checkPrices(items: readonly Item[], rows: readonly ReportRow[]): Promise<void> {
    const { checkpoint, store } = this.#run;
    const { counts: _, ...totals } = addTotals(noTotals, rows.map(reportLine), rows);
    const { points, videoPoints, ...prices } = await this.#watch.prices();
    expect({ ...prices, points: roundPoints(points), videoPoints: roundPoints(videoPoints) }).toEqual(totals);
    const attempts = rows.flatMap((row) => row.attempts);
    const { charged, perVideo } = await store.totals.prices();
    expect(charged).toBe(attempts.filter((attempt) => (attempt.points ?? 0) > 0).length);
    if (totals.pricedVideos === 0) expect(perVideo).toBeNull();
    else expect(perVideo).toBeCloseTo(totals.videoPoints / totals.pricedVideos);
    const leftAttempts = rows.flatMap(({ item, attempts }) =>
      attempts.filter(({ attempt }) => item.token === null || attempt !== item.attempt),
    );
    expect((await checkpoint.unpricedAttempts(100)).map(({ taskId }) => taskId).sort()).toEqual(
      leftAttempts
        .flatMap(({ taskId, points }) => (taskId !== null && points === null ? [taskId] : []))
        .sort(),
    );
    const unpriced = await Array.fromAsync(checkpoint.itemsWithoutPoints());
    expect(unpriced.map(({ key }) => key).sort()).toEqual(
      items
        .flatMap((item) => (item.status === 'completed' && mayBePricedLate(item) ? [item.key] : []))
        .sort(),
    );
    expect(await checkpoint.pausedUntil()).toBe(this.#pausedUntil);
  }
}

export function describeHistories(runs: Runs): void {
  describe('after any history', () => {
    it('the store counts as the core and the reports do', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { maxLength: 60, size: 'max' }), async (steps) => {
          await using run = await runs.openScratch();
          const history = new History(run, await run.store.openWatch());
          await history.begin();
          for (const step of steps) await history.take(step);
          await history.check();
        }),
        { numRuns: runs.tries(80), examples: [[ownTaskLast]] },
      );
    });
  });
}
