/** What must hold of a run on several machines: its store and its report against the ledger. One line for each broken promise. */

import { reportLines } from './written.ts';

export interface FleetLedger {
  readonly accepted: number;
  readonly points: number;
  readonly max_open: number;
  readonly tasks: readonly {
    readonly task_id: string;
    readonly question: string;
    readonly status: string;
    readonly points: number;
    readonly created_at: string;
    /** null while it is open. */
    readonly finish_at: string | null;
    readonly question_image_sha256: readonly (string | null)[];
  }[];
}

/** One row as the store tells it. */
export interface FleetRow {
  readonly id: string;
  readonly status: string;
  readonly attempts: readonly {
    readonly status: string;
    readonly taskId: string | null;
    readonly points: number | null;
  }[];
  /** Saved files, relative to the outputs. */
  readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
}

/** Nothing accepted twice without an order, nothing accepted that its row does not know of, every point told. */
export function moneyFlaws(
  { tasks }: FleetLedger,
  rows: readonly FleetRow[],
  questions: ReadonlyMap<string, string>,
  orders: ReadonlyMap<string, number>,
): readonly string[] {
  const flaws: string[] = [];
  const ids = new Map([...questions].map(([id, question]) => [question, id]));
  const attemptsOf = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  for (const [question, accepted] of Map.groupBy(tasks, (task) => task.question)) {
    const id = ids.get(question) ?? '';
    const attempts = attemptsOf.get(id);
    if (attempts === undefined) {
      flaws.push(`lost: "${question}" belongs to no row`);
      continue;
    }
    if (accepted.length > 1 + (orders.get(id) ?? 0))
      flaws.push(`paid twice: ${id} was accepted ${accepted.length} times`);
    const known = new Map(attempts.map((attempt) => [attempt.taskId, attempt]));
    const unknown = accepted.filter(({ task_id }) => !known.has(task_id));
    const doubts = attempts.filter(
      ({ status, taskId }) => taskId === null && (status === 'uncertain' || status === 'submitting'),
    );
    if (unknown.length > doubts.length)
      flaws.push(`lost: ${unknown.map(({ task_id }) => task_id)} of ${id} is in no attempt`);
    for (const { task_id, points } of accepted) {
      const attempt = known.get(task_id);
      const hasEnded = attempt !== undefined && !['open', 'lost'].includes(attempt.status);
      if (hasEnded && attempt.points !== points)
        flaws.push(`${task_id} of ${id} cost ${points}, its attempt says ${attempt.points}`);
    }
  }
  return flaws;
}

/** The report tells of each row what the store does, its points are the ledger's, and its files are whole: `sums` has their SHA-256 by path. */
export function reportFlaws(
  report: string,
  rows: readonly FleetRow[],
  ledger: FleetLedger,
  sums: ReadonlyMap<string, string>,
): readonly string[] {
  const flaws: string[] = [];
  const lines = reportLines(report);
  if (lines.length !== rows.length)
    flaws.push(`the report has ${lines.length} lines, the store ${rows.length} rows`);
  const charged = new Map(ledger.tasks.map(({ task_id, points }) => [task_id, points]));
  let [told, known] = [0, 0];
  for (const [i, { id, status, video, history }] of lines.entries()) {
    const row = rows[i];
    if (row?.id !== id || row.status !== status)
      flaws.push(`line ${i + 1} says ${id} is ${status}, the store ${row?.id} is ${row?.status}`);
    for (const { task_id, points } of history) {
      told += points ?? 0;
      known += (task_id === null ? 0 : charged.get(task_id)) ?? 0;
    }
    if ((status === 'completed') !== (video !== null))
      flaws.push(`${id} is ${status}, its video is ${video}`);
  }
  if (told !== known) flaws.push(`the report tells ${told} points, the ledger ${known} for its tasks`);
  for (const { id, files } of rows)
    for (const { path, sha256 } of files)
      if (sums.get(path) !== sha256) flaws.push(`${path} of ${id} is not the file that was saved`);
  return flaws;
}
