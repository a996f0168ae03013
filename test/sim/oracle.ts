/** What must hold in every simulated world, whatever happened in it: the checkpoint and the disk against the ledger. */

import { isEarlier, shownFiles } from '../../src/money/artifacts.ts';
import type { Artifact, Item, Quality } from '../../src/money/item.ts';
import type { Policy } from '../../src/money/policy.ts';
import { fixed } from '../../src/money/policy.ts';
import {
  createLedger,
  decideExitCode,
  type EndingReason,
  effectiveQuality,
  isKeyRefusal,
  type Ledger,
} from '../../src/money/summary.ts';
import { uncertainSlotMs } from '../../src/money/tick.ts';
import type { Change } from '../../src/stores/port/checkpoint.ts';
import type { Attempt, ReportRow } from '../../src/stores/port/reading.ts';
import { findDamage } from '../../src/stores/sqlite/soundness.ts';
import type { SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { flawOf } from './sim-files.ts';
import type { SimProcess, World } from './sim-process.ts';
import { plainId, type SimTask } from './sim-service.ts';

/** A promise that was broken, in one line. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export function promise(holds: boolean, text: string): void {
  if (!holds) throw new BrokenPromise(text);
}

/** The row a report row is about: the first word of its question. */
export function rowOf({ input }: Pick<ReportRow, 'input'>): string {
  return String(input.question).split(' ')[0] ?? '';
}

/** What the user wants to be paid. */
export interface Wishes {
  /** What was ordered to be paid again, by row and by text. */
  readonly orders: ReadonlyMap<string, number>;
  readonly textOrders: ReadonlyMap<string, number>;
  /** How often each text stood at most in any file that was taken up. */
  readonly most: ReadonlyMap<string, number>;
}

/** Holds all rows against the ledger. May be asked whenever no process runs. */
export async function checkWorld(world: World, checkpoint: SqliteCheckpoint, wishes: Wishes): Promise<void> {
  const rows: ReportRow[] = [];
  for await (const row of checkpoint.reportRows()) rows.push(row);
  const damage = findDamage(world.db);
  promise(damage === null, `the next process would refuse the checkpoint: ${damage}`);
  checkMoney(world, rows, wishes.orders);
  checkTexts(world, wishes);
  await checkFiles(world, rows);
  const ledger = await checkpoint.ledger();
  const told = rows.flatMap(({ attempts }) => attempts).reduce((sum, { points }) => sum + (points ?? 0), 0);
  promise(ledger.spent === told, `the totals say ${ledger.spent} points, the rows ${told}`);
  promise(!/s3cret/.test(JSON.stringify(rows)), 'the checkpoint holds a signed link');
}

function checkMoney(world: World, rows: readonly ReportRow[], orders: Wishes['orders']): void {
  const tasksByRow = Map.groupBy(world.service.tasks.values(), (task) => task.row);
  const known = new Map(
    rows.flatMap((row) => row.attempts).map((attempt) => [plainId(attempt.taskId ?? ''), attempt]),
  );
  // A row whose text changed after it was sent was sent with the text it had.
  const isFor = (name: string, row: ReportRow, { attempt }: Attempt): boolean =>
    (world.sent.get(`${row.item.key} ${attempt}`)?.split(' ')[0] ?? rowOf(row)) === name;
  for (const [name, tasks] of tasksByRow) {
    // A row may have been sent again with the text of another one.
    const own = new Set(tasks.map(({ taskId }) => taskId));
    const isOwn = (row: ReportRow): boolean =>
      row.attempts.some((attempt) => own.has(plainId(attempt.taskId ?? '')) || isFor(name, row, attempt));
    const twins = rows.filter((row) => rowOf(row) === name || isOwn(row));
    const attempts = twins.flatMap((row) => row.attempts.filter((attempt) => isFor(name, row, attempt)));
    const allowed = Math.max(1, twins.length) + (orders.get(name) ?? 0);
    promise(tasks.length <= allowed, `${name} was accepted ${tasks.length} times, ${allowed} were ordered`);
    const unknown = tasks.filter((task) => !known.has(task.taskId));
    // One that was answered with an earlier task of its row has that one, and its own is nobody's.
    const hasOther = ({ taskId }: Attempt): boolean =>
      (world.service.tasks.get(plainId(taskId ?? ''))?.row ?? name) !== name;
    const open = attempts.filter((attempt) => isUnknown(world, attempt) || hasOther(attempt));
    promise(
      unknown.length <= open.length,
      `${unknown.map(({ taskId }) => taskId).join(', ')} of ${name} was accepted, and no attempt is uncertain or lost`,
    );
    for (const task of tasks) checkPoints(world, task, known.get(task.taskId));
  }
}

/** No text is paid more often than it stands in a file, whatever became of its id. */
function checkTexts(world: World, { textOrders, most }: Wishes): void {
  for (const [text, tasks] of Map.groupBy(world.service.tasks.values(), ({ question }) => question)) {
    const allowed = (most.get(text) ?? 0) + (textOrders.get(text) ?? 0);
    promise(tasks.length <= allowed, `"${text}" was accepted ${tasks.length} times, ${allowed} were wanted`);
  }
}

/** No row is lost in fair weather whose task the service knows. */
export function checkNotLost(world: World, { taskId, id }: Pick<Item, 'taskId' | 'id'>): void {
  const task = world.service.tasks.get(taskId ?? '');
  const isGone =
    task === undefined ||
    task.end === 'never' ||
    task.forgotten[1] === Number.POSITIVE_INFINITY ||
    world.service.isBarredForEver(task.taskId);
  promise(isGone, `${id} is lost in fair weather, and the service knows ${taskId}`);
}

/**
 * True for an attempt that says of itself that its task is not known: uncertain, or of an id that leads to nothing. Such an id
 * may have been the answer to the next attempt too, which has it then.
 */
function isUnknown(world: World, { status, taskId }: Attempt): boolean {
  if (taskId !== null) return !world.service.tasks.has(taskId) && (status === 'open' || status === 'lost');
  return status === 'uncertain' || status === 'submitting' || status === 'lost';
}

const unsettled: ReadonlySet<string> = new Set(['uncertain', 'submitting', 'open', 'lost', 'pending']);

function checkPoints(world: World, task: SimTask, attempt: Attempt | undefined): void {
  if (attempt === undefined || unsettled.has(attempt.status)) return;
  // What was said late may have been said when nobody asked any more; the last look finds it.
  if (task.priceLagMs > 0 && (attempt.points ?? 0) === 0 && !world.isLastLook) return;
  // A run without a cap keeps what it heard of a price that rises; under a cap it is none before it stands.
  if (task.riseMs > 0 && (attempt.points === null || !world.isCapped)) return;
  const charged = task.isUnpriced ? null : world.service.priceOf(task);
  promise(
    attempt.points === charged,
    `${task.taskId} of ${task.row} cost ${charged} points, its attempt is ${attempt.status} with ${attempt.points}`,
  );
}

async function checkFiles(world: World, rows: readonly ReportRow[]): Promise<void> {
  // A row that was sent again with the text of another has the files of both.
  const { tasks } = world.service;
  const names = new Map(
    rows.map((row): [string, readonly string[]] => [
      row.item.folder,
      [rowOf(row), ...row.attempts.flatMap(({ taskId }) => tasks.get(taskId ?? '')?.row ?? [])],
    ]),
  );
  for (const [path, bytes] of world.disk.files) {
    const [, folder = '', name = ''] = /^([^/]+)\/(?:attempt-\d+\/)?(.+)$/.exec(path) ?? [];
    promise(names.has(folder), `${path} is in the folder of no row`);
    promise(/^(task\.json|video\.\w+|frames\/\d{3}\.\w+)$/.test(name), `${path} has no name of the tool's`);
    const flaws = (names.get(folder) ?? []).map((owner) => flawOf(bytes, owner));
    const flaw = name === 'task.json' || flaws.includes(null) ? null : flaws[0];
    promise(flaw === null, `${path}: ${flaw}`);
  }
  for (const { item } of rows) {
    for (const { kind, ordinal, state, path, sizeBytes, sha256 } of item.artifacts) {
      if (state !== 'saved' || path === null || world.disk.isAway) continue;
      // What could not be set aside because its disk was away may be replaced in its place.
      if (isEarlier({ kind }) && !path.includes('/attempt-')) continue;
      // A frame that was away when the files of its attempt were set aside lies where it was; its video was not away then.
      if (kind === 'earlier' && ordinal > 0 && world.disk.wasAway) continue;
      const found = await world.disk.inspect(path);
      promise(
        found?.sizeBytes === sizeBytes && found?.sha256 === sha256,
        `${path} is saved in the checkpoint and not, or otherwise, on the disk`,
      );
    }
    promise(
      item.status !== 'rejected' ||
        (names.get(item.folder) ?? []).some((name) => world.service.refused.has(name)),
      `${item.id} is rejected, and the service refused it only in passing`,
    );
    const hasVideo = item.artifacts.some(({ kind, state }) => kind === 'video' && state === 'saved');
    promise(item.status !== 'completed' || hasVideo, `${item.id} is completed without a video`);
  }
}

/** Jumps and sleeps that a world may have. */
export const mostJumps = 4;

/** A task is given up only when the service has not known it for long, or says that it goes on past its time. */
export function checkLost(world: World, { before, after }: Change, policy: Policy): void {
  const task = world.service.tasks.get(after.taskId ?? '');
  if (before.status !== 'open' || after.status !== 'lost' || task === undefined) return;
  // The answers came before the computer slept, and are saved after it.
  if (world.jumpedAt === world.clock.now()) return;
  const isUnknown = /not found/i.test(after.failure ?? '');
  promise(
    // What the service knew while the computer slept, nobody asked.
    !isUnknown || world.sleptMs > 0 || world.service.hasForgotten(task, fixed.notFoundMs),
    `${after.id} is lost, and the service knew ${task.taskId} a while ago`,
  );
  const ageMs = world.clock.now() - task.acceptedAt;
  // Its age counts from the claim.
  const sendMs = fixed.sendWindowMs + policy.requestTimeoutMs;
  const isOld = ageMs >= policy.taskTimeoutMs - sendMs || world.jumpsLeft < mostJumps;
  promise(
    isUnknown || isOld,
    `${after.id} is lost, and ${task.taskId} is ${Math.round(ageMs / 60_000)} minutes old`,
  );
  const endedMs = world.clock.now() - task.endsAt;
  const hasSaidSo =
    isUnknown ||
    world.service.wasBarred(task.taskId) ||
    world.weather.has('flapping') ||
    // Answers that cannot be read count where the service answers other questions: its own words follow.
    (world.weather.has('garbled') && /\(--task-timeout\): /.test(after.failure ?? '')) ||
    endedMs <= 2 * policy.pollIntervalMs + 200_000;
  promise(
    hasSaidSo,
    `${after.id} is lost, and ${task.taskId} ended ${Math.round(endedMs / 60_000)} minutes ago`,
  );
}

/** The promise that a change breaks when it says of a task how it ended before it has; null for none. */
export function endedEarly(world: World, { before, after }: Change): BrokenPromise | null {
  const task = world.service.tasks.get(plainId(after.taskId ?? ''));
  const isEnd = before.status === 'open' && (after.status === 'downloading' || after.status === 'failed');
  if (!isEnd || task === undefined) return null;
  if (!world.service.hasEnded(task))
    return new BrokenPromise(`${after.id} is ${after.status}, and ${task.taskId} is still being made`);
  const isFailed = task.end === 'failed';
  if (isFailed === (after.status === 'failed')) return null;
  return new BrokenPromise(
    `${after.id} is ${after.status}, and ${task.taskId} has ${isFailed ? '' : 'not '}failed`,
  );
}

/** The promise that a change breaks when a row that shows a video does not know it any more; null for none. */
export function forgottenBy({ before, after }: Change): BrokenPromise | null {
  const isKnown = after.artifacts.some(({ kind, sha256 }) => kind !== 'frame' && sha256 !== null);
  if (shownFiles(before).video === null || isKnown) return null;
  return new BrokenPromise(
    `${after.id} was ${before.status} with a video, and is ${after.status} without one`,
  );
}

/** A row does not end without the video that lies in its place as it was saved. */
export async function checkNothingForgotten(
  { disk }: World,
  checkpoint: SqliteCheckpoint,
  made: ReadonlyMap<number, Artifact>,
): Promise<void> {
  for await (const item of checkpoint.items(['undelivered'])) {
    const { path, sha256 } = made.get(item.key) ?? { path: null, sha256: null };
    const found = path === null || shownFiles(item).video !== null ? null : await disk.inspect(path);
    promise(found?.sha256 !== sha256 || found === null, `${item.id} is undelivered, and ${path} is whole`);
  }
}

/** What a run remembers in memory of its numbers is what the checkpoint knows. */
export async function checkMemory(checkpoint: SqliteCheckpoint, memory: Readonly<Ledger>): Promise<void> {
  const [known, said] = [await checkpoint.ledger(), memory].map(
    ({ counts, spent, reserving, unpriced, longestTaskMs }) =>
      JSON.stringify({
        counts,
        spent,
        reserving: [...reserving].filter(([, count]) => count > 0).sort(),
        unpriced,
        longestTaskMs,
      }),
  );
  promise(said === known, `the run counts ${said}, the checkpoint ${known}`);
}

/** Holds the exit code of a process that has ended against what it left. */
export async function checkEnding(checkpoint: SqliteCheckpoint, reason: EndingReason): Promise<void> {
  const ledger = await checkpoint.ledger();
  const counts = createLedger().counts;
  for await (const { item, gone } of checkpoint.reportRows())
    if (!gone || item.status !== 'pending') counts[item.status] += 1;
  const left = counts.pending + counts.open + counts.downloading + counts.submitting;
  const bad = counts.failed + counts.rejected + counts.lost + counts.undelivered + counts.invalid;
  const code = decideExitCode(ledger.counts, reason);
  const isTrue =
    code === 0
      ? left + bad + counts.uncertain === 0
      : code === 1
        ? left + counts.uncertain === 0 && bad > 0
        : code === 4
          ? (left > 0 || reason === 'disk' || reason === 'refusal-breaker') && counts.uncertain === 0
          : code === 5
            ? counts.uncertain + counts.submitting > 0
            : (code === 130 && reason === 'interrupted') ||
              (code === 3 && isKeyRefusal(reason)) ||
              (code === 2 && reason === 'wrong-service');
  promise(isTrue, `exit code ${code} after ${reason} with ${JSON.stringify(counts)}`);
}

/**
 * Holds the claims that were just saved against the budget: what the service has charged and may still charge, by its own book,
 * with what these rows may cost. A row of a quality whose price nobody has seen may go, alone.
 */
export function checkBudget(world: World, policy: Policy, claims: readonly Item[]): void {
  if (policy.maxPoints === null) return;
  const seen = world.db
    .prepare<[], { quality: Quality }>(
      "SELECT DISTINCT coalesce(quality, 'm') AS quality FROM attempts WHERE points > 0",
    )
    .all();
  const isSeen = (quality: Quality | null): boolean =>
    seen.some((each) => each.quality === effectiveQuality(quality));
  const probes = claims.filter(({ quality }) => !isSeen(quality));
  promise(probes.length === 0 || claims.length === 1, 'a row of unknown price does not go alone');
  const charged = [...world.service.tasks.values()].reduce(
    (sum, task) => sum + world.service.mayCost(task),
    0,
  );
  const more = claims.reduce(
    (sum, { quality }) => sum + (isSeen(quality) ? world.service.priceIn(quality) : 0),
    0,
  );
  promise(
    charged + more <= policy.maxPoints,
    `${charged} points are or may be charged and ${more} more are claimed, with a cap of ${policy.maxPoints}`,
  );
}

/** Rows that wait for their video. */
export function countWaiting({ db }: Pick<World, 'db'>): number {
  const count = "SELECT count(*) AS n FROM items WHERE status IN ('downloading', 'undelivered')";
  return db.prepare<[], { n: number }>(count).get()?.n ?? 0;
}

/**
 * While no video can be had, rows that wait for theirs are few: as many as show it, those that were open already, and one for each
 * start. `atOnce`: the most tasks that were allowed at once; `concurrency`: those allowed to this process, null where that changes.
 */
export function checkDeliverable(
  world: World,
  process: SimProcess,
  {
    atOnce,
    processCount,
    concurrency,
  }: { readonly atOnce: number; readonly processCount: number; readonly concurrency: number | null },
): void {
  if (!world.weather.isAbout('deadHost')) return;
  const waiting = countWaiting(world);
  promise(
    waiting <= Math.min(10, atOnce) + 1 + atOnce + processCount,
    `a row is paid for while ${waiting} rows wait for a video that cannot be had`,
  );
  if (concurrency === null || process.waitingAtStart < Math.min(10, concurrency)) return;
  const own = world.db
    .prepare<[string], { n: number }>(
      `SELECT count(*) AS n FROM items
       WHERE token LIKE ? AND status IN ('submitting', 'open', 'downloading', 'undelivered')`,
    )
    .get(`${process.name}-%`)?.n;
  promise(
    (own ?? 0) <= 1,
    `${own} rows are paid for by a start that found ${process.waitingAtStart} without a video`,
  );
}

/** Holds a claim that was just saved against the cap: open tasks, and uncertain ones as long as they hold their place. */
export function checkCap(world: World, process: SimProcess, policy: Policy): void {
  const number = (query: string, ...params: number[]): number | null =>
    world.db.prepare<number[], { n: number | null }>(query).get(...params)?.n ?? null;
  const count = (where: string, ...params: number[]): number =>
    number(`SELECT count(*) AS n FROM items WHERE ${where}`, ...params) ?? 0;
  const now = process.now();
  const held = (holdMs: number): number =>
    count("status = 'uncertain' AND submitted_at > ? AND submitted_at <= ?", now - holdMs, now + holdMs);
  const longestMs = number(
    'SELECT max(0, max(ended_at - submitted_at)) AS n FROM attempts WHERE task_id IS NOT NULL',
  );
  // An end that was learned a moment ago counts from the next turn on; that it does then, `checkMemory` sees.
  const counted = process.ledger?.longestTaskMs ?? longestMs;
  const longestTaskMs = longestMs === null || counted === null ? longestMs : Math.min(longestMs, counted);
  const uncertain = held(uncertainSlotMs({ longestTaskMs }, policy));
  const taken = count("status IN ('submitting', 'open')");
  promise(
    taken + uncertain <= policy.concurrency,
    `${taken} creations and tasks are open and ${uncertain} may be, with a cap of ${policy.concurrency}`,
  );
  promise(count("status = 'submitting'") <= fixed.creationsInFlight, 'too many creations are in flight');
}
