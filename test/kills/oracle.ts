/** What must hold whenever no process runs: what the folder says, against the ledger of the service. One line for each broken promise. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkpointName, openDatabaseReadOnly } from '../../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { apiKey } from '../cli/support/scripted-service.ts';
import { reportLines } from '../support/written.ts';
import { versionsAt } from './task-files.ts';

/** A task that the service accepted. */
export interface AcceptedTask {
  readonly taskId: string;
  /** Id of the row it was made for. */
  readonly row: string;
  /** Charged once it has ended. */
  readonly points: number;
}

/** The row of a question: `Question r1`, and whatever else was written behind it. */
export function rowOf(question: string): string {
  return question.split(' ')[1] ?? '';
}

/** One row as the checkpoint or the report tells it. */
export interface ToldRow {
  readonly id: string;
  readonly status: string;
  readonly folder: string;
  readonly video: string | null;
  readonly attempts: readonly ToldAttempt[];
}

interface ToldAttempt {
  readonly status: string;
  readonly taskId: string | null;
  readonly points: number | null;
}

/** What the service knows. */
export interface Truth {
  readonly accepted: readonly AcceptedTask[];
  /** New attempts that the user ordered, by row. */
  readonly orders?: ReadonlyMap<string, number>;
}

/** The rows of the checkpoint; none where no process has come that far. */
export async function readCheckpoint(out: string): Promise<ToldRow[]> {
  using db = openedToLook(out);
  const rows: ToldRow[] = [];
  if (db === null) return rows;
  for await (const { item, attempts } of createSqliteCheckpoint(db.db).reportRows()) {
    const video =
      item.artifacts.find(({ kind, state }) => kind === 'video' && state === 'saved')?.path ?? null;
    const { id, status, folder } = item;
    const told = attempts.map(({ status, taskId, points }) => ({ status, taskId, points }));
    rows.push({ id, status, folder, video, attempts: told });
  }
  return rows;
}

function openedToLook(out: string) {
  const db = existsSync(join(out, checkpointName)) ? openDatabaseReadOnly(out) : null;
  return db === null ? null : { db, [Symbol.dispose]: () => void db.close() };
}

/** The rows of `report.jsonl`. The folder of a row with an id of its own is that id. */
export function readReport(out: string): ToldRow[] {
  return reportLines(readFileSync(join(out, 'report.jsonl'), 'utf8')).map((line) => {
    const { status, id, video, history } = line;
    const attempts = history.map(({ status, task_id: taskId, points }) => ({ status, taskId, points }));
    return { id, status, folder: id, video, attempts };
  });
}

/** Money: nothing accepted twice without an order, nothing accepted that its row does not know of, every point told. */
export function moneyFlaws(rows: readonly ToldRow[], { accepted, orders }: Truth): string[] {
  const flaws: string[] = [];
  const attemptsById = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  for (const [row, tasks] of Map.groupBy(accepted, (task) => task.row)) {
    const attempts = attemptsById.get(row) ?? [];
    if (tasks.length > 1 + (orders?.get(row) ?? 0))
      flaws.push(`paid twice: ${row} was accepted ${tasks.length} times`);
    const known = new Map(attempts.map((attempt) => [attempt.taskId, attempt]));
    const unknown = tasks.filter(({ taskId }) => !known.has(taskId));
    const doubts = attempts.filter(
      ({ status, taskId }) => taskId === null && (status === 'uncertain' || status === 'submitting'),
    );
    if (unknown.length > doubts.length)
      flaws.push(`lost: ${unknown.map(({ taskId }) => taskId)} of ${row} is in no attempt`);
    for (const { taskId, points } of tasks) {
      const attempt = known.get(taskId);
      if (attempt !== undefined && !unpriced.has(attempt.status) && attempt.points !== points)
        flaws.push(`${taskId} of ${row} cost ${points}, its attempt says ${attempt.points}`);
    }
  }
  return flaws;
}

/** Statuses of an attempt whose task is not known to have ended. */
const unpriced: ReadonlySet<string> = new Set(['open', 'lost']);

/** The tool's own files at the top of the output folder. A process that was killed may leave a temporary one. */
const topFile =
  /^(batch\.(sqlite(-wal|-shm|-journal)?|lock(-journal)?|ids|log|pid)|report\.(csv|jsonl|html)|failed\.csv)$/;
const leftOver = /^(\.[\w.]+\.[0-9a-f-]{36}\.tmp|\.task\.json\.tmp|(video|frames\/\d{3})\.part(\.json)?)$/;
const finalFile = /^(?:attempt-\d+(?:-\d+)?\/)?(video|frames\/(\d{3}))\.(webm|png)$/;

/** Files: a final path holds a whole file of that very task, and nothing lies where it does not belong. */
export function fileFlaws(out: string, rows: readonly ToldRow[]): string[] {
  const flaws: string[] = [];
  const rowsByFolder = new Map(rows.map((row) => [row.folder, row]));
  for (const path of filesBelow(out)) {
    const [, folder = '', name = path] = /^([^/]+)\/(.+)$/s.exec(path) ?? [];
    if (folder === '' && (topFile.test(name) || leftOver.test(name))) continue;
    const row = rowsByFolder.get(folder);
    if (row === undefined) flaws.push(`${path} belongs to no row`);
    else if (/^(attempt-\d+(-\d+)?\/)?task\.json$/.test(name)) flaws.push(...jsonFlaw(join(out, path), path));
    else if (finalFile.test(name)) flaws.push(...contentFlaw(join(out, path), path, row));
    else if (!leftOver.test(name)) flaws.push(`${path} has no name of the tool's`);
  }
  for (const { status, id, video } of rows) {
    if (status !== 'completed') continue;
    if (video === null || !existsSync(join(out, video))) flaws.push(`${id} is completed without a video`);
  }
  return flaws;
}

function jsonFlaw(file: string, path: string): string[] {
  try {
    JSON.parse(readFileSync(file, 'utf8'));
    return [];
  } catch {
    return [`${path} is not whole`];
  }
}

function contentFlaw(file: string, path: string, { attempts }: ToldRow): string[] {
  const bytes = readFileSync(file);
  const served = attempts.flatMap(({ taskId }) => (taskId === null ? [] : versionsAt(path, taskId)));
  return served.some((version) => version.equals(bytes)) ? [] : [`${path} is not what the service has`];
}

/** Paths of all files below the folder, with `/`; none where there is no folder. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** Secrets: neither the key nor the query of a signed link stands in any file of the output folder. */
export function secretFlaws(out: string): string[] {
  return filesBelow(out)
    .filter((path) => !/\.(webm|png)$/.test(path))
    .filter((path) => {
      const text = readFileSync(join(out, path), 'latin1');
      return text.includes(apiKey) || text.includes('s3cret-');
    })
    .map((path) => `${path} holds a secret`);
}

/** The exit code that these rows ask for, as the contract has it. */
export function exitCodeOf(rows: readonly ToldRow[]): number {
  const has = (...statuses: readonly string[]): boolean =>
    rows.some(({ status }) => statuses.includes(status));
  if (has('uncertain', 'submitting')) return 5;
  if (has('pending', 'open', 'downloading')) return 4;
  return has('failed', 'rejected', 'undelivered', 'lost', 'invalid') ? 1 : 0;
}
