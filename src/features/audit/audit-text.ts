/** What `batch audit` prints: lines for people, or one object for programs. */

import { listColumns } from '../../input/columns/columns.ts';
import type { Words } from '../../messages/both.ts';
import { inEnglish, type Message, message } from '../../messages/message.ts';
import { roundPoints } from '../../money/summary.ts';
import type { Audit } from './audit-runs.ts';
import type { Sum } from './audit-tally.ts';
import { type Compared, type Verdict, verdicts } from './statement-books.ts';
import type { KnownZone } from './statement-clues.ts';
import { statementFields } from './statement-columns.ts';

/** A line; a part stands below what it belongs to. */
interface AuditLine {
  readonly said: Message;
  readonly isPart: boolean;
}

/** Tasks that people see of each verdict, and sums of each kind. */
export const shownTasks = 20;
const shownSums = 100;

/** Of these there is nothing to look at. */
const quiet: readonly Verdict[] = ['matched', 'nothing'];

/** What was read of the statement, and what was guessed. */
export function statementLines({ statement, books }: Audit): readonly Message[] {
  const { file, columns, others, guessed, unnamed, notes } = statement;
  const chosen = statementFields.flatMap((field) => {
    const column = columns[field];
    return column === undefined ? [] : [`${field} = ${JSON.stringify(column)}`];
  });
  const { lines: count, taskCount, first, last } = books;
  const isTimed = first !== null && last !== null;
  return [
    ...notes,
    message('audit.read', { file, count, taskCount, points: roundPoints(books.points) }),
    message('audit.columns', { chosen: chosen.join(', ') }),
    ...guessed.map((field) => message('audit.guessed', { column: JSON.stringify(columns[field]), field })),
    ...(others.length > 0 ? [message('audit.others', { columns: listColumns(others, JSON.stringify) })] : []),
    ...(books.clues.isNegative ? [message('audit.negative')] : []),
    ...(unnamed > 0 ? [message('audit.unnamed', { count: unnamed })] : []),
    isTimed ? message('audit.period', { first: iso(first), last: iso(last) }) : message('audit.no-times'),
    ...(books.clues.isLocal ? [message('audit.local')] : []),
    ...zoneLines(books.clues.zone),
  ];
}

function zoneLines(zone: KnownZone): readonly Message[] {
  if (zone === 'sure') return [];
  if (zone === 'unknown') return [message('audit.no-zone')];
  const hours = `${String(Math.abs(zone)).padStart(2, '0')}:00`;
  return [message('audit.other-zone', { zone: zone === 0 ? 'UTC' : `${zone < 0 ? '-' : '+'}${hours}` })];
}

/** What became of the tasks. */
export function* auditLines(
  { tally, attempts }: Audit,
  runs: string,
  by: string | null,
): Generator<AuditLine> {
  yield heading(message('audit.compared', { count: attempts, runs }));
  for (const verdict of verdicts) {
    const sum = tally.sum(verdict);
    if (sum.tasks === 0 && verdict !== 'matched') continue;
    yield heading(message('audit.verdict', { outcome: verdict, ...pointsOf(sum) }));
    if (quiet.includes(verdict)) continue;
    const shown = tally.shown(verdict).slice(0, shownTasks);
    for (const compared of shown) yield part(taskLine(compared));
    if (sum.tasks > shown.length) yield part(message('audit.more', { count: sum.tasks - shown.length }));
    if (verdict === 'spoiled') yield part(message('audit.spoiled'));
  }
  yield* sumLines(tally.days(), { en: 'day', zh: '日' }, { en: 'no day', zh: '无日期' });
  yield* sumLines(tally.runs(), { en: 'run', zh: '运行' }, { en: 'no run', zh: '不属于任何运行' });
  if (by !== null) yield* sumLines(tally.values(), { en: by, zh: by }, { en: 'none', zh: '无' });
}

/** The last line: whether all is well. */
export function endLine({ tally, books }: Audit): Message {
  const matched = tally.sum('matched');
  if (books.lines === 0) return message('audit.no-lines');
  if (tally.isClean)
    return message('audit.clean', { count: matched.tasks, points: roundPoints(matched.theirs) });
  return matched.tasks + tally.sum('spoiled').tasks === 0
    ? message('audit.no-match')
    : message('audit.differs', { count: tally.differences });
}

