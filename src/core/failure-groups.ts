/**
 * Why rows ended badly, in groups: texts that differ only by the row's own names, by numbers or by addresses are of one kind.
 * And the words that name one such group to `batch retry --failure`, and no other.
 */

import type { Status } from './item.ts';

/** What stands in a kind for what differs from row to row. */
const gap = '…';

/** Rows of one status whose failures are of one kind. */
export interface FailureGroup {
  readonly status: Status;
  /** As `failureKind` gives it; '' where nothing was said. */
  readonly kind: string;
  /** The failure itself where it is the same for all rows, to the letter; else null. */
  readonly failure: string | null;
  readonly count: number;
  /** Those among them that are still in the file: the only ones that can get a new attempt. */
  readonly inFile: number;
  /** Id of one of the rows. */
  readonly someId: string;
}

/** The failures of a run, by kind. */
export interface FailureGroups {
  /** The largest first. */
  readonly groups: readonly FailureGroup[];
  /** False where there are more kinds than are listed. */
  readonly areAll: boolean;
}

/** The failure on one line, without letters that nobody sees. */
export function plainFailure(failure: string): string {
  return failure
    .toWellFormed()
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** The failure with `…` for what is the row's own: its `names` (id, task), numbers, addresses, names of files. */
export function failureKind(failure: string, names: readonly string[]): string {
  const plain = names.reduce(withoutName, plainFailure(failure));
  return plain
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi, gap)
    .replace(/"([^"]*)"/g, (quoted, text: string) => (/[./\\]\S/.test(text) ? `"${gap}"` : quoted))
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, gap)
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{12,}\b/gi, gap)
    .replace(/\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu, gap);
}

/** The text without a name that stands in it as a word of its own. */
function withoutName(text: string, name: string): string {
  if (name === '' || !text.includes(name)) return text;
  const parts = text.split(name);
  return parts.reduce((before, after) => {
    const isPart = /[\p{L}\p{N}_]$/u.test(before) || /^[\p{L}\p{N}_]/u.test(after);
    return before + (isPart ? name : gap) + after;
  });
}

/** Whole kinds are named in double quotes. */
const whole = /^"(.*)"$/s;

/**
 * True when `wanted` means this failure: a part of it, letter for letter, or in double quotes the whole, whatever the row's own
 * names, numbers and addresses are.
 */
export function isWantedFailure(failure: string, names: readonly string[], wanted: string): boolean {
  const [, quoted] = whole.exec(wanted) ?? [];
  if (quoted !== undefined) return failureKind(failure, names) === failureKind(quoted, []);
  const part = plainFailure(wanted);
  if (plainFailure(failure).includes(part)) return true;
  return part.includes(gap) && failureKind(failure, names).includes(part);
}

/** What names this group, and no other of its status, to `isWantedFailure`; null where it is the only one. */
export function wantedFailure(group: FailureGroup, { groups, areAll }: FailureGroups): string | null {
  const others = groups.filter((other) => other !== group && other.status === group.status);
  if (areAll && others.length === 0) return null;
  const part = group.failure === null ? '' : plainFailure(group.failure);
  const isPlain = part !== '' && !part.includes(gap) && !whole.test(part);
  // What differs in another group is not known here, so only texts that are known to the letter can be told apart by a part.
  const isApart = others.every(({ failure }) => failure !== null && !plainFailure(failure).includes(part));
  return isPlain && areAll && isApart ? part : `"${group.kind}"`;
}
