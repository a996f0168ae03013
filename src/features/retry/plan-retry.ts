/** Plans a retry: which rows get a new attempt, in which quality and with which texts, and what becomes of the others. */

import type { OpenedRun } from '../../app/begin-work.ts';
import { countEnded, type EndedOrder, endedOrders } from '../../app/offers/ended-finals.ts';
import { countByQuality } from '../../app/offers/waiting-rows.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { Options } from '../../app/options/options.ts';
import { maxImageBytesOf } from '../../app/options/settings.ts';
import { doubtAboutCorrection } from '../../input/doubts/odd-rows.ts';
import type { Words } from '../../messages/both.ts';
import { inBoth, message, type Said } from '../../messages/message.ts';
import { isWantedFailure } from '../../money/failure-groups.ts';
import {
  addQualities,
  countQualities,
  noRows,
  type QualityCounts,
  withoutCounts,
} from '../../money/forecast/estimate.ts';
import type { Item, Quality, Status } from '../../money/item.ts';
import type { PaidRows } from '../../money/paid-rows.ts';
import { parseQuestion, readShown } from '../../money/parse-question.ts';
import type { EndedFinal, OrderedFinal } from '../../money/review/final.ts';
import type { GivenMark } from '../../money/review/joined-marks.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import { effectiveQuality, expectedPoints, type Ledger } from '../../money/summary.ts';
import type { ImageFiles } from '../../ports.ts';
import { prepareRequest } from '../../runner/submitting/prepare-request.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import type { Store } from '../../stores/port/store.ts';
import type { ReusingRun } from '../reuse/other-runs.ts';
import { planOrdered, type ReusedRetry } from '../reuse/plan-reuse.ts';
import { markedRows, savedMarks } from '../review/saved-marks.ts';
import { chooseFinals, type FinalChoice } from './choose-finals.ts';
import { chooseNamed, type NamedChoice } from './choose-named.ts';
import { type PlannedCorrections, planCorrections } from './plan-corrections.ts';

/** Which rows get a new attempt. */
export interface RetryChoice {
  readonly statuses: readonly Status[];
  /** Of these, only rows that ended so in this round or before; null for all. */
  readonly until: number | null;
  /** Of rows named by their ids, only those whose last attempt this is; null for any. */
  readonly attempt: number | null;
  /** True for the rows that reviewers call bad, by the marks that are saved with the run. */
  readonly marked: boolean;
  /** The round of a retry whose rows that wait are sent, and no others; null for a retry that orders rows. */
  readonly unsent: number | null;
  /** Part of the failure, or the whole failure in double quotes; null for any. */
  readonly failure: string | null;
  /** Also rows that left the file. */
  readonly withGone: boolean;
  /** The quality in which drafts that reviewers call good are made once more; null for other retries. */
  readonly final: Quality | null;
}

/** Counts of rows with another text in the file now. */
interface RowEdits {
  /** They are sent with the new text. */
  readonly changed: number;
  /** The new text cannot be sent: they are skipped, because the old text is no longer wanted. */
  readonly unsendable: number;
}

/** A retry before it is ordered. */
export interface RetryPlan {
  /** The rows that get a new attempt, with their current quality in the file; each call reads them again. */
  readonly rows: () => AsyncIterable<Item>;
  /** How many rows these are. */
  readonly attempts: QualityCounts;
  /** Rows that would get one, too, but for `--limit`. */
  readonly beyondLimit: number;
  /** Named rows that wait for their next attempt already and are sent with them. */
  readonly waiting: readonly Item[];
  /** All rows that this retry submits and pays for. */
  readonly paid: QualityCounts;
  /** The round of the earlier retry that continues; null where rows are ordered. */
  readonly goesOn: number | null;
  /** Rows whose order for a final falls away, named or not. */
  readonly ended: readonly EndedFinal[];
  /** What happens to the named rows; null when none are named. */
  readonly named: NamedChoice | null;
  /** Named rows that already have their video: they are paid for again. */
  readonly completed: readonly Item[];
  readonly edits: RowEdits;
  readonly corrections: PlannedCorrections;
  /** Corrections that look odd, and are sent. */
  readonly oddCorrections: number;
  /** What is ordered besides an attempt, by key. */
  readonly finals: ReadonlyMap<number, OrderedFinal>;
  /** About drafts that are made once more; null for other retries. */
  readonly promotion: Promotion | null;
  readonly ledger: Ledger;
  /** Saved options included. */
  readonly options: Options;
  /** What need not be paid for; absent until that is planned. */
  readonly reused?: ReusedRetry;
}

