/** Why rows ended badly: their failures by kind, as a terminal groups them. */

import { failureKind } from '../../money/failure-groups.ts';
import type { Status } from '../../money/item.ts';
import { hasMark } from '../../money/statuses.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import type { Language } from '../../text/languages.ts';

/** Rows of one status whose failures are of one kind. */
export interface Reason {
  /** Status and kind in one text, which an address names. */
  readonly name: string;
  readonly status: Status;
  readonly count: number;
  /** One of the rows. */
  readonly row: PageRow;
}

/** A row never changes; another one takes its place. */
const known = new WeakMap<PageRow, string>();

/** The name of the reason that a row has; null where it did not end badly, or no reason was given. */
export function reasonOf(row: PageRow): string | null {
  if (row.failure === null || !hasMark(row.status, 'bad')) return null;
  const name = known.get(row) ?? `${row.status}:${kindOf(row, row.failure)}`;
  known.set(row, name);
  return name;
}

/** Why the row ended badly, in the language of the page where the words are this program's own. */
export function failureText({ failure, failureZh }: PageRow, language: Language): string | null {
  return language === 'zh' ? (failureZh ?? failure) : failure;
}

/** What differs from answer to answer: `failureKind` knows its English. */
const answerInChinese = /；答复：.*$/s;

/** The reason in words. */
export function reasonText({ row }: Reason, language: Language): string {
  return kindOf(row, (failureText(row, language) ?? '').replace(answerInChinese, ''));
}

function kindOf({ taskId, id }: PageRow, failure: string): string {
  return failureKind(failure, [taskId ?? '', id]);
}

/** The reasons of these rows, the most frequent first. */
export function reasonsOf(rows: readonly PageRow[]): readonly Reason[] {
  const found = new Map<string, Reason>();
  for (const row of rows) {
    const name = reasonOf(row);
    if (name === null) continue;
    const count = (found.get(name)?.count ?? 0) + 1;
    found.set(name, { name, status: row.status, count, row });
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
