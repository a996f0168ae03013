/**
 * A workbook from its first check to its reports, as a teacher goes through it: a pilot, an estimate, the whole run
 * against a service that takes fewer tasks than nobody knows, uncertain rows settled from the account page.
 */

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { startProgram } from '../../cli/support/program.ts';
import { readBook } from '../../input/workbook/read-book.ts';
import { type ExamRow, examWorkbook } from '../../support/exam-workbook.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const rowCount = 500;
const uncertain = '1%';
const hiddenCap = 12;
const tick = ['--poll-interval', '200ms', '--frames', 'none'];

interface Ledger {
  readonly accepted: number;
  readonly points: number;
  readonly max_open: number;
  readonly tasks: readonly LedgerTask[];
}

interface LedgerTask {
  readonly task_id: string;
  readonly question: string;
  readonly question_image_sha256: readonly string[];
  readonly answer_image_sha256: readonly string[];
}

const digests = (images: readonly Buffer[]): string[] =>
  images.map((bytes) => createHash('sha256').update(bytes).digest('hex'));

/** What the service was sent for a row, and what it should have been sent. */
const sentOf = (task: LedgerTask) => [task.question, task.question_image_sha256, task.answer_image_sha256];
const wantedOf = (row: ExamRow) => [row.question, digests(row.questionImages), digests(row.answerImages)];

it(`a workbook of ${rowCount} Chinese questions with pictures of all three kinds is carried to its reports, each picture byte for byte`, {
  timeout: 900_000,
}, async () => {
  await using folder = await temporaryFolder();
  const { bytes, rows } = examWorkbook(rowCount, 4_000);
  await writeFile(join(folder.path, '试题.xlsx'), bytes);
  const limits = ['--fault', `capacity=${hiddenCap}`, '--fault', `reset-after=${uncertain}`];
  const service = startProgram(
    ['simulate', '--port', '0', '--duration', '500ms', '--fail-rate', '0', '--seed', '2', ...limits],
    { cwd: folder.path },
  );
  try {
    const [, address = ''] = await service.said(/listens at (http:\S+),/);
    const env = { BATCH_BASE_URL: address, BATCH_API_KEY: 'simulated-key' };
    const batch = async (...args: readonly string[]) => {
      const ending = await startProgram(args, { cwd: folder.path, env }).ended;
      return { ...ending, said: ending.stdout + ending.stderr };
    };
    const ledger = async (): Promise<Ledger> => (await (await fetch(`${address}/ledger`)).json()) as Ledger;
    const textOf = (name: string) => readFile(join(folder.path, name), 'utf8');

    const checked = await batch('check', '试题.xlsx');
    expect(checked.code, checked.said).toBe(0);
    expect(checked.stdout).toContain(`${rowCount} to submit`);
    expect(checked.stdout).toContain(rows[0]?.question.slice(0, 20));

    const pilot = await batch('run', '试题.xlsx', '--sample', '20', '-y', ...tick);
    expect([4, 5], pilot.said).toContain(pilot.code);
    expect((await ledger()).accepted).toBe(20);
    const estimated = await batch('check', '试题.xlsx');
    expect(estimated.stdout).toMatch(
      /Estimate: [\d,]+(?: to [\d,]+)? points for \d+ rows, judging by \d+ videos/,
    );

    const whole = await batch('run', '试题.xlsx', '-j', 'auto', '--report', 'xlsx', '-y', ...tick);
    expect(whole.code, whole.said).toBe(5);
    expect(whole.stdout).toContain('Next: batch resolve ./videos --list --to uncertain.csv');

    const listed = await batch('resolve', '--list');
    const { tasks } = await ledger();
    const saved = (await textOf('videos/report.jsonl')).trimEnd().split('\n');
    const known = new Set(saved.map((line) => JSON.parse(line).task_id));
    const lines = parse(listed.stdout, { bom: true, columns: true }) as { id: string; task_id: string }[];
    // As on an account page, which shows the pictures of a task.
    const filled = lines.map(({ id }) => {
      const row = rows.find((each) => each.id === id);
      const wanted = row === undefined ? '' : JSON.stringify(wantedOf(row));
      const task = tasks.find((each) => JSON.stringify(sentOf(each)) === wanted && !known.has(each.task_id));
      return `${id},${task?.task_id ?? 'not-created'}`;
    });
    await writeFile(join(folder.path, 'uncertain.csv'), ['id,task_id', ...filled, ''].join('\n'));
    const settled = await batch('resolve', '--from', 'uncertain.csv', '--yes');
    expect(settled.code, settled.said).toBe(0);
    const rest = await batch('resume', '-y', ...tick);
    expect(rest.code, rest.said).toBe(0);

    const end = await ledger();
    expect(end.accepted).toBe(rowCount);
    expect(end.max_open).toBeLessThanOrEqual(hiddenCap);
    const report = parse(await textOf('videos/report.csv'), { bom: true, columns: true }) as Record<
      string,
      string
    >[];
    expect(
      report.map(({ id, status, answer, 'input.章节': chapter }) => [id, status, answer, chapter]),
    ).toEqual(rows.map(({ id, answer, chapter }) => [id, 'completed', answer, chapter]));
    expect(report.reduce((sum, { points }) => sum + Number(points), 0)).toBe(end.points);
    const taskOf = new Map(end.tasks.map((task) => [task.task_id, task]));
    const told = (await textOf('videos/report.jsonl')).trimEnd().split('\n');
    for (const [at, row] of rows.entries()) {
      const { id, task_id, video } = JSON.parse(told[at] ?? '{}');
      const task = taskOf.get(task_id);
      expect([id, ...(task === undefined ? [] : sentOf(task))]).toEqual([row.id, ...wantedOf(row)]);
      expect((await readFile(join(folder.path, 'videos', video))).length).toBeGreaterThan(1_000);
    }
    const book = await readBook(await readFile(join(folder.path, 'videos/report.xlsx')));
    expect(book.rows.map(({ input }) => [input.id, input.task_id, input['input.章节']])).toEqual(
      report.map(({ id, task_id, 'input.章节': chapter }) => [id, task_id, chapter]),
    );
    expect((await batch('verify')).code).toBe(0);
  } finally {
    service.kill('SIGKILL');
    await service.ended;
  }
});
