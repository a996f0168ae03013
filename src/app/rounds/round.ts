/**
 * A round of a run: what `run`, `resume`, `retry` and `collect` begin. Rounds are counted, so that a retry is known by the
 * number of its round, and a row by the round in which it ended badly. Limits of a shared run count from the beginning of a
 * round, and its terms are saved, so that every worker keeps to them; the one process of a folder knows its own terms.
 */

import type { Words } from '../../messages/both.ts';
import { type Message, message } from '../../messages/message.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import { countQualities, type QualityCounts } from '../../money/forecast/estimate.ts';
import type { Item } from '../../money/item.ts';
import { paidRowsOf } from '../../money/paid-rows.ts';
import type { OrderedFinal } from '../../money/review/final.ts';
import { expectedPoints, type Ledger, reservedPoints } from '../../money/summary.ts';
import type { Decision } from '../../stores/port/decisions.ts';
import type { RoundStart, TermsMark } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellOption } from '../../text/shell-word.ts';
import { capDecisions, capIn, deciderOf, noteDecision } from '../decisions.ts';
import type { Invocation } from '../options/invocation.ts';
import type { Options, RawOptions } from '../options/options.ts';
import { optionsToSave } from '../options/settings.ts';
import { readSavedOptions, readSetting, type SavedSettings } from '../output-folder.ts';
import { timeOf } from '../system-clock.ts';

/** The setting with the terms of the round. */
export const roundSetting = 'round';

/** The setting with the number of rounds so far. The databases read it: a row that ends badly is marked with it. */
const roundsSetting = 'rounds';

/** What applies to one round. */
export interface RoundTerms extends Pick<Options, 'limit' | 'only'> {
  /** The round of the retry whose rows alone are submitted; null or absent for rows of any origin. */
  readonly retry?: number | null | undefined;
  /** Its rows are being ordered. */
  readonly isOrdering?: boolean | undefined;
}

/** The terms of a round besides the options of the run. */
export type SessionOptions = Options & RoundTerms;

/** A round as it begins. */
export interface BegunRound {
  readonly options: SessionOptions;
  /** Null where none has begun, and where one process has the run: it knows its own terms. */
  readonly mark: TermsMark | null;
}

/** The number of rounds that have begun. */
export async function roundsOf({ settings }: SavedSettings): Promise<number> {
  return Number((await settings.get(roundsSetting)) ?? 0);
}

/**
 * The round of a command: what it was given is saved with the run, and its terms apply to the round. One process that has the
 * run has saved its options before.
 */
export async function roundStart(
  store: Store,
  invocation: Invocation,
  { limit, only, retry }: SessionOptions,
): Promise<RoundStart> {
  const terms: RoundTerms = { limit, only, retry };
  const start = { options: optionsToSave(invocation, {}), terms: JSON.stringify(terms) };
  if (store.sharing === null) return start;
  const saved = await readSavedOptions(store);
  return {
    ...start,
    decisions: await capDecisions(store, invocation, saved, optionsToSave(invocation, saved)),
  };
}

/** Begins a round. Null where one process has the run: it knows its own terms. */
export async function beginRound(store: Store, start: RoundStart): Promise<TermsMark | null> {
  await countRound(store);
  return (await store.sharing?.beginRound(start)) ?? null;
}

/** Begins the round of a retry. Only the rows that it orders are submitted in it. */
export interface RetryRound {
  /** The round of an earlier retry, which is continued; null for one that orders rows. */
  readonly goesOn: number | null;
  /** Rows that get a new attempt. */
  readonly rows: AsyncIterable<Item>;
  /** Rows that wait for their next attempt already. */
  readonly waiting: readonly Item[];
  /** Of these rows, those that are made once more in a quality of their own, by key. */
  readonly finals?: ReadonlyMap<number, OrderedFinal>;
  /** All rows that are paid for. */
  readonly paid: QualityCounts;
  readonly ledger: Ledger;
}

/** Rows ordered in one transaction. */
const orderedAtOnce = 500;

