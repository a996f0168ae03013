/** `--only @FILE`: the ids of a table, such as the marks that a reviewer exported from the page. */

import { basename, resolve } from 'node:path';
import { InputError, UsageError } from '../../errors.ts';
import { endsInFailures } from '../../input/columns/own-columns.ts';
import { createProblems } from '../../input/read-problems.ts';
import type { MadeTable } from '../../messages/input.ts';
import { type Message, message } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import {
  type GivenMark,
  type JoinedMark,
  joinMarks,
  latestAttempt,
} from '../../money/review/joined-marks.ts';
import { isKnownMark, type MarksTable, markColumns } from '../../money/review/marks-table.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import { madeTable } from '../../reports/made-tables.ts';
import type { Checkpoint } from '../../stores/port/checkpoint.ts';
import { keyColumnIn } from '../../text/ids/row-key.ts';
import { homePath } from '../options/home-path.ts';
import type { Options } from '../options/options.ts';
import { notAnAttempt, readMarks } from './read-marks.ts';

/** The rows of one table. */
export interface NamingTable {
  readonly place: string;
  /** As it was written after the `@`. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  readonly isMarked: boolean;
  /** `kept`: another table with keys of a run, such as its failed rows. `list`: ids that are no table of this program. */
  readonly kind: MadeTable | 'kept' | 'list';
  /** What its reader guessed. */
  readonly notes: readonly Message[];
  readonly rows: readonly GivenMark[];
}

/** Rows with this mark are meant where a file has marks. */
type Mark = 'good' | 'bad';

/** What `--only` says: typed ids, and tables. */
export interface Naming {
  readonly typed: readonly NamedRow[];
  readonly tables: readonly NamingTable[];
  readonly mark: Mark;
}

/**
 * Reads what `--only` names; paths of files are relative to `folder`. `@@` is an `@` at the start of an id. Throws
 * `UsageError` for a file that names no row, and `InputError` for a mark or an attempt that is none.
 */
export function readNaming(entries: readonly string[], folder: string, mark: Mark = 'bad'): Naming {
  const typed: NamedRow[] = [];
  const tables: NamingTable[] = [];
  for (const entry of entries) {
    if (entry.startsWith('@') && !entry.startsWith('@@'))
      tables.push(readTable(entry.slice(1), folder, mark));
    else typed.push({ id: entry.startsWith('@@') ? entry.slice(1) : entry, isTyped: true, attempt: null });
  }
  const naming = { typed, tables, mark };
  refuseUnclear(naming);
  const [first] = tables.filter(({ isMarked }) => isMarked);
  if (first !== undefined && meantRows(naming).length === 0)
    throw new UsageError(message('marks.none-such', { file: first.place, mark }));
  return naming;
}

/** The named rows, each once. */
export function namedRows(naming: Naming): NamedRow[] {
  const named = new Map<string, NamedRow>(naming.typed.map((row) => [row.id, row]));
  for (const { rows, isMarked, kind } of naming.tables)
    for (const { id, attempt } of isMarked ? [] : rows)
      name(named, { id, isTyped: false, attempt, ...(kind === 'list' ? {} : { orders: 'unmade' }) });
  for (const each of meantRows(naming)) name(named, rowOf(each));
  return [...named.values()];
}

function meantRows({ tables, mark }: Naming): readonly JoinedMark[] {
  const marked = tables.filter(({ isMarked }) => isMarked);
  return joinMarks(marked.flatMap(({ rows }) => rows)).filter((each) => isMeant(each, mark));
}

/** A row that somebody calls so is named, and disputed where somebody else does not. */
function isMeant({ isCalledBad, mark: agreed, conflicts }: JoinedMark, mark: Mark): boolean {
  if (mark === 'bad') return isCalledBad;
  return agreed === 'good' || conflicts.some(({ about }) => about === 'mark');
}

/** Adds a row. What was typed counts, whatever files say; then a list of ids, then a mark. */
function name(named: Map<string, NamedRow>, row: NamedRow): void {
  const known = named.get(row.id);
  if (known === undefined) {
    named.set(row.id, row);
    return;
  }
  const attempt = known.isTyped ? null : latestAttempt([known, row]);
  const { dispute, orders, ...rest } = { ...known, ...row, isTyped: known.isTyped, attempt };
  const isAny = known.orders === undefined || row.orders === undefined;
  // Marks come last.
  const both = isAny || orders === undefined ? rest : { ...rest, orders };
  named.set(row.id, dispute === undefined || known.isTyped ? both : { ...both, dispute });
}

