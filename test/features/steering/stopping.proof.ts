/** A run in a folder is ended from another process, which names no signal and need not be its parent. */

import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Creation, inProgress, type Reply, type Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

/** Creations are accepted, but answered only once the gate is opened; all but that of `Question a`. */
function heldAnswers(): { script: Script; open: () => void } {
  const gate = Promise.withResolvers<void>();
  const create = async ({ question }: Creation, accept: () => string): Promise<Reply | undefined> => {
    if (question === 'Question a') return undefined;
    const taskId = accept();
    await gate.promise;
    return (response) => void response.end(JSON.stringify({ status: 'success', data: { task_id: taskId } }));
  };
  return { script: { create, status: inProgress }, open: gate.resolve };
}

/** A stage with a run of four rows that goes: the first is open, and two more are on their way. */
async function openGoing(stage: Stage) {
  await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
  const run = stage.start(runLine('q.csv', '-j', '3'));
  await stage.service.until(({ creations }) => creations.length === 3);
  return run;
}

describe.concurrent('`batch stop`', () => {
  it('ends a run as one Ctrl-C does: creations on their way are waited for, and the totals are shown', async () => {
    const { script, open } = heldAnswers();
    await using stage = await openStage(script);
    const run = await openGoing(stage);
    const stop = stage.start(['stop']);
    await stop.said(/told process \d+ to stop; waiting for its end/);
    await run.said(/`batch stop` ends this process[\s\S]*Stopping: nothing more is submitted/);
    open();
    const ending = await run.ended;
    expect(ending).toMatchObject({ code: 143, stdout: expect.stringContaining('Terminated') });
    expect(ending.stderr).not.toContain('Left at once');
    expect(await stop.ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^4 rows: 1 pending, 3 open\n[\s\S]*Next: batch collect \.\/videos/),
    });
    expect(await stage.statuses()).toEqual({ a: 'open', b: 'open', c: 'open', d: 'pending' });
    expect(await stage.list('videos')).not.toContain('batch.pid');
  });

  it('never ends a run that begins later, and typed again it finds nothing to end', async () => {
    await using stage = await openStage({ status: inProgress });
    await stage.write('q.csv', questions('a', 'b'));
    const first = stage.start(runLine('q.csv', '-j', '1'));
    await stage.service.until(({ creations }) => creations.length === 1);
    const stops = await Promise.all([stage.batch(['stop']), stage.batch(['stop'])]);
    expect(stops.map(({ code }) => code)).toEqual([0, 0]);
    expect((await first.ended).code).toBe(143);
    const before = await stage.list('videos');
    expect(await stage.batch(['stop'])).toEqual({
      code: 0,
      signal: null,
      stdout: 'no process works on the run ./videos; nothing was changed\n',
      stderr: '',
    });
    expect(await stage.list('videos')).toEqual(before);
    stage.service.follow({});
    expect((await stage.batch(['resume'])).code).toBe(0);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });

  it('waits for a run that has not made its folder yet, and ends it before it pays', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const pipe = join(stage.folder, 'job.json');
    execFileSync('mkfifo', [pipe]);
    const run = stage.start(['run', '--job', 'job.json', '--out', 'videos']);
    // Opens once the run has it open, too: it waits for the text.
    const job = await open(pipe, 'w');
    const stop = stage.start(['stop']);
    await stop.said(/process \d+ is about to begin there/);
    expect(await stage.list('videos')).toEqual([]);
    await job.writeFile('{"input": "q.csv"}');
    await job.close();
    expect(await run.ended).toMatchObject({ code: 143 });
    expect(await stop.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/told process \d+/) });
    expect(stage.service.creations).toEqual([]);
    // Its mark is gone.
    expect(await stage.batch(['stop'])).toMatchObject({ stderr: '' });
  });

  it('says where there is no run, and that a run in a folder has no workers', async () => {
    await using stage = await openStage();
    expect(await stage.batch(['stop', './elsewhere'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no run in '),
    });
    expect(await stage.batch(['stop', '--worker', 'one'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a run in a folder has none'),
    });
  });

  it('--now ends it as a second Ctrl-C does, whether it stops already or not', async () => {
    for (const isStopping of [false, true]) {
      const { script, open } = heldAnswers();
      await using stage = await openStage(script);
      const run = await openGoing(stage);
      if (isStopping) {
        run.kill('SIGINT');
        await run.said(/Stopping/);
      }
      expect(await stage.batch(['stop', '--now'])).toMatchObject({ code: 0 });
      const ending = await run.ended;
      expect(ending).toMatchObject({ code: 143, stderr: expect.stringContaining('Left at once') });
      open();
      expect((await stage.batch(['status', '--json'])).stdout).toContain('"submitting":2');
    }
  });
});

it('a run that goes is named by its process, with the command that ends it', async () => {
  await using stage = await openStage({ status: inProgress });
  await stage.write('q.csv', questions('a'));
  const run = stage.start(runLine('q.csv', '--out', 'my videos'));
  await stage.service.until(({ events }) => events.includes('status Question a'));
  const [pid] = (await stage.read('my videos/batch.pid')).split('\n');
  expect(JSON.parse((await stage.batch(['status', 'my videos', '--json'])).stdout)).toMatchObject({
    running: true,
    pid: Number(pid),
  });
  expect((await stage.batch(['status', 'my videos'])).stdout).toContain(
    `Running: process ${pid} works in this folder; \`batch stop 'my videos'\` ends it\n`,
  );
  expect(await stage.batch(['resume', 'my videos'])).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(
      `batch: my videos is in use by another batch process (${pid}); \`batch stop 'my videos'\` ends it`,
    ),
  });
  // What it leaves behind says nothing: only the lock does.
  run.kill('SIGKILL');
  await run.ended;
  expect(await stage.list('my videos')).toContain('batch.pid');
  expect(JSON.parse((await stage.batch(['status', 'my videos', '--json'])).stdout)).toMatchObject({
    running: false,
    pid: null,
  });
});