/** Drafts that are made once more. */
export interface Promotion extends Pick<FinalChoice, 'had' | 'otherVideo'> {
  readonly quality: Quality;
  /** The most that one attempt in it has cost; null while none has. */
  readonly each: number | null;
  /** Completed rows that stay as they are, and have no attempt in this quality. */
  readonly others: number;
}

/** What a plan may need besides the rows. */
interface PlanAids {
  /** Images of the rows, where this process can read them. */
  readonly images?: ImageFiles | null;
  /** What `--only` says; the marks in its tables choose drafts. */
  readonly naming?: Invocation['naming'];
  /** What becomes of corrections that look odd. */
  readonly odd?: Options['odd'];
}

/** Plans a retry. `given` are the rows that `--only` names. */
export async function planRetry(
  { store, options: saved }: Pick<OpenedRun, 'store' | 'options'>,
  given: readonly NamedRow[] | null,
  choice: RetryChoice,
  aids: PlanAids = {},
): Promise<RetryPlan> {
  const { checkpoint } = store;
  const ended = await endedOrders(store);
  const { named, drafts, oddCorrections, ...found } = await chooseByName(
    { store, options: saved },
    given,
    choice,
    aids,
  );
  const byName = found.byName === null ? null : withoutEnded(found.byName, ended);
  const goesOn = choice.unsent;
  const most = saved.limit ?? Number.POSITIVE_INFINITY;
  // Rows that were ordered before come first: an interrupted retry continues.
  const waiting = (byName?.waiting ?? []).slice(0, most);
  const meant = (): AsyncIterable<Item> | readonly Item[] =>
    byName?.chosen ?? rowsOfChoice(checkpoint, choice);
  const room = most - waiting.length;
  const sent = (): AsyncIterable<Item> | readonly Item[] =>
    drafts?.chosen ?? sendable(checkpoint, meant(), saved.quality ?? null);
  const rows = (): AsyncIterable<Item> => upTo(room, sent());
  const { attempts, beyondLimit, completed } = await countRows(sent(), room);
  const edits = await countEdits(checkpoint, upTo(room, meant()));
  const corrections =
    drafts === null
      ? await planCorrections(store, inOrder(rows(), byName?.corrected ?? []), named)
      : { rows: [], kept: drafts.kept, dropped: [], changes: drafts.changes };
  const left = goesOn === null ? noRows : await leftOf(store, ended, { only: null, retry: goesOn });
  const paid = addQualities(addQualities(attempts, await countByQuality(waiting)), left);
  const ledger = await checkpoint.ledger();
  return {
    rows,
    attempts,
    beyondLimit,
    waiting,
    paid,
    goesOn,
    ended,
    named: byName,
    completed,
    edits,
    corrections,
    oddCorrections,
    finals: drafts?.finals ?? new Map(),
    promotion:
      drafts === null || choice.final === null
        ? null
        : {
            ...drafts,
            quality: choice.final,
            each: expectedPoints(ledger, choice.final),
            others: withoutQuality(await store.totals.completedQualities(), choice.final) - completed.length,
          },
    ledger,
    options: saved,
  };
}

/** The plan without the rows that take the video of another row, or wait for it. */
export async function withoutReusedRows(run: ReusingRun, plan: RetryPlan): Promise<RetryPlan> {
  // No row of a run that machines share takes a video.
  if (run.invocation.shared !== null) return plan;
  const { checkpoint } = run.store;
  const qualities = new Map<number, Quality | null>();
  for await (const { key, quality } of inOrder(plan.rows(), plan.waiting)) qualities.set(key, quality);
  if (plan.goesOn !== null) {
    const left = { limit: Number.MAX_SAFE_INTEGER, only: null, retry: plan.goesOn };
    for (const { key, quality } of await checkpoint.pendingItems(left)) qualities.set(key, quality);
  }
  if (qualities.size === 0) return plan;
  const { changes: corrections } = plan.corrections;
  const reused = await planOrdered(run, { qualities, corrections }, plan.ledger);
  const { reuse } = reused;
  return { ...plan, reused, paid: reuse === null ? plan.paid : withoutCounts(plan.paid, reuse.counts) };
}

