/** Every command that an ending proposes, typed twice: it does what its line says, and nothing the second time. */

import { expect, it } from 'vitest';
import { commandWords } from '../../src/text/command-words.ts';
import { insist } from './support/program.ts';
import { completed, failed, inProgress } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

/** `a` and `b` always fail, and were tried; the others wait. */
async function openPilot(): Promise<Stage> {
  const stage = await openStage({
    status: (task) => (/ [ab]$/.test(task.question) ? failed(task, 'no such formula') : undefined),
  });
  await stage.write('q.csv', questions(...ids));
  await stage.batch(runLine('q.csv', '--limit', '3'));
  return stage;
}

/** The paying commands of the last ending, with the rows and points of their lines. */
async function proposed(stage: Stage) {
  const { stdout } = await stage.batch(['status']);
  return [
    ...stdout.matchAll(
      /^(?:Next|Then): batch (re(?:sume|try) .*?) {3,}(\d+) rows? .*?about ([\d.,]+) points?$/gm,
    ),
  ].map(([, command = '', rows, points]) => ({
    words: command.split(' '),
    rows: Number(rows),
    points: Number(points),
  }));
}

it('a command that is proposed pays for as many rows as its line says, and for none when it is typed again', async () => {
  const lines = await (async () => {
    await using stage = await openPilot();
    return await proposed(stage);
  })();
  expect(lines.map(({ words, rows }) => [words[0], rows])).toEqual([
    ['resume', 3],
    ['retry', 2],
  ]);
  expect(lines[0]?.words.join(' ')).toMatch(/^resume \.\/videos --max-points \d+$/);
  for (const { words, rows } of lines) {
    await using stage = await openPilot();
    const paid = (): number => stage.service.creations.length;
    const before = paid();
    await stage.batch([...words, '--poll-interval', '100ms']);
    expect(paid() - before, words.join(' ')).toBe(rows);
    await stage.batch([...words, '--poll-interval', '100ms']);
    expect(paid() - before, `${words.join(' ')} again`).toBe(rows);
  }
});

it('a retry pays for the rows that it names, as many as its limit says, and leaves all others as they were', async () => {
  await using stage = await openPilot();
  const before = stage.service.creations.length;
  await stage.batch(['retry', '--failed', '--limit', '1', '--poll-interval', '100ms']);
  expect(stage.service.creations.length - before).toBe(1);
  const { stdout } = await stage.batch(['status', '--json']);
  expect(JSON.parse(stdout).statuses).toMatchObject({ pending: 3, failed: 2, completed: 1 });
});

/** The last line that begins with `Next: ` or `Then: ` of a command that pays. */
function paying(said: string): string {
  return said.match(/^(?:Next|Then): batch (?:resume|retry) .*$/gm)?.at(-1) ?? '';
}

it('after a word about rows that wait, too, the command that sends them names its budget', async () => {
  await using stage = await openStage({
    create: async ({ question }) =>
      question === 'Question b' ? (response) => void response.destroy() : undefined,
  });
  await stage.write('q.csv', questions(...ids));
  await stage.batch(runLine('q.csv', '--limit', '2'));
  // What may have been charged for the row in doubt is kept free.
  const priced = / batch resume \.\/videos --max-points 60 {3}4 rows left, about 40 points$/;
  await stage.batch(['pause']);
  expect(paying((await stage.batch(['continue'])).stdout)).toMatch(priced);
  const settled = await stage.batch(['resolve', 'b', '--not-created', '--yes']);
  expect(paying(settled.stdout)).toMatch(/ --max-points 60 {3}5 rows left, about 50 points$/);
});

it('a second signal leaves with the commands that the first would have ended with', async () => {
  const gate = Promise.withResolvers<void>();
  await using stage = await openStage({
    status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
    create: async ({ question }, accept) => {
      if (question !== 'Question c') return undefined;
      accept();
      await gate.promise;
      return undefined;
    },
  });
  await stage.write('q.csv', questions(...ids));
  const program = stage.start(runLine('q.csv', '--limit', '3', '-j', '3'));
  await stage.service.until(({ creations }) => creations.length === 3);
  program.kill('SIGINT');
  await program.said(/Stopping/);
  const { stderr } = await insist(program, 'SIGINT');
  gate.resolve();
  expect(stderr).toMatch(/^Next: batch resume \.\/videos --max-points \d+$/m);
});

it('what reads the file again names it as it was read, and works as it stands once the file is right', async () => {
  await using stage = await openStage();
  const table = (last: string) => `Exam of May\n\nno,problem text,key\n1,Question a,1\n2,${last},2\n`;
  await stage.write('in/my exam.csv', table(''));
  const manner = ['--header-row', '3', '--map', 'question=problem text', '--map', 'id=no'];
  const ending = await stage.batch(runLine('in/my exam.csv', ...manner));
  const [, line = ''] = /^(?:Next|Then): batch (run .*?) {3,}1 row invalid/m.exec(ending.stdout) ?? [];
  expect(line).toBe(
    "run 'in/my exam.csv' --header-row 3 --map 'question=problem text' --map id=no --out ./videos",
  );
  await stage.write('in/my exam.csv', table('Question b'));
  const again = await stage.batch([...(commandWords(line) ?? []), '--poll-interval', '100ms']);
  expect([again.code, stage.service.creations.length], again.stdout).toEqual([0, 2]);
});
