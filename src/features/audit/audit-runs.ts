/** Reads a statement and the books of some runs, and compares them. Changes nothing, and asks nobody. */

import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import { reportedRunId } from '../../app/run-id.ts';
import { UsageError } from '../../errors.ts';
import { findColumn, quoteColumns } from '../../input/columns/columns.ts';
import { message } from '../../messages/message.ts';
import type { Source } from '../../money/question.ts';
import { readSentTexts } from '../../money/sent-question.ts';
import type { Attempt, ReportRow } from '../../stores/port/reading.ts';
import { type UncertainRow, uncertainRowsOf } from '../resolve/uncertain-rows.ts';
import { AuditTally } from './audit-tally.ts';
import { fitsTime, type Proposal, proposeTasks, type UnknownCreation } from './propose-tasks.ts';
import type { DecimalMark } from './read-amount.ts';
import { readStatement, type Statement } from './read-statement.ts';
import { type BookedAttempt, StatementBooks, type StatementTask } from './statement-books.ts';
import type { StatementColumns } from './statement-columns.ts';
import { createDays, readTime } from './statement-times.ts';

/** What to compare. */
export interface AuditRequest {
  /** The file of the statement. */
  readonly file: string;
  /** The runs; the options of the first say how to read the file. */
  readonly runs: readonly [Invocation, ...Invocation[]];
  /** Field -> column, by `--map`. */
  readonly given: StatementColumns;
  /** How far (ms) times that name no zone are ahead of UTC, by `--zone`; null: as this machine's. */
  readonly zone: number | null;
  /** What stands before the decimals, by `--decimals`; null where the statement has to tell. */
  readonly decimals: DecimalMark | null;
  /** A column of the input to sum by; null for none. */
  readonly by: string | null;
  /** How many tasks of each verdict are kept. */
  readonly most: number;
}

/** An uncertain row of one of the runs. */
interface UnknownRow extends UnknownCreation {
  readonly run: Invocation;
  readonly uncertain: UncertainRow;
}

/** What was found. */
export interface Audit {
  readonly statement: Statement;
  readonly books: StatementBooks;
  readonly tally: AuditTally;
  /** Attempts with a task. */
  readonly attempts: number;
  readonly proposals: readonly Proposal<UnknownRow>[];
}

/** Throws `UsageError` and `InputError` where there is nothing to compare. */
export async function auditRuns(request: AuditRequest): Promise<Audit> {
  const { file, runs, given, zone, decimals, by, most } = request;
  const seen: SeenRun[] = [];
  await using _ = {
    async [Symbol.asyncDispose]() {
      for (const run of seen) await run[Symbol.asyncDispose]();
    },
  };
  for (const run of runs) seen.push(await lookIntoRun(run));
  await refuseTwice(seen);
  if (by !== null) await refuseNoColumn(seen, by);
  const rows: UnknownRow[] = [];
  for (const run of seen) for await (const row of uncertainRowsOf(run)) rows.push(unknownRow(run, row));

  const books = new StatementBooks(decimals);
  const statement = await readStatement(file, runs[0].options, {
    given,
    zone,
    wantsText: (time) => rows.some((row) => fitsTime(row, time)),
    add: (line) => books.add(line),
  });

  await learnFrom(seen, books);

  const tally = new AuditTally(most);
  const others: UnknownCreation[] = [];
  let attempts = 0;
  for (const run of seen)
    for await (const each of bookedAttempts(run, rows, by))
      if ('after' in each) others.push(each);
      else {
        attempts += 1;
        tally.add(books.compare(each));
      }
  const left: StatementTask[] = [];
  const spoiled = new Set<StatementTask>();
  for (const compared of books.left()) {
    tally.add(compared);
    if (rows.length > 0 && books.clues.zone === 'sure') left.push(compared.theirs);
    if (compared.verdict === 'spoiled') spoiled.add(compared.theirs);
  }
  // A spoiled id is no task to propose, and yet its task may be that of a row.
  const proposals = proposeTasks(rows, others, left).filter(({ task }) => !spoiled.has(task));
  return { statement, books, tally, attempts, proposals };
}

