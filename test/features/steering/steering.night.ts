/** A run in a folder is tuned and paused from another process; either side is killed at any moment. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lookIntoRun } from '../../../src/app/open-run.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { readSavedOptions } from '../../../src/app/output-folder.ts';
import { readSteering } from '../../../src/app/steering/steering-source.ts';
import { completed, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { Dice } from '../../sim/dice.ts';
import { nightSeed } from '../../support/nightly.ts';

const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => `q${at}`);

/** Tasks take this many polls. */
async function openSlow(rows: number, polls: number): Promise<Stage> {
  const stage = await openStage({
    status: (task) => (task.queries > polls ? completed(task) : inProgress(task)),
  });
  await stage.write('q.csv', questions(...ids(rows)));
  return stage;
}

async function saved(stage: Stage) {
  const out = join(stage.folder, 'videos');
  await using run = await lookIntoRun(readInvocation({}, { out, dotEnv: false }));
  const { store } = run;
  return { options: await readSavedOptions(store), steering: await readSteering(store) };
}

const createdCount = ({ service }: Stage): number => service.creations.length;

describe('a run in a folder', () => {
  it('reads what is tuned while it runs, says so, and has it at the next start', async () => {
    await using stage = await openSlow(8, Number.POSITIVE_INFINITY);
    const run = stage.start(runLine('q.csv', '-j', '1'));
    await stage.service.until(() => createdCount(stage) === 1);
    expect(await stage.batch(['tune', '-j', '5', '--max-points', 'none'])).toMatchObject({
      code: 0,
      stdout: 'tuned: --concurrency 5, --max-points none; the run goes by it within two seconds\n',
    });
    await run.said(/the run was tuned: --concurrency 5, --max-points none/);
    // A task is asked about once its id is saved.
    const asked = (): number =>
      new Set(stage.service.events.filter((event) => event.startsWith('status'))).size;
    await stage.service.until(() => asked() === 5);
    expect(createdCount(stage)).toBe(5);
    expect(await stage.read('videos/batch.log')).toMatch(/"concurrency":5.*the run was tuned/);
    run.kill('SIGKILL');
    await run.ended;
    stage.service.follow({});
    expect((await stage.batch(['resume'])).code).toBe(0);
    expect((await saved(stage)).options).toMatchObject({ concurrency: '5', 'max-points': 'none' });
  });

  it('waits for the end of a pause, polls on, and says so everywhere', async () => {
    await using stage = await openSlow(3, 3);
    await stage.batch(runLine('q.csv', '--limit', '1'));
    expect(await stage.batch(['pause'])).toMatchObject({
      code: 0,
      stdout:
        'submitting is paused; polls and downloads go on; no process works on the run; the next one waits\nNext: batch continue ./videos\n',
    });
    const run = stage.start(['resume', '--yes']);
    await run.said(/submitting is paused; .*`batch continue \.\/videos` ends the pause/);
    expect((await stage.batch(['status'])).stdout).toContain(
      'Paused: nothing is submitted; `batch continue ./videos` ends the pause',
    );
    expect(JSON.parse((await stage.batch(['status', '--json'])).stdout)).toMatchObject({
      paused: { until: null },
    });
    // What is paid for is here, and the rest waits.
    expect((await stage.batch(['tune', '-j', '2'])).code).toBe(0);
    expect(createdCount(stage)).toBe(1);
    expect((await stage.batch(['continue'])).stdout).toBe('submitting goes on within two seconds\n');
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(createdCount(stage)).toBe(3);
    expect((await stage.batch(['continue'])).stdout).toBe('there was no pause; nothing was changed\n');
  });

  it('refuses what cannot be tuned in one line', async () => {
    await using stage = await openSlow(1, 0);
    await stage.batch(runLine('q.csv'));
    for (const [line, said] of [
      [['tune'], 'what is to change? Give '],
      [['tune', '--quality', 'h'], '--quality is not an option of this command'],
      [['tune', '-j', '0'], '--concurrency: "0" is not valid; use a whole number of at least 1'],
      [['tune', '--limit', 'all'], '--limit: "all" is not valid; use a whole number of at least 0, or none'],
      [['tune', './elsewhere', '-j', '2'], 'there is no run in '],
      [['pause', '--for', 'long'], '--for: "long" is not valid; use a time such as 2h'],
      [
        ['pause', '--for', '999999999h'],
        '--for: "999999999h" is not valid; use a time such as 2h: 30s, 5m, 2h, up to 876000h (100 years)',
      ],
      [['pause', '--until', '25:00'], '--until: "25:00" is not valid; use a time of day such as 22:00'],
      [['pause', '--for', '1h', '--until', '22:00'], '--for and --until name two ends of the pause'],
    ] as const) {
      const { code, stderr } = await stage.batch(line);
      expect({ code, stderr: stderr.trimEnd() }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });

  it('loses no change and no row, whichever side is killed at any moment', { timeout: 600_000 }, async () => {
    const dice = new Dice(nightSeed, 'steering');
    await using stage = await openSlow(120, 4);
    let run = stage.start(runLine('q.csv', '-j', '3', '--yes'));
    await stage.service.until(() => createdCount(stage) > 0);
    let known = { concurrency: '3', number: 0 };
    for (let round = 1; round <= 30; round += 1) {
      const wanted = String(dice.integer(1, 6));
      const tuner = stage.start(['tune', '-j', wanted, '--max-points', String(100_000 + round)]);
      const killsTuner = dice.chance(0.6);
      await sleep(dice.integer(0, 700));
      if (killsTuner) tuner.kill('SIGKILL');
      if (dice.chance(0.3)) {
        run.kill('SIGKILL');
        await run.ended;
      }
      const { stdout, code, stderr } = await tuner.ended;
      if (!(await isGoing(run))) run = stage.start(['resume', '--yes']);
      if (!killsTuner) expect({ code, stderr }).toMatchObject({ code: 0 });
      const { options, steering } = await saved(stage);
      const isNew = options['max-points'] === String(100_000 + round);
      expect(options.concurrency).toBe(isNew ? wanted : known.concurrency);
      expect(steering.number).toBe(known.number + (isNew ? 1 : 0));
      if (stdout.startsWith('tuned')) expect(isNew).toBe(true);
      known = { concurrency: String(options.concurrency), number: steering.number };
    }
    stage.service.follow({});
    run.kill('SIGTERM');
    await run.ended;
    await stage.batch(['resume', '--yes', '-j', '40']);
    // No question was accepted twice, and each has its video or is known to be in doubt.
    const made = stage.service.creations.map(({ question }) => question);
    expect(new Set(made).size).toBe(made.length);
    const statuses = Object.values(await stage.statuses());
    expect(
      statuses.every((status) => status === 'completed' || status === 'uncertain' || status === 'pending'),
    ).toBe(true);
    expect(statuses.filter((status) => status === 'completed').length).toBeGreaterThan(60);
  });
});

/** True while the program runs. */
async function isGoing(run: ReturnType<Stage['start']>): Promise<boolean> {
  return (await Promise.race([run.ended.then(() => false), sleep(0).then(() => true)])) === true;
}