function rowOf({ id, attempt, question, answer, conflicts }: JoinedMark): NamedRow {
  const disputes = conflicts.map(({ words }) => words);
  const isCorrected = question !== null || answer !== null;
  return {
    id,
    isTyped: false,
    attempt,
    orders: 'marked',
    ...(isCorrected ? { corrected: { question, answer } } : {}),
    ...(disputes.length > 0 ? { dispute: disputes.join('; ') } : {}),
  };
}

function readTable(file: string, folder: string, wanted: Mark): NamingTable {
  const place = `--only @${file}`;
  const path = resolve(folder, homePath(file, place, folder));
  const { table, notes } = readMarks(path, place, [message('marks.how')]);
  const { rows } = table;
  // In a table with marks, only rows with the wanted one count.
  const isMarked = rows.some(({ mark }) => mark !== null);
  // If it counted as any attempt, each use of the file would pay for its rows again.
  for (const { unreadable, mark, line } of rows)
    if (unreadable !== null && (!isMarked || mark === wanted)) throw notAnAttempt(place, line, unreadable);
  if (rows.length === 0) throw new UsageError(message('marks.no-ids', { file: place }));
  const kind = kindOf(table);
  if (!isMarked && isOfMarks(table, kind)) throw new UsageError(message('marks.no-mark', { file: place }));
  const given = rows.map((row) => ({ ...row, by: row.reviewer || basename(file, '.csv') }));
  return { place, file, path, isMarked, kind, notes, rows: given };
}

function kindOf({ columns, isKeyed }: MarksTable): NamingTable['kind'] {
  return madeTable(columns) ?? (isKeyed || isOfFailed(columns) ? 'kept' : 'list');
}

function isOfFailed(columns: readonly string[]): boolean {
  const keyAt = keyColumnIn(columns);
  return endsInFailures(keyAt < 0 ? columns : columns.slice(0, keyAt));
}

/** True for a table of marks without its marks: all of its rows would count. */
function isOfMarks({ columns }: MarksTable, kind: NamingTable['kind']): boolean {
  if (kind === 'list') return ofMarks.every((column) => columns.includes(column));
  if (kind !== 'kept' || isOfFailed(columns)) return false;
  return ['attempt', 'reviewer', 'note'].some((column) => columns.includes(column));
}

/** The columns of every table of marks besides the marks. */
const ofMarks = markColumns.filter((column) => column !== 'mark');

/** What a reviewer wrote is never dropped without a word. */
export function refuseUnclear({ tables, mark: wanted }: Omit<Naming, 'typed'>): void {
  const marked = tables.filter(({ isMarked }) => isMarked);
  const joined = joinMarks(marked.flatMap(({ rows }) => rows));
  // Only rows called bad are sent again, with their corrections.
  const dropped = new Set(
    wanted === 'good'
      ? []
      : joined.flatMap((row) => (isMeant(row, wanted) || row.conflicts.length > 0 ? [] : [row.id])),
  );
  for (const { place, rows } of marked) {
    const problems = createProblems();
    for (const { id, mark, question, answer, line } of rows)
      if (!isKnownMark(mark))
        problems.add(
          line || null,
          message('marks.unknown', { id, mark: JSON.stringify(mark?.slice(0, 40)) }),
        );
      else if ((question ?? answer) !== null && dropped.has(id))
        problems.add(
          line || null,
          message(mark === 'good' ? 'marks.good' : 'marks.none', { id, isOnPage: line === 0 }),
        );
    if (problems.count > 0) throw new InputError(place, problems.list());
  }
}

/** The ids of the rows on which reviewers agree. */
export function undisputed(named: readonly NamedRow[]): string[] {
  return named.flatMap(({ id, dispute }) => (dispute === undefined ? [id] : []));
}

/** Throws `UsageError` for ids of `--only` that no row has. */
export async function checkOnlyIds({ only = [] }: Options, checkpoint: Checkpoint): Promise<void> {
  const known = new Set((await checkpoint.itemsWithIds(only)).map(({ id }) => id));
  const unknown = only.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw new UsageError(message('option.only-unknown', { names: renderNames(unknown) }));
}
