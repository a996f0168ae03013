/**
 * Groups rows that ended badly by failure: texts that differ only in the row's own names, numbers or addresses are of
 * one kind. Also finds the words that select exactly one group with `batch retry --failure`.
 */

import { twinStart } from '../messages/reasons/rows.ts';
import { withoutAnswer } from './answers/unread-answer.ts';
import type { Status } from './item.ts';
import { isTwinHeld } from './reused.ts';

/** The id of the row that another one waits for; the folder of its run stays. */
const otherRow = new RegExp(`^(${twinStart}).*?((?: in .*)?, which has )`);

/** Replaces the parts that differ from row to row. */
const gap = '…';

/** Rows of one status whose failures are of one kind. */
export interface FailureGroup {
  readonly status: Status;
  /** As `failureKind` returns it; '' where no failure was given. */
  readonly kind: string;
  /** The exact failure where all rows share it; else null. */
  readonly failure: string | null;
  readonly count: number;
  /** Of these, the rows that can be sent as the file has them now: only they can get a new attempt. */
  readonly inFile: number;
  /** Id of one of the rows. */
  readonly someId: string;
}

/** The failures of a run, by kind. */
export interface FailureGroups {
  /** The largest first. */
  readonly groups: readonly FailureGroup[];
  /** False where more kinds exist than are listed. */
  readonly areAll: boolean;
}

/** Listed kinds: more than anyone reads, few enough to hold in memory. */
export const listedKinds = 1_000;

/** The first of these groups, which come with the largest first; `isAnyLeft` where other kinds were not even counted. */
export function listGroups(groups: readonly FailureGroup[], isAnyLeft = false): FailureGroups {
  return { groups: groups.slice(0, listedKinds), areAll: !isAnyLeft && groups.length <= listedKinds };
}

/** The failure on one line, without invisible characters. The page's oldest browsers have no `toWellFormed`. */
export function plainFailure(failure: string): string {
  return failure
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** The failure without the answer in it, and with `…` in place of the row's own `names` (id, task), numbers, addresses and file names. */
export function failureKind(failure: string, names: readonly string[]): string {
  if (isTwinHeld(failure)) return plainFailure(failure).replace(otherRow, `$1${gap}$2`);
  const plain = names.reduce(withoutName, plainFailure(withoutAnswer(failure)));
  return plain
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi, gap)
    .replace(/"([^"]*)"/g, (quoted, text: string) => (/[./\\]\S/.test(text) ? `"${gap}"` : quoted))
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, gap)
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{12,}\b/gi, gap)
    .replace(/\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu, gap);
}

/** Removes a name where it stands as a whole word. */
function withoutName(text: string, name: string): string {
  if (name === '' || !text.includes(name)) return text;
  const parts = text.split(name);
  return parts.reduce((before, after) => {
    const isPart = /[\p{L}\p{N}_]$/u.test(before) || /^[\p{L}\p{N}_]/u.test(after);
    return before + (isPart ? name : gap) + after;
  });
}

/** Double quotes mean the whole kind. */
const whole = /^"(.*)"$/s;

/**
 * True when `wanted` selects this failure: any part of it, verbatim; or, in double quotes, the whole text, ignoring the
 * row's own names, numbers and addresses.
 */
export function isWantedFailure(failure: string, names: readonly string[], wanted: string): boolean {
  const [, quoted] = whole.exec(wanted) ?? [];
  if (quoted !== undefined) return failureKind(failure, names) === failureKind(quoted, []);
  const part = plainFailure(wanted);
  if (plainFailure(failure).includes(part)) return true;
  return part.includes(gap) && failureKind(failure, names).includes(part);
}

/** Words that select this group and no other of its status, for `isWantedFailure`; null where it is the only group. */
export function wantedFailure(group: FailureGroup, { groups, areAll }: FailureGroups): string | null {
  const others = groups.filter((other) => other !== group && other.status === group.status);
  if (areAll && others.length === 0) return null;
  const part = group.failure === null ? '' : plainFailure(group.failure);
  const isPlain = part !== '' && !part.includes(gap) && !whole.test(part);
  // Only groups with one exact failure can be distinguished by a part of it.
  const isApart = others.every(({ failure }) => failure !== null && !plainFailure(failure).includes(part));
  return isPlain && areAll && isApart ? part : `"${group.kind}"`;
}
