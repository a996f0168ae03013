/** The statement of the account at the end of a world, held against the books as `batch audit` does. */

import { StatementBooks, type Verdict } from '../../src/features/audit/statement-books.ts';
import type { Attempt, ReportRow } from '../../src/stores/port/reading.ts';
import type { SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { promise } from './oracle.ts';
import type { World } from './sim-process.ts';

/** A task whose price the books need not know, or know otherwise: nobody waits for one that rises without a cap. */
function mayDiffer(world: World, { status, taskId }: Attempt): boolean {
  const task = world.service.tasks.get(taskId ?? '');
  return status === 'lost' || status === 'open' || ((task?.riseMs ?? 0) > 0 && !world.isCapped);
}

/** Creations of which nobody knows whether they made a task, or which one. */
const unknown: ReadonlySet<string> = new Set(['uncertain', 'submitting', 'lost', 'open', 'pending']);

/** In fair weather, when everything has come to its end. */
export async function checkStatement(world: World, checkpoint: SqliteCheckpoint): Promise<void> {
  const books = new StatementBooks();
  const charged = [...world.service.tasks.values()].filter((task) => world.service.priceOf(task) > 0);
  for (const [at, task] of charged.entries()) {
    const price = world.service.priceOf(task);
    books.add({
      line: at + 2,
      taskId: task.taskId,
      amount: { point: price, comma: price },
      isRefund: false,
      at: task.endsAt,
      span: 1,
      wall: null,
      day: '',
      text: null,
    });
  }
  let unknowns = 0;
  for await (const row of checkpoint.reportRows())
    for (const attempt of row.attempts) {
      if (unknown.has(attempt.status)) unknowns += 1;
      if (attempt.taskId !== null) checkAttempt(world, books, row, { ...attempt, taskId: attempt.taskId });
    }
  const strange = [...books.left()].map(({ theirs }) => theirs.taskId);
  promise(
    strange.length <= unknowns,
    `the statement has ${strange.join(', ')}, and the books know of ${unknowns} creations of unknown outcome`,
  );
}

const fine: ReadonlySet<Verdict> = new Set<Verdict>(['matched', 'nothing', 'learned', 'not-yet']);

function checkAttempt(
  world: World,
  books: StatementBooks,
  { item: { row, id } }: ReportRow,
  attempt: Attempt & { readonly taskId: string },
): void {
  const booked = { ...attempt, run: '', row, id, day: '', by: null };
  const { verdict, theirs } = books.compare(booked);
  promise(
    fine.has(verdict) || mayDiffer(world, attempt),
    `${id}, ${attempt.taskId}, ${attempt.status}: ${verdict}, ours ${attempt.points}, theirs ${theirs?.points}`,
  );
}
