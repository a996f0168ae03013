/** An import that is suspended in the middle of its work, as by a laptop that sleeps, stops no worker. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { wordProblems } from '../support/word-problems.ts';

const rowCount = 20_000;
/** Suspended after so long (ms) each: while it reads, copies, and writes. */
const moments = Array.from({ length: 12 }, (_, at) => 800 + at * 300);
const stoppedMs = 12_000;

it(`an import is suspended ${moments.length} times, and workers go on`, { timeout: 1_500_000 }, async () => {
  const questions = wordProblems(rowCount);
  await using fleet = await Fleet.open({
    questions,
    service: ['--duration', '500ms'],
    options: ['-j', '20', '--poll-interval', '300ms', '--frames', 'none'],
  });
  await fleet.openSeats(3);
  const accepted = async (): Promise<number> => (await fleet.ledger()).accepted;
  const ids = new Map(questions.map((text, at) => [text, at]));
  const held: number[] = [];
  for (const [turn, moment] of moments.entries()) {
    const lines = questions.map((text, at) => {
      ids.set(`${turn}: ${text}`, at);
      return `${JSON.stringify({ id: `q${at + 1}`, question: `${turn}: ${text}` })}\n`;
    });
    await writeFile(join(fleet.folder, 'questions-0.jsonl'), lines.join(''));
    const running = fleet.start(['run', 'questions-0.jsonl', '--out', fleet.out, '--detach', '--yes']);
    await pause(moment);
    await running.suspend();
    const [before, began] = [await accepted(), performance.now()];
    // Ten seconds after it was stopped it holds nothing any more.
    await fleet.until(async () => (await accepted()) > before);
    held.push(Math.round(performance.now() - began));
    const stillMs = stoppedMs - (performance.now() - began);
    if (turn % 4 === 0 && stillMs > 0) await pause(stillMs);
    running.kill('SIGCONT');
    const { code, stderr } = await running.ended;
    expect([0, 4], stderr).toContain(code);
  }
  process.stdout.write(`creations went on after ${held.sort((a, b) => b - a).slice(0, 5)} ms at most\n`);
  expect(Math.max(...held)).toBeLessThan(60_000);
  await Promise.all(fleet.seats.map((seat) => seat.kill('SIGTERM')));
  const { tasks } = await fleet.ledger();
  const ofRows = Map.groupBy(tasks, ({ question }) => ids.get(question));
  expect([...ofRows].filter(([row, sent]) => row === undefined || sent.length > 1)).toEqual([]);
  expect(await fleet.unknownTasks()).toEqual([]);
});
