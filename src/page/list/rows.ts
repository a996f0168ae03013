/** The rows of the page: kept by key, searched, filtered and sorted. */

import { type FindingCode, findingCodes } from '../../money/inspection/inspection.ts';
import { type Status, statuses } from '../../money/item.ts';
import type { PageRow } from '../../reports/page-wire.ts';
import { type Mark, standingAttempt, verdictNow } from '../marks/mark.ts';
import { searched } from '../shared/search.ts';
import { reasonOf } from './reasons.ts';

/** The mark filters: a verdict on the attempt that stands for the row, none on it, any note, a corrected text. */
export const markFilters = ['good', 'bad', 'none', 'noted', 'corrected'] as const;
export type MarkFilter = (typeof markFilters)[number];

/** The filters of videos: any reason to look at one, or one of them. */
export const suspectFilters = ['any', ...findingCodes] as const;
type SuspectFilter = (typeof suspectFilters)[number];

/** What rows can be sorted by. `suspect`: the worst videos first, then in input order. */
export const sortFields = ['suspect', 'row', 'id', 'status', 'points', 'seconds', 'submitted'] as const;
export type SortField = (typeof sortFields)[number];

/** A sort order; rows without a value come last in both directions. */
export interface Sort {
  readonly field: SortField;
  readonly isDown: boolean;
}

/** Which rows to show, in what order. */
export interface Query {
  /** Words, all of which must occur somewhere in the row. */
  readonly text: string;
  /** Empty for all. */
  readonly statuses: ReadonlySet<Status>;
  readonly mark: MarkFilter | null;
  readonly suspect: SuspectFilter | null;
  /** Name of the reason why the rows ended badly. */
  readonly reason: string | null;
  /** One of the user's own columns, which the list shows; null for none. */
  readonly column: string | null;
  /** What its cell has to say, '' for an empty one; null for all. */
  readonly value: string | null;
  readonly sort: Sort;
}

/** The rows and their selection. */
export interface Rows {
  readonly count: number;
  /** Rows with a reason to look at their video. */
  readonly suspectCount: number;
  /** Changes with every change. */
  readonly version: number;
  /** The user's own columns; none before the end of the page is read. */
  readonly columns: readonly string[];
  all(): readonly PageRow[];
  /** Adds rows, replacing those with the same keys. */
  put(rows: readonly PageRow[]): void;
  /** Gives the user's own columns their names. */
  name(columns: readonly string[]): void;
  get(key: number): PageRow | null;
  find(id: string): PageRow | null;
  /**
   * The matching rows; of those `drawn`, in their order, where they are given. A row whose number or id is the whole
   * text comes first.
   */
  select(
    query: Query,
    marksOn: (id: string) => readonly Mark[],
    drawn?: readonly PageRow[] | null,
  ): readonly PageRow[];
}

export function createRows(): Rows {
  const places = new Map<number, number>();
  const placesById = new Map<string, number>();
  const rows: PageRow[] = [];
  let version = 0;
  let suspectCount = 0;
  let columns: readonly string[] = [];
  let sorted: { readonly rows: readonly PageRow[]; readonly name: string } | null = null;

  /** Typing requests the same order again and again. */
  const inOrder = ({ field, isDown }: Sort): readonly PageRow[] => {
    const name = `${isDown ? '-' : ''}${field}`;
    if (sorted?.name !== name) sorted = { rows: [...rows].sort(comparison(field, isDown)), name };
    return sorted.rows;
  };

  return {
    get count() {
      return rows.length;
    },
    get suspectCount() {
      return suspectCount;
    },
    get version() {
      return version;
    },
    get columns() {
      return columns;
    },
    all: () => rows,
    put(more) {
      version += 1;
      sorted = null;
      for (const row of more) {
        const place = places.get(row.key) ?? rows.length;
        places.set(row.key, place);
        if (!placesById.has(row.id)) placesById.set(row.id, place);
        suspectCount += Number(isSuspect(row)) - Number(isSuspect(rows[place]));
        rows[place] = row;
      }
    },
    name(names) {
      if (names.length === columns.length) return;
      version += 1;
      columns = names;
    },
    get: (key) => rows[places.get(key) ?? -1] ?? null,
    find: (id) => rows[placesById.get(id) ?? -1] ?? null,
    select(query, marksOn, drawn = null) {
      const found = (drawn ?? inOrder(query.sort)).filter(filterOf(query, columns, marksOn));
      return exactFirst(found, query.text.trim());
    },
  };
}

