/** A large file with other texts that is imported while workers send its rows: each row is paid for once, and none is lost. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { wordProblems } from '../support/word-problems.ts';

const rowCount = 120_000;
const workers = 3;
const lookMs = 100;

/** How many looks in a row saw the same. */
function runsOf(seen: readonly number[]): number[] {
  const runs = [0];
  seen.forEach((count, at) => {
    if (count === seen[at - 1]) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(0);
  });
  return runs;
}

/** Tasks before the import, and after it. */
const some = 150;

it(`${rowCount} edited rows are imported beside ${workers} workers`, { timeout: 900_000 }, async () => {
  const questions = wordProblems(rowCount);
  const editOf = (question: string): string => `Edited: ${question}`;
  const ids = new Map(
    questions.flatMap((text, at) => [text, editOf(text)].map((each) => [each, `q${at + 1}`])),
  );
  await using fleet = await Fleet.open({
    questions,
    service: ['--duration', '500ms'],
    options: ['-j', '50', '--poll-interval', '300ms', '--frames', 'none'],
  });
  await fleet.openSeats(workers);
  const accepted = async (): Promise<number> => (await fleet.ledger()).accepted;
  await fleet.until(async () => (await accepted()) >= some);
  const lines = questions.map(
    (text, at) => `${JSON.stringify({ id: `q${at + 1}`, question: editOf(text) })}\n`,
  );
  await writeFile(join(fleet.folder, 'questions-0.jsonl'), lines.join(''));
  const created: number[] = [];
  const began = performance.now();
  const imported = fleet.batch('run', 'questions-0.jsonl', '--out', fleet.out, '--detach', '--yes');
  const isOver = imported.then(() => true);
  while (!(await Promise.race([isOver, pause(lookMs)]))) created.push(await accepted());
  const { code, stderr } = await imported;
  expect(code, stderr).toBe(0);
  const waits = runsOf(created).map((looks) => looks * lookMs);
  process.stdout.write(
    `${rowCount} edited rows in ${Math.round(performance.now() - began)} ms; the longest time without a creation ${Math.max(...waits)} ms\n`,
  );
  const atOnce = await accepted();
  await fleet.until(async () => (await accepted()) >= atOnce + some);
  await Promise.all(fleet.seats.map((seat) => seat.kill('SIGTERM')));

  const { tasks } = await fleet.ledger();
  const ofRows = Map.groupBy(tasks, ({ question }) => ids.get(question));
  expect(ofRows.has(undefined)).toBe(false);
  expect([...ofRows].filter(([, sent]) => sent.length > 1)).toEqual([]);
  expect(await fleet.unknownTasks()).toEqual([]);
  const [run] = await fleet.query<{ rows: number; here: number }>(
    'SELECT count(*)::int AS rows, (count(*) FILTER (WHERE gone = 0))::int AS here FROM items',
  );
  expect(run).toEqual({ rows: rowCount, here: rowCount });
  const cost = new Map(tasks.map((task) => [task.task_id, task.points]));
  const ended = await fleet.query<{ task: string; points: number }>(
    'SELECT task_id AS task, points::float8 FROM attempts WHERE points IS NOT NULL',
  );
  expect(ended.filter(({ task, points }) => cost.get(task) !== points)).toEqual([]);
  // A row has the text of the file, or the one it was sent with and that of the file beside it.
  const odd = await fleet.query(`
    SELECT i.id, i.status FROM items i JOIN questions q ON q.item = i.key LEFT JOIN edits e ON e.item = i.key
    WHERE (q.input::json ->> 'question' NOT LIKE 'Edited: %') <> (e.item IS NOT NULL AND i.attempt > 0)`);
  expect(odd).toEqual([]);
  const edited = tasks.filter(({ question }) => question.startsWith('Edited: '));
  expect(edited.length).toBeGreaterThan(0);
});
