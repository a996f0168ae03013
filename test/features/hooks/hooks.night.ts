import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStage, questions, type Stage } from '../../cli/support/stage.ts';

const rows = 1_000;
const kills = 5;

/** A command for the shell. */
const shell = (script: string): string => `sh -c '${script}'`;

/** Writes down the row, and whether its video was there. */
const noting = shell('test -s "$BATCH_ROW_VIDEO" && echo "$BATCH_ROW_ID $BATCH_ROW_STATUS saved" >> heard');

// Each kill may leave 16 uncertain rows, which keep their slots.
const run = ['run', 'q.csv', '--yes', '-j', '100', '--poll-interval', '100ms'];

async function openRows(count: number): Promise<Stage> {
  const stage = await openStage();
  await stage.write('q.csv', questions(...Array.from({ length: count }, (_, n) => `q${n}`)));
  return stage;
}

function heardIn(stage: Stage): string[] {
  const path = join(stage.folder, 'heard');
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

it(`${rows} rows: killed ${kills} times, each is called for, and none that is not saved`, async () => {
  await using stage = await openRows(rows);
  const args = [...run, '--on-row', noting];
  for (let kill = 1; kill <= kills; kill += 1) {
    const program = stage.start(args);
    // Killed while rows are completed and called for, and once while only calls are left.
    await expect.poll(() => heardIn(stage).length).toBeGreaterThan((rows * kill) / (kills + 1));
    program.kill('SIGKILL');
    await program.ended;
  }
  // A creation that was on its way when its process died is uncertain: its row is not completed.
  expect((await stage.batch(args)).code).toBeOneOf([0, 5]);
  const completed = Object.entries(await stage.statuses()).filter(([, status]) => status === 'completed');
  expect(completed.length).toBeGreaterThan(rows / 2);
  const heard = new Set(heardIn(stage));
  expect([...heard].toSorted()).toEqual(completed.map(([id]) => `${id} completed saved`).toSorted());
  const { onRow } = JSON.parse((await stage.batch(['status', '--json'])).stdout);
  expect(onRow).toMatchObject({ owed: 0, failed: 0, done: completed.length });
  const sent = stage.service.creations.map(({ question }) => question);
  expect(new Set(sent).size).toBe(sent.length);
});

describe.concurrent('a run with a hook that', () => {
  /** What a run leaves, but for its times. */
  async function outcome(stage: Stage) {
    const report = await stage.report();
    return {
      rows: report.map(({ row, id, status, points, video, failure, attempts }) => ({
        row,
        id,
        status,
        points,
        video,
        failure,
        attempts,
      })),
      creations: stage.service.creations.map(({ question }) => question).toSorted(),
    };
  }

  it.each([
    ['fails', 'exit 3', /^exit code 3$/],
    ['floods', 'yes', /^it printed more than 16 MB$/],
    ['forks and goes', 'sleep 600 & exit 0', null],
  ] as const)('%s is as one without', async (_, line, failure) => {
    await using plain = await openRows(8);
    await using hooked = await openRows(8);
    const ending = await plain.batch(run);
    const more = ['--on-row', shell(line), '--on-end', shell(line)];
    expect(await hooked.batch([...run, ...more])).toMatchObject({ code: ending.code, stdout: ending.stdout });
    expect(await outcome(hooked)).toEqual(await outcome(plain));
    const { calls, done } = JSON.parse((await hooked.batch(['status', '--json'])).stdout).onRow;
    for (const call of calls) expect(call.failure).toMatch(failure ?? /never/);
    expect([calls.length, done]).toEqual(failure === null ? [0, 8] : [8, 0]);
  });

  it('hangs can be left by Ctrl-C, and the next start calls again', async () => {
    await using stage = await openRows(3);
    const program = stage.start([...run, '--on-row', shell('touch begun; sleep 600')]);
    await program.said(/calls of --on-row to make: 3/);
    program.kill('SIGINT');
    expect(await program.ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('calls of --on-row that the next start makes: 3'),
    });
    await stage.batch(['resume', '--on-row', noting]);
    expect(heardIn(stage)).toHaveLength(3);
  });
});