function* sumLines(sums: ReadonlyMap<string, Sum>, by: Words, none: Words): Generator<AuditLine> {
  yield heading(message('audit.sums', { what: by }));
  for (const [name, sum] of [...sums].slice(0, shownSums))
    yield part(message('audit.sum', { what: name === '' ? none : { en: name, zh: name }, ...pointsOf(sum) }));
  if (sums.size > shownSums) yield part(message('audit.more', { count: sums.size - shownSums }));
}

function heading(said: Message): AuditLine {
  return { said, isPart: false };
}

function part(said: Message): AuditLine {
  return { said, isPart: true };
}

function taskLine({ ours, theirs }: Compared): Message {
  if (ours === null) return message('audit.theirs', billed(theirs));
  const { run, row, id, attempt, taskId: task, points } = ours;
  const book = { run, row, id, attempt, task, ours: points };
  return theirs === null
    ? message('audit.ours', book)
    : message('audit.pair', { ...billed(theirs), ...book });
}

function billed(theirs: Compared['theirs']): {
  readonly task: string;
  readonly line: number;
  readonly theirs: number | null;
} {
  const points = theirs?.points ?? null;
  return {
    task: theirs?.taskId ?? '',
    line: theirs?.line ?? 0,
    theirs: points === null ? null : roundPoints(points),
  };
}

function pointsOf({ tasks: count, ours, theirs }: Sum): {
  readonly count: number;
  readonly ours: number;
  readonly theirs: number;
} {
  return { count, ours: roundPoints(ours), theirs: roundPoints(theirs) };
}

/** All of it, for programs. */
export function auditJson(audit: Audit, by: string | null): object {
  const { statement, books, tally, attempts, proposals } = audit;
  const { file, columns, others, unnamed, notes } = statement;
  const sumsOf = (sums: ReadonlyMap<string, Sum>) =>
    [...sums].map(([name, sum]) => ({ name: name === '' ? null : name, ...pointsOf(sum) }));
  return {
    clean: tally.isClean,
    differences: tally.differences,
    statement: {
      file,
      lines: books.lines,
      tasks: books.taskCount,
      points: roundPoints(books.points),
      from: books.first === null ? null : iso(books.first),
      to: books.last === null ? null : iso(books.last),
      columns,
      otherColumns: others,
      linesWithoutTask: unnamed,
      notes: [...notes, ...zoneLines(books.clues.zone)].map(inEnglish),
    },
    attempts,
    counts: Object.fromEntries(verdicts.map((verdict) => [verdict, pointsOf(tally.sum(verdict))])),
    tasks: Object.fromEntries(verdicts.map((verdict) => [verdict, tally.shown(verdict).map(taskJson)])),
    days: sumsOf(tally.days()),
    runs: sumsOf(tally.runs()),
    ...(by === null ? {} : { by: { column: by, values: sumsOf(tally.values()) } }),
    proposals: proposals.map(({ row, task }) => ({
      run: row.run.words.run,
      id: row.uncertain.id,
      taskId: task.taskId,
      line: task.line,
    })),
  };
}

function taskJson({ ours, theirs }: Compared): object {
  const { run, row, id, attempt, status } = ours ?? {};
  return {
    taskId: ours?.taskId ?? theirs?.taskId,
    ...(ours === null ? {} : { run, row, id, attempt, status }),
    ours: ours?.points ?? null,
    theirs: theirs === null || theirs.points === null ? null : roundPoints(theirs.points),
    line: theirs?.line ?? null,
    day: theirs?.day || ours?.day || null,
  };
}

/** The proposals, for people: `command` takes them once they are in a file. */
export function* proposalLines({ proposals }: Pick<Audit, 'proposals'>): Generator<AuditLine> {
  if (proposals.length === 0) return;
  yield heading(message('audit.proposed', { count: proposals.length, command: null }));
  for (const { row, task } of proposals.slice(0, shownTasks))
    yield part(message('audit.proposal', { id: row.uncertain.id, task: task.taskId }));
  if (proposals.length > shownTasks)
    yield part(message('audit.more', { count: proposals.length - shownTasks }));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