/**
 * Begins a round, and orders its rows then, so that nobody submits them under the terms of an earlier one; in a shared run it adds
 * them to the retry that others send at this moment. A crash in between leaves rows as they were, or waiting with the number of the
 * round that ordered them. Returns the options of the session.
 */
export async function beginRetry(
  store: Store,
  invocation: Invocation,
  options: Options,
  { goesOn, rows, waiting, finals = new Map(), paid, ledger }: RetryRound,
): Promise<BegunRound> {
  const { only: _, ...lasting } = options;
  const decider = await deciderOf(store, invocation);
  const again =
    goesOn === null ? [] : [noteDecision(decider, 'retry', { round: goesOn, rows: countQualities(paid) })];
  const number =
    store.sharing === null || goesOn !== null
      ? await countRound(store, again)
      : await sharedRetryRound(store, lasting, ledger);
  const decided = (items: readonly Item[]): readonly Decision[] =>
    items.map(({ key, quality }) => {
      const points = expectedPoints(ledger, quality ?? options.quality ?? null);
      const final = finals.has(key) ? { final: quality } : {};
      return noteDecision(decider, 'retry', { round: number, points, ...final }, key);
    });
  const terms: SessionOptions = { ...lasting, retry: goesOn ?? number };
  // Those of a retry that orders rows are saved with its number.
  const lastTerms = goesOn === null ? { terms: null } : {};
  const mark =
    (await store.sharing?.beginRound({ ...(await roundStart(store, invocation, terms)), ...lastTerms })) ??
    null;
  const begun = { options: terms, mark };
  if (goesOn !== null) return begun;
  await store.checkpoint.order(
    number,
    [],
    waiting.map(({ key }) => key),
    { decisions: decided(waiting) },
  );
  let page: Item[] = [];
  const order = async (): Promise<void> => {
    const at = await timeOf(store);
    await store.checkpoint.takeBack(page.map(({ key }) => key));
    const changes = page.map((before) => {
      const quality = finals.get(before.key)?.quality ?? null;
      return { before, after: moveAtRest(before, { type: 'retry-ordered', at, quality }) };
    });
    const ordered = page.flatMap(({ key }) => {
      const final = finals.get(key);
      return final === undefined ? [] : [[key, final] as const];
    });
    const after = changes.map((change) => change.after);
    await store.checkpoint.order(number, changes, [], {
      decisions: decided(after),
      finals: new Map(ordered),
    });
    page = [];
  };
  for await (const item of rows) {
    page.push(item);
    if (page.length >= orderedAtOnce) await order();
  }
  await order();
  if (store.sharing !== null) await endOrdering(store, number);
  return begun;
}

/**
 * The number of a retry's round in a shared run, and its terms, saved at once. Of two commands at one moment the second adds its rows
 * to the round of the first: else the terms of the one would keep back the rows of the other.
 */
async function sharedRetryRound(store: Store, options: Options, ledger: Ledger): Promise<number> {
  while (true) {
    const round = await store.settings.get(roundSetting);
    const rounds = await store.settings.get(roundsSetting);
    const others = await termsIn(round);
    const joins = options.limit == null && (await isBeingSent(store, others, ledger));
    const number = joins ? Number(others.retry) : Number(rounds ?? 0) + 1;
    const terms: RoundTerms = { limit: options.limit, retry: number, isOrdering: true };
    const before = { [roundSetting]: round, [roundsSetting]: rounds };
    const after = {
      [roundSetting]: JSON.stringify(terms),
      [roundsSetting]: String(Math.max(number, Number(rounds ?? 0))),
    };
    if (await store.settings.replace(before, after)) return number;
  }
}