function isSuspect(row: PageRow | undefined): boolean {
  return row !== undefined && row.findings.length > 0;
}

function filterOf(
  { text, statuses, mark, suspect, reason, column, value }: Query,
  columns: readonly string[],
  marksOn: (id: string) => readonly Mark[],
) {
  const patterns = searched(text);
  const at = column === null || value === null ? -1 : columns.indexOf(column);
  return (row: PageRow): boolean =>
    (statuses.size === 0 || statuses.has(row.status)) &&
    (suspect === null || isSuspected(row, suspect)) &&
    (reason === null || reasonOf(row) === reason) &&
    (at < 0 || ownCell(row, at) === value) &&
    (mark === null || isMarked(marksOn(row.id), row, mark)) &&
    patterns.every(({ word, pattern }) => row.row === Number(word) || occursIn(row, pattern));
}

/** The cell of the user's own column at this place; '' for an empty one. */
export function ownCell({ own }: PageRow, at: number): string {
  return own?.[at] ?? '';
}

function occursIn(row: PageRow, pattern: RegExp): boolean {
  return (
    pattern.test(row.question) ||
    pattern.test(row.id) ||
    pattern.test(row.answer) ||
    (row.title !== null && pattern.test(row.title)) ||
    (row.failure !== null && pattern.test(row.failure)) ||
    (row.failureZh !== null && pattern.test(row.failureZh)) ||
    (row.taskId !== null && pattern.test(row.taskId)) ||
    row.own?.some((cell) => pattern.test(cell)) === true
  );
}

/** True where one of the marks is such; `none` where no mark has a verdict. */
function isMarked(marks: readonly Mark[], row: PageRow, filter: MarkFilter): boolean {
  if (filter === 'noted') return marks.some(({ note }) => note !== '');
  if (filter === 'corrected') return marks.some(({ question, answer }) => (question ?? answer) !== undefined);
  const verdicts = marks.map((mark) => verdictNow(mark, standingAttempt(row, mark)));
  return filter === 'none' ? verdicts.every((verdict) => verdict === null) : verdicts.includes(filter);
}

function isSuspected({ findings }: PageRow, filter: SuspectFilter): boolean {
  return filter === 'any' ? findings.length > 0 : findings.some(({ code }) => code === filter);
}

/** A reader who types a row number or a whole id means that row, wherever else the digits occur. */
function exactFirst(found: readonly PageRow[], text: string): readonly PageRow[] {
  if (text === '') return found;
  const number = Number(text);
  const isExact = (row: PageRow): boolean => row.row === number || row.id === text;
  const exact = found.filter(isExact);
  return exact.length === 0 ? found : [...exact, ...found.filter((row) => !isExact(row))];
}

const statusRank = new Map(statuses.map((status, rank) => [status, rank]));
const findingRank = new Map<FindingCode, number>(findingCodes.map((code, rank) => [code, rank]));
const naturally = new Intl.Collator('en', { numeric: true });

const valuesOf: Readonly<Record<Exclude<SortField, 'id' | 'suspect'>, (row: PageRow) => number | null>> = {
  row: (row) => row.row,
  status: (row) => statusRank.get(row.status) ?? null,
  points: (row) => row.points,
  seconds: (row) => row.seconds,
  submitted: (row) => row.submittedAt,
};

function comparison(field: SortField, isDown: boolean): (a: PageRow, b: PageRow) => number {
  const sign = isDown ? -1 : 1;
  if (field === 'suspect') return suspectsFirst(sign);
  if (field === 'id') return (a, b) => sign * naturally.compare(a.id, b.id);
  const value = valuesOf[field];
  return (a, b) => {
    const left = value(a);
    const right = value(b);
    if (left === right) return a.key - b.key;
    if (left === null) return 1;
    return right === null ? -1 : sign * (left - right);
  };
}

/** By the worst finding, which comes first of a row's findings. */
function suspectsFirst(sign: number): (a: PageRow, b: PageRow) => number {
  const inInput = comparison('row', false);
  const rankOf = ({ findings }: PageRow): number =>
    findingRank.get(findings[0]?.code ?? 'same-title') ?? findingRank.size;
  return (a, b) => {
    const isFirst = a.findings.length > 0;
    if (isFirst !== b.findings.length > 0) return isFirst ? -1 : 1;
    return (isFirst ? sign * (rankOf(a) - rankOf(b)) : 0) || inInput(a, b);
  };
}