/** Nothing continues for rows whose order falls away. */
function withoutEnded(choice: NamedChoice, ended: readonly EndedFinal[]): NamedChoice {
  const ids = new Set(ended.map(({ id }) => id));
  return {
    ...choice,
    underWay: choice.underWay.filter((id) => !ids.has(id)),
    waiting: choice.waiting.filter(({ id }) => !ids.has(id)),
  };
}

/** What an earlier retry left. */
async function leftOf(
  store: Pick<Store, 'totals' | 'checkpoint'>,
  ended: readonly EndedOrder[],
  paid: PaidRows,
): Promise<QualityCounts> {
  return withoutCounts(await store.totals.pendingQualities(paid), await countEnded(store, ended, paid));
}

/** What becomes of rows that are named. */
interface ByName {
  /** By ids, tables, or marks that call them bad; null for none. */
  readonly named: readonly NamedRow[] | null;
  /** Null where the statuses of rows choose them. */
  readonly byName: NamedChoice | null;
  /** The same where drafts are made once more; else null. */
  readonly drafts: FinalChoice | null;
  readonly oddCorrections: number;
}

async function chooseByName(
  { store, options }: Pick<OpenedRun, 'store' | 'options'>,
  given: readonly NamedRow[] | null,
  choice: RetryChoice,
  { images = null, naming = null, odd = 'hold' }: PlanAids,
): Promise<ByName> {
  const { checkpoint } = store;
  const defaults = { quality: null, notifyUrl: null, maxImageBytes: maxImageBytesOf(options) };
  const cannotBeMade = async (item: Item): Promise<Said | null> => {
    const request = images === null ? null : await prepareRequest({ checkpoint, images }, item, defaults);
    return request !== null && 'failure' in request ? request.failure : null;
  };
  if (choice.final !== null) {
    const drafts = await chooseFinals(store, await goodMarks(store, naming), choice.final, cannotBeMade);
    return { named: null, byName: drafts, drafts, oddCorrections: 0 };
  }
  const named = choice.marked ? await markedRows(store) : given;
  if (named === null) return { named, byName: null, drafts: null, oddCorrections: 0 };
  const isMeant = (item: Item): boolean =>
    (choice.statuses.length === 0 || choice.statuses.includes(item.status)) &&
    isOfFailure(item, choice.failure);
  let oddCorrections = 0;
  // As a new attempt it would be invalid, and its video would stand for it no more. The text of an edit was looked at with the file.
  const whyUnsendable = async (item: Item, { corrected }: NamedRow): Promise<Said | null> => {
    const isEdited = (await checkpoint.editOf(item.key)) !== null;
    // Neither text may be paid for: the reviewer has not seen that of the file, nor the user that of the table.
    if (isEdited && corrected !== undefined) return message('retry.corrected-and-edited');
    const what = corrected === undefined ? null : await doubtAbout(checkpoint, item, corrected);
    if (what !== null && odd === 'hold') return message('retry.correction-odd', { what });
    if (what !== null) oddCorrections += 1;
    return item.status !== 'completed' || isEdited ? null : cannotBeMade(item);
  };
  const marked = named.map((row) => (row.isTyped ? { ...row, attempt: choice.attempt } : row));
  const chosen = await chooseNamed(store, marked, isMeant, scopeOf(choice), whyUnsendable);
  const corrected = new Map(named.map((row) => [row.id, row]));
  let byName: NamedChoice = chosen;
  for (const item of chosen.corrected) {
    const why = await whyUnsendable(item, corrected.get(item.id) as NamedRow);
    if (why !== null) byName = withoutWaiting(byName, item, why);
  }
  return { named, byName, drafts: null, oddCorrections };
}

/** What the row would seem to be with its corrected texts; null for nothing. */
async function doubtAbout(
  checkpoint: Checkpoint,
  { key }: Item,
  corrected: NonNullable<NamedRow['corrected']>,
): Promise<Words | null> {
  const { input, source } = await checkpoint.input(key);
  return doubtAboutCorrection(input, source, parseQuestion(input, source).question, corrected);
}

