/** `resume` and `retry` before they pay: what they would do, without doing it; and what is paid again. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiKey, failed } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { hasTerminals, startOnTerminal } from '../../cli/support/terminal.ts';

/** `a` is made, `b` has failed, `c` and `d` wait, `e` cannot be sent. */
async function openHalf(): Promise<Stage> {
  const stage = await openStage({
    status: (task) => (task.question === 'Question b' ? failed(task, 'no such formula') : undefined),
  });
  await stage.write(
    'q.csv',
    `${questions('a', 'b', 'c', 'd')}e,\n`.replace('\n', ',image\n').replace('e,\n', 'e,Question e,e.png\n'),
  );
  await stage.batch(runLine('q.csv', '--limit', '2'));
  return stage;
}

/** All bytes of the output folder, by path. */
function contents(stage: Stage): Readonly<Record<string, string>> {
  const folder = join(stage.folder, 'videos');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    files
      // Looking makes these, as every reader of the database does.
      .filter(({ name }) => !/-(wal|shm)$/.test(name))
      .map(({ parentPath, name }) => [
        join(parentPath, name),
        readFileSync(join(parentPath, name), 'latin1'),
      ]),
  );
}

/** The line sends nothing, writes nothing, and needs no key. */
async function tryLine(stage: Stage, ...line: readonly string[]) {
  const [before, events] = [contents(stage), stage.service.events.length];
  const ending = await stage.batch(line, { env: { BATCH_API_KEY: undefined } });
  expect(contents(stage)).toEqual(before);
  expect(stage.service.events).toHaveLength(events);
  return ending;
}

describe.concurrent('--dry-run', { timeout: 180_000 }, () => {
  it('of resume says what waits, with its estimate and the cap, and rows that can be sent by now', async () => {
    await using stage = await openHalf();
    const first = await tryLine(stage, 'resume', '--dry-run', '--max-points', '50');
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(
      /^Plan: 2 to submit\nEstimate: about 20 points: .*\n {2}--max-points 50 is enough for that\n {2}it can be passed only by .*\n$/,
    );
    await stage.write('e.png', readFileSync('samples/clip.png'));
    expect((await tryLine(stage, 'resume', '--dry-run')).stdout).toContain('Plan: 3 to submit\n');
    expect((await tryLine(stage, 'resume', '--dry-run', '--limit', '1')).stdout).toContain(
      'Plan: 1 to submit\n',
    );
    const json = await tryLine(stage, 'resume', '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      plan: { toSubmit: 3, estimate: { points: 30 } },
      points: 10,
    });
    const wrong = await tryLine(stage, 'resume', '--dry-run', '--only', 'nobody');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('no row has the id nobody') });
  });

  it('of retry says which rows, and what is paid again', async () => {
    await using stage = await openHalf();
    const failedRows = await tryLine(stage, 'retry', '--failed', '--dry-run');
    expect(failedRows).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') });
    expect(failedRows.stdout).toMatch(
      /^1 row to get a new attempt\n2 rows left waiting, .*\nPlan: 1 to submit\n/,
    );
    const named = await tryLine(stage, 'retry', '--only', 'a,b', '--dry-run');
    expect(named.stdout).toMatch(
      /^warning: 1 row has its video and is paid for again: a, 10 points so far\n2 rows to get/,
    );
    const json = await tryLine(stage, 'retry', '--only', 'a,b', '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      newAttempts: 2,
      paidAgain: ['a'],
      plan: { toSubmit: 2 },
    });
    const wrong = await tryLine(stage, 'retry', '--only', 'nobody', '--dry-run');
    expect(wrong.code).toBe(2);
    expect(await stage.statuses()).toMatchObject({ a: 'completed', b: 'failed' });
  });

  it.for([['collect'], ['verify', '--fix'], ['status']])('is no option of %s', async (line) => {
    await using stage = await openHalf();
    const ending = await tryLine(stage, ...line, '--dry-run');
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining('--dry-run is not an option') });
  });
});

describe.concurrent('a retry of a row that has its video', { timeout: 180_000 }, () => {
  it('names it even where little is to be said', async () => {
    await using stage = await openHalf();
    const ending = await stage.batch(['retry', '--only', 'a', '--quiet']);
    expect(ending.stderr).toContain(
      'warning: 1 row has its video and is paid for again: a, 10 points so far',
    );
    expect(stage.service.creations.filter(({ question }) => question === 'Question a')).toHaveLength(2);
  });

  it.skipIf(!hasTerminals).for([
    [['--only', 'a'], 'n', 2, 1],
    [['--only', 'a'], 'y', 4, 2],
    [['--only', 'a', '--yes'], null, 4, 2],
    [['--only', 'b'], null, 4, 1],
  ] as const)('is asked about on a terminal: %j, %s', async ([choice, answer, code, times]) => {
    await using stage = await openHalf();
    await using program = startOnTerminal(['retry', ...choice], {
      cwd: stage.folder,
      columns: 200,
      env: { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey },
    });
    if (answer !== null) {
      await program.said(/paid for again: a.*Submit 1 row for about 10 points\? \[y\/N\]/s);
      program.type(`${answer}\r`);
    }
    expect(await program.ended).toBe(code);
    expect(program.output.includes('[y/N]')).toBe(answer !== null);
    expect(stage.service.creations.filter(({ question }) => question === 'Question a')).toHaveLength(times);
  });
});