/** True for a retry whose rows other processes of the run send now, or are about to. */
async function isBeingSent(
  store: Store,
  { retry, limit, isOrdering = false }: RoundTerms,
  ledger: Ledger,
): Promise<boolean> {
  const workers = (await store.sharing?.workers()) ?? [];
  const hasOthers = workers.some(({ name, isAlive }) => isAlive && name !== store.sharing?.worker);
  if (retry == null || limit != null || !hasOthers) return false;
  if (isOrdering) return true;
  const waiting = await store.totals.pendingQualities(paidRowsOf({ retry }));
  // Rows that a cap keeps back are nobody's turn: a cap that is raised for others is not for them.
  const cap = capIn(await readSavedOptions(store));
  const next = Math.max(0, ...ledger.largestPoints.values());
  const taken = ledger.spent + (reservedPoints(ledger) ?? 0);
  return countQualities(waiting) > 0 && (cap === null || taken + next <= cap);
}

/** All rows of the retry are ordered. */
async function endOrdering({ settings }: Store, number: number): Promise<void> {
  const text = await settings.get(roundSetting);
  const { isOrdering, ...terms } = await termsIn(text);
  if (isOrdering && terms.retry === number)
    await settings.replace({ [roundSetting]: text }, { [roundSetting]: JSON.stringify(terms) });
}

/** Counts a round that begins, and saves what was decided with it; returns its number. */
export async function countRound(
  store: Pick<Store, 'settings'>,
  decisions: readonly Decision[] = [],
): Promise<number> {
  while (true) {
    const before = await store.settings.get(roundsSetting);
    const number = Number(before ?? 0) + 1;
    const after = { [roundsSetting]: String(number) };
    if (await store.settings.replace({ [roundsSetting]: before }, after, decisions)) return number;
  }
}

/** The options of the current round. */
export async function readRound({ settings }: SavedSettings): Promise<RoundTerms> {
  return (await readSetting<RoundTerms>(settings, roundSetting)) ?? {};
}

/** The same of a setting that was read; what is saved in its place must be decided on this one. */
function termsIn(text: string | null): Promise<RoundTerms> {
  return readRound({ settings: { get: async () => text } });
}

/**
 * The waiting rows that the workers of a shared run send under the terms of its round; null where one process has the run, which knows
 * its own.
 */
export async function orderedRowsOf(store: Store): Promise<number | null> {
  if (store.sharing === null) return null;
  const { limit, ...terms } = await readRound(store);
  const waiting = countQualities(await store.totals.pendingQualities(paidRowsOf(terms)));
  if (limit == null) return waiting;
  const { submittedRows } = await store.sharing.look();
  return Math.min(waiting, Math.max(0, limit - submittedRows));
}

/** The options that apply to all workers: those saved with the run, and those of the round. */
export interface RoundOptions {
  readonly saved: RawOptions;
  readonly round: RoundTerms;
}

export async function readTerms(store: Pick<Store, 'settings'>): Promise<RoundOptions> {
  return { saved: await readSavedOptions(store), round: await readRound(store) };
}

/** That a new round begins, and which options it changes. */
export function newRound(before: RoundOptions, after: RoundOptions): Message {
  const changed = describeChanges(
    { ...before.saved, ...asOptions(before.round) },
    { ...after.saved, ...asOptions(after.round) },
  );
  return changed === null ? message('round.same') : message('round.changed', { changes: changed });
}

/** As they are typed. */
function asOptions({ retry, isOrdering: _, ...options }: RoundTerms): RawOptions {
  return retry == null ? options : { ...options, unsent: retry };
}

/** The options that differ, as they are now; null where none does. */
export function describeChanges(was: RawOptions, is: RawOptions): Words | null {
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const changed = [...names]
    .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    .map((name) => describeOption(name, is[name]));
  if (changed.length === 0) return null;
  return { en: changed.map(({ en }) => en).join(', '), zh: changed.map(({ zh }) => zh).join('，') };
}

/** Ids of a list longer than this are counted. */
const namedIds = 3;

function describeOption(name: string, value: unknown): Words {
  if (value === undefined) return { en: `no --${name}`, zh: `取消 --${name}` };
  if (Array.isArray(value) && value.length > namedIds)
    return { en: `--${name} (${value.length} rows)`, zh: `--${name}（${value.length} 行）` };
  const typed = value === true ? `--${name}` : shellOption(name, String(value));
  return { en: typed, zh: typed };
}