/** How the statement is written, as far as the books tell it. Throws `UsageError` where an amount stays unclear. */
async function learnFrom(runs: readonly SeenRun[], books: StatementBooks): Promise<void> {
  const { clues } = books;
  if (!clues.isOpen) return;
  for (const run of runs)
    for await (const each of bookedAttempts(run, [], null)) if (!('after' in each)) books.learn(each);
  if (clues.unsure === null) return;
  const { line, amount } = clues.unsure;
  throw new UsageError(
    message('audit.decimals', { line, point: String(amount.point), comma: String(amount.comma) }),
  );
}

/** Every attempt with a task, and the creations without one that are not among `rows`. */
async function* bookedAttempts(
  { invocation, store }: SeenRun,
  rows: readonly UnknownRow[],
  by: string | null,
): AsyncGenerator<BookedAttempt | UnknownCreation> {
  const name = invocation.words.run;
  const readBy = by === null ? () => null : valueReader(by);
  const isRow = new Set(rows.filter(({ run }) => run === invocation).map(({ uncertain }) => uncertain.key));
  for await (const page of store.checkpoint.reportPages())
    for (const row of page)
      for (const attempt of row.attempts)
        if (attempt.taskId === null) yield* otherCreations(row, attempt, isRow);
        else yield booked(name, row, attempt, attempt.taskId, readBy(row));
}

function unknownRow({ invocation: run }: SeenRun, uncertain: UncertainRow): UnknownRow {
  const { createdAfter: after, createdBefore: before, question: text } = uncertain;
  return { run, uncertain, after, before, text };
}

/** An attempt whose task is unknown as well, and that `resolve` takes none for: it may have made a task of the statement. */
function otherCreations(
  row: ReportRow,
  { attempt, status, submittedAt }: Attempt,
  isRow: ReadonlySet<number>,
): readonly UnknownCreation[] {
  const { item } = row;
  if (submittedAt === null || (status !== 'uncertain' && status !== 'submitting')) return [];
  if (isRow.has(item.key) && attempt === item.attempt) return [];
  // Nobody knows any more how long it was waited for.
  return [{ after: submittedAt, before: submittedAt + longestWaitMs, text: readSentTexts(row).question }];
}

const longestWaitMs = 600_000;

const dayOf = createDays();

function booked(
  run: string,
  { item }: ReportRow,
  each: Attempt,
  taskId: string,
  by: string | null,
): BookedAttempt {
  const { attempt, status, points, submittedAt } = each;
  const endedAt = endOf(each, each.finishAt ?? (attempt === item.attempt ? item.finishAt : null));
  const at = endedAt ?? submittedAt;
  const day = at === null ? '' : dayOf(at);
  return { run, row: item.row, id: item.id, attempt, taskId, status, points, submittedAt, endedAt, day, by };
}

/** A run may have asked long after the service was done, which says when by its own clock. */
function endOf({ submittedAt, endedAt }: Attempt, finishAt: string | null): number | null {
  const finish = readTime(finishAt ?? '');
  if (finish === null || finish.wall !== null || submittedAt === null || endedAt === null) return endedAt;
  return finish.at < submittedAt ? endedAt : Math.min(finish.at, endedAt);
}

/** Reads the column of each row, which may be spelled otherwise in another file. */
function valueReader(by: string): (row: ReportRow) => string {
  const columns = new Map<Source, string | undefined>();
  return ({ source, input }) => {
    if (!columns.has(source)) columns.set(source, findColumn(source.columns, by));
    const value = input[columns.get(source) ?? by] ?? '';
    return typeof value === 'string' ? value.trim() : JSON.stringify(value);
  };
}

/** Its points would count twice. */
async function refuseTwice(runs: readonly SeenRun[]): Promise<void> {
  const names = new Map<string, string>();
  for (const { store, invocation } of runs) {
    const id = await reportedRunId(store.settings, invocation.out);
    const first = names.get(id);
    const second = invocation.words.run;
    if (first !== undefined) throw new UsageError(message('audit.same-run', { first, second }));
    names.set(id, second);
  }
}

async function refuseNoColumn(runs: readonly SeenRun[], by: string): Promise<void> {
  const columns = new Set<string>();
  for (const { store } of runs)
    for (const source of await store.checkpoint.sources())
      for (const column of source.columns) columns.add(column);
  if (findColumn([...columns], by) !== undefined) return;
  throw new UsageError(message('audit.no-by', { by, columns: quoteColumns([...columns]) }));
}