/** A row that waits goes on waiting: its correction is refused. */
function withoutWaiting(choice: NamedChoice, { key, id }: Item, why: Said): NamedChoice {
  const others = (ids: readonly string[]): readonly string[] => ids.filter((one) => one !== id);
  return {
    ...choice,
    underWay: others(choice.underWay),
    unsent: others(choice.unsent),
    waiting: choice.waiting.filter((item) => item.key !== key),
    corrected: choice.corrected.filter((item) => item.key !== key),
    leftOut: [...choice.leftOut, message('skipped.unsendable', { id, what: inBoth(why) })],
  };
}

/** The marks that drafts are chosen by: those of the tables of `--only`, or those saved with the run. */
async function goodMarks(
  store: Pick<Store, 'reviews'>,
  naming: Invocation['naming'],
): Promise<readonly GivenMark[]> {
  return naming === null ? savedMarks(store) : naming.tables.flatMap(({ rows }) => rows);
}

/** How many of these rows have another quality. */
function withoutQuality(counts: QualityCounts, quality: Quality): number {
  const unsaid = quality === effectiveQuality(null) ? counts.none : 0;
  return countQualities(counts) - counts[quality] - unsaid;
}

/** Counts the rows in one pass; `completed` are those that have their video, up to `room`, as all are that get an attempt. */
async function countRows(
  rows: AsyncIterable<Item> | Iterable<Item>,
  room: number,
): Promise<Pick<RetryPlan, 'attempts' | 'beyondLimit' | 'completed'>> {
  const attempts = { ...noRows };
  const completed: Item[] = [];
  let [count, beyondLimit] = [0, 0];
  for await (const item of rows) {
    count += 1;
    if (count > room) beyondLimit += 1;
    else {
      attempts[item.quality ?? 'none'] += 1;
      // Statuses name none of these: only who names rows has any.
      if (item.status === 'completed') completed.push(item);
    }
  }
  return { attempts, beyondLimit, completed };
}

/** Rows that left the file are unwanted, unless the user includes them. */
function scopeOf({ withGone }: RetryChoice): 'all' | 'inFile' {
  return withGone ? 'all' : 'inFile';
}

async function* rowsOfChoice(checkpoint: Checkpoint, choice: RetryChoice): AsyncGenerator<Item> {
  for await (const item of checkpoint.items(choice.statuses, scopeOf(choice), choice.until ?? undefined)) {
    if (isOfFailure(item, choice.failure)) yield item;
  }
}

function isOfFailure({ id, taskId, failure }: Item, wanted: string | null): boolean {
  return wanted === null || isWantedFailure(failure ?? '', [taskId ?? '', id], wanted);
}

/** The first items. */
async function* upTo(count: number, items: AsyncIterable<Item> | Iterable<Item>): AsyncGenerator<Item> {
  let left = count;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left <= 0) return;
  }
}

async function countEdits(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<RowEdits> {
  const edits = { changed: 0, unsendable: 0 };
  for await (const { key } of items) {
    const edit = await checkpoint.editOf(key);
    if (edit !== null) edits[edit.failure === null ? 'changed' : 'unsendable'] += 1;
  }
  return edits;
}

/** The rows that can be sent with their current text, with their current quality. `unsaid` is that of rows that name none. */
async function* sendable(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
  unsaid: Quality | null,
): AsyncGenerator<Item> {
  for await (const item of items) {
    const edit = await checkpoint.editOf(item.key);
    if (edit === null) yield { ...item, quality: await qualityOf(checkpoint, item, unsaid) };
    else if (edit.failure === null) yield { ...item, quality: edit.quality };
  }
}

/** What the row asks for next; null for what the run says. Its last attempt may have had what the run said then. */
async function qualityOf(
  checkpoint: Checkpoint,
  { key, quality }: Item,
  unsaid: Quality | null,
): Promise<Quality | null> {
  if (quality === null || quality === unsaid) return quality;
  const { input, source, quality: ofFinal } = await checkpoint.input(key);
  return ofFinal ?? readShown(input, source).quality;
}

async function* inOrder(first: AsyncIterable<Item>, then: readonly Item[]): AsyncGenerator<Item> {
  yield* first;
  yield* then;
}
