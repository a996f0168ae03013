/** `--only @FILE`: the ids of a table, such as the marks that a reviewer exported from the page. */

import { basename, resolve } from 'node:path';
import type { Options } from '../../app/options/options.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { type GivenMark, type JoinedMark, joinMarks, latestAttempt } from './joined-marks.ts';
import type { NamedRow } from './named-row.ts';
import { notAnAttempt, readMarks } from './read-marks.ts';

/** The rows of one table. */
interface NamingTable {
  readonly place: string;
  readonly isMarked: boolean;
  readonly rows: readonly GivenMark[];
}

/** Rows with this mark are meant where a file has marks. */
type Mark = 'good' | 'bad';

/**
 * The named rows: typed ids, and the rows of files, whose paths are relative to `folder`. `@@` is an `@` at the start of an
 * id. Returns each row once. Throws `UsageError` for a file that names no row.
 */
export function readOnly(entries: readonly string[], folder: string, mark: Mark = 'bad'): NamedRow[] {
  const named = new Map<string, NamedRow>();
  const tables: NamingTable[] = [];
  for (const entry of entries) {
    if (entry.startsWith('@') && !entry.startsWith('@@'))
      tables.push(readTable(entry.slice(1), folder, mark));
    else {
      const id = entry.startsWith('@@') ? entry.slice(1) : entry;
      named.set(id, { id, isTyped: true, attempt: null });
    }
  }
  for (const { rows, isMarked } of tables)
    for (const { id, attempt } of isMarked ? [] : rows) name(named, { id, isTyped: false, attempt });
  const marked = tables.filter(({ isMarked }) => isMarked);
  const joined = joinMarks(marked.flatMap(({ rows }) => rows)).filter((each) => isMeant(each, mark));
  for (const each of joined) name(named, rowOf(each));
  const [first] = marked;
  if (first !== undefined && joined.length === 0)
    throw new UsageError(
      `${first.place}: no row is marked as ${mark}; mark some on the page and export the marks again`,
    );
  return [...named.values()];
}

/** A row that somebody calls so is named, and disputed where somebody else does not. */
function isMeant({ isCalledBad, mark: agreed, conflicts }: JoinedMark, mark: Mark): boolean {
  if (mark === 'bad') return isCalledBad;
  return agreed === 'good' || conflicts.some(({ about }) => about === 'mark');
}

/** Adds a row. What was typed counts, whatever files say. */
function name(named: Map<string, NamedRow>, row: NamedRow): void {
  const known = named.get(row.id);
  if (known === undefined) {
    named.set(row.id, row);
    return;
  }
  const attempt = known.isTyped ? null : latestAttempt([known, row]);
  const { dispute, ...rest } = { ...known, ...row, isTyped: known.isTyped, attempt };
  named.set(row.id, dispute === undefined || known.isTyped ? rest : { ...rest, dispute });
}

function rowOf({ id, attempt, question, answer, conflicts }: JoinedMark): NamedRow {
  const disputes = conflicts.filter(({ about }) => about !== 'prefer').map(({ words }) => words);
  const isCorrected = question !== null || answer !== null;
  return {
    id,
    isTyped: false,
    attempt,
    ...(isCorrected ? { corrected: { question, answer } } : {}),
    ...(disputes.length > 0 ? { dispute: disputes.join('; ') } : {}),
  };
}

function readTable(file: string, folder: string, wanted: Mark): NamingTable {
  const place = `--only @${file}`;
  const remedy = '; use @ before the name of a CSV file, @@ before an id that starts with @';
  const rows = readMarks(resolve(folder, file), place, remedy);
  // In a table with marks, only rows with the wanted one count.
  const isMarked = rows.some(({ mark }) => mark !== null);
  // If it counted as any attempt, each use of the file would pay for its rows again.
  for (const { unreadable, mark, line } of rows)
    if (unreadable !== null && (!isMarked || mark === wanted)) throw notAnAttempt(place, line, unreadable);
  if (rows.length === 0) throw new UsageError(`${place}: no row has an id`);
  return {
    place,
    isMarked,
    rows: rows.map((row) => ({ ...row, by: row.reviewer || basename(file, '.csv') })),
  };
}

/** Throws `UsageError` for ids of `--only` that no row has. */
export async function checkOnlyIds({ only = [] }: Options, checkpoint: Checkpoint): Promise<void> {
  const known = new Set((await checkpoint.itemsWithIds(only)).map(({ id }) => id));
  const unknown = only.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new UsageError(message('option.only-unknown', { names: renderNames(unknown) }));
}
