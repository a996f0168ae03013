/**
 * Is a refusal about one row, or about all? What is answered next shows it: the free question, the next row, or the same
 * words five times. Until then a barred row waits. Everything that decides this is here; the circuit breaker keeps the state.
 *
 * Times are steady ms (`Clock.steady`).
 */

import { nameRow } from '../../text/row-name.ts';
import type { CreationEvent, KeyBar } from '../event.ts';
import type { Item } from '../item.ts';

/** A row whose creation was barred, until it is known why. */
interface RowInQuestion {
  readonly id: string;
  /** Of the refused attempt; null for a row of another process, which settles it. */
  readonly token: string | null;
  readonly failure: string;
  readonly bar: KeyBar | 'gateway';
  readonly at: number;
  /** The free question has passed since, or cannot show anything. */
  readonly isFree: boolean;
  /** It was barred in an earlier run, too. */
  readonly isRepeated: boolean;
}

/** What became known of refused rows. */
export type Verdict =
  /** The refusal concerned this row alone. */
  | { readonly type: 'row'; readonly id: string; readonly token: string; readonly failure: string }
  /** These were refused alike: they are kept for a second chance. */
  | { readonly type: 'alike'; readonly ids: readonly string[] }
  /** Nothing else waits that could show whether creations are accepted again: one of the rows that were kept goes. */
  | { readonly type: 'try' }
  /** Creations are accepted again: rows that were kept get it. */
  | { readonly type: 'again' };

export interface RefusedRows {
  readonly inQuestion: readonly RowInQuestion[];
  /** A creation was accepted in this run. */
  readonly hasAccepted: boolean;
  /** Rows may be kept for a second chance. */
  readonly hasAlike: boolean;
  /** Not carried out yet; the caller that does it empties the list. */
  readonly verdicts: readonly Verdict[];
}

export const noRefusedRows: RefusedRows = {
  inQuestion: [],
  hasAccepted: false,
  hasAlike: false,
  verdicts: [],
};

/** The rows after something was learned; `forAll` is why no row would fare better, null where that is not so. */
export interface Learned {
  readonly rows: RefusedRows;
  readonly forAll: { readonly bar: KeyBar; readonly failure: string } | null;
}

/** The end of a barred creation; `row` is null where another process sent it. */
export interface Barred {
  readonly event: Extract<CreationEvent, { type: 'creation-barred' }>;
  readonly id: string;
  readonly row: Pick<Item, 'token' | 'turn'> | null;
  readonly at: number;
}

/** A creation was barred. */
export function passBar(rows: RefusedRows, { event, id, row, at }: Barred): Learned {
  const { bar, failure } = event;
  const isFree = bar === 'no-points' || bar === 'key-forbidden';
  const isRepeated = row !== null && row.turn !== 'first';
  const barred = { id, token: row?.token ?? null, failure, bar, at, isFree, isRepeated };
  const isAlike = rows.inQuestion.some((other) => other.bar === bar && other.isFree);
  const after = { ...rows, inQuestion: [...rows.inQuestion.filter((other) => other.id !== id), barred] };
  if (isOwnFault(barred, rows)) return settle(after, (each) => each.id === id);
  return bar !== 'gateway' && isAlike ? barAll(after, bar) : { rows: after, forAll: null };
}

/** The free question was answered, and nobody is refused there. */
export function passFree(rows: RefusedRows): Learned {
  const { rows: settled } = settle(rows, (row) => row.bar === 'gateway');
  const inQuestion = settled.inQuestion.map((row) => ({ ...row, isFree: true }));
  const asked = settle({ ...settled, inQuestion }, (row) => isOwnFault(row, rows)).rows;
  const isAlike = asked.inQuestion.filter(({ bar }) => bar === 'key-refused').length > 1;
  return isAlike ? barAll(asked, 'key-refused') : { rows: asked, forAll: null };
}

/** A creation that was sent at `startedAt` was accepted: those that were barred before are about their rows. */
export function passAcceptedRow(rows: RefusedRows, startedAt: number): RefusedRows {
  const { rows: settled } = settle(rows, ({ isFree, at }) => isFree && at <= startedAt);
  const verdicts: readonly Verdict[] = rows.hasAlike
    ? [...settled.verdicts, { type: 'again' }]
    : settled.verdicts;
  return { ...settled, verdicts, hasAccepted: true, hasAlike: false };
}

/** No other row is left that could show it: what the run has seen so far decides. */
export function passNoOther(rows: RefusedRows): Learned {
  const isOwn = ({ bar }: RowInQuestion): boolean => bar !== 'no-points' && rows.hasAccepted;
  const left = rows.inQuestion.find((row) => row.bar !== 'gateway' && row.isFree && !isOwn(row));
  // What is about the account may be why the others were refused, too.
  if (left !== undefined && left.bar !== 'gateway') return barAll(rows, left.bar);
  return settle(rows, (row) => row.isFree && isOwn(row));
}

/** The service cannot be reached: a gateway's refusal was part of that, and its row waits with the others. */
export function passOutage(rows: RefusedRows): RefusedRows {
  if (rows.inQuestion.length === 0) return rows;
  return { ...rows, inQuestion: rows.inQuestion.filter(({ bar }) => bar !== 'gateway') };
}

/** These rows were refused in a row with one message. */
export function keepAlike(rows: RefusedRows, ids: readonly string[]): RefusedRows {
  return { ...rows, verdicts: [...rows.verdicts, { type: 'alike', ids }], hasAlike: true };
}

/** True for a row that is barred again after others were accepted; an account can run out of points meanwhile. */
function isOwnFault({ isRepeated, isFree, bar }: RowInQuestion, { hasAccepted }: RefusedRows): boolean {
  return isRepeated && isFree && hasAccepted && bar !== 'no-points';
}

function settle(rows: RefusedRows, isOwn: (row: RowInQuestion) => boolean): Learned & { forAll: null } {
  const settled = rows.inQuestion.filter(isOwn);
  const verdicts = settled.flatMap(({ id, token, failure }): Verdict[] =>
    token === null ? [] : [{ type: 'row', id, token, failure }],
  );
  const inQuestion = rows.inQuestion.filter((row) => !settled.includes(row));
  return { rows: { ...rows, inQuestion, verdicts: [...rows.verdicts, ...verdicts] }, forAll: null };
}

function barAll(rows: RefusedRows, bar: KeyBar): Learned {
  const alike = rows.inQuestion.filter((row) => row.bar === bar);
  const failure = `${alike.map(({ id }) => nameRow(id)).join(' and ')}: ${alike.at(-1)?.failure}`;
  return { rows: { ...rows, inQuestion: [] }, forAll: { bar, failure } };
}
