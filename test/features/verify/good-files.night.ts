/** A file that was paid for is not forgotten: by an order that comes to nothing, nor by a disk that is away for a while. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, failed, notFound, type Script, silence } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';

const withFrame: Script = { status: (task) => completed(task, { frameCount: 1 }) };

/** Three rows with a video and a frame each. */
async function openMade(): Promise<Stage> {
  const stage = await openStage(withFrame);
  await stage.write('q.csv', questions('a', 'b', 'c'));
  const { code } = await stage.batch(runLine('q.csv'));
  expect(code).toBe(0);
  return stage;
}

/** The row `a` as the report has it, whose files are there. */
async function rowOfA(stage: Stage) {
  expect((await stage.batch(['report'])).code).toBe(0);
  const [row] = await stage.report();
  if (row?.video) expect(existsSync(join(stage.folder, 'videos', row.video)), row.video).toBe(true);
  return row;
}

const quick = ['--poll-interval', '100ms'];

describe.concurrent('a row with a video whose new attempt', { timeout: 180_000 }, () => {
  it('is ordered and not sent, for the cap is reached, keeps it in report and verify', async () => {
    await using stage = await openMade();
    expect(await stage.batch(['retry', '--only', 'a', '--max-points', '30'])).toMatchObject({ code: 4 });
    expect(await rowOfA(stage)).toMatchObject({ status: 'pending', video: 'a/video.webm', frames: '1' });
    const whole = await stage.batch(['verify']);
    expect(whole).toMatchObject({ code: 0, stdout: '6 files, 6 whole, 0 damaged or missing\n' });
    await stage.remove('videos/a/video.webm');
    const missing = await stage.batch(['verify', '--fix']);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a/video.webm: is missing; a new'),
    });
  });

  it('meets a refused key keeps it', async () => {
    await using stage = await openMade();
    const env = { BATCH_API_KEY: 'sk-another' };
    expect(await stage.batch(['retry', '--only', 'a'], { env })).toMatchObject({ code: 3 });
    expect(await rowOfA(stage)).toMatchObject({ status: 'pending', frames: '1' });
    expect(await stage.batch(['verify'])).toMatchObject({ code: 0 });
  });

  it('is on its way when the program is killed keeps it', async () => {
    await using stage = await openMade();
    stage.service.follow({ ...withFrame, create: () => silence });
    const program = stage.start(['retry', '--only', 'a']);
    await stage.service.until(({ creations }) => creations.length === 4);
    program.kill('SIGKILL');
    await program.ended;
    const row = await rowOfA(stage);
    expect(row).toMatchObject({ video: 'a/attempt-1/video.webm', frames: '1' });
    expect(await stage.batch(['verify'])).toMatchObject({ code: 0 });
  });

  it('fails keeps it, and another one that makes a video has that alone', async () => {
    await using stage = await openMade();
    stage.service.follow({ status: (task) => failed(task, 'no') });
    expect(await stage.batch(['retry', '--only', 'a', ...quick])).toMatchObject({ code: 1 });
    expect(await rowOfA(stage)).toMatchObject({ status: 'failed', video: 'a/attempt-1/video.webm' });
    expect(await stage.batch(['verify'])).toMatchObject({ code: 0 });
    stage.service.follow(withFrame);
    expect(await stage.batch(['retry', '--failed', ...quick])).toMatchObject({ code: 0 });
    expect(await rowOfA(stage)).toMatchObject({ status: 'completed', video: 'a/video.webm', frames: '1' });
    expect(await stage.list('videos/a')).toEqual([
      ...['frames/001.png', 'task.json', 'video.webm'].map((name) => `attempt-1/${name}`),
      'attempt-2/task.json',
      'frames/001.png',
      'task.json',
      'video.webm',
    ]);
  });
});

describe.concurrent('files that are all gone', { timeout: 180_000 }, () => {
  /** The rows' folders are elsewhere, as on a disk that is not mounted. */
  function move(stage: Stage, from: string, to: string): void {
    mkdirSync(join(stage.folder, to), { recursive: true });
    for (const name of readdirSync(join(stage.folder, from)))
      if (/^[abc]$/.test(name)) {
        rmSync(join(stage.folder, to, name), { recursive: true, force: true });
        renameSync(join(stage.folder, from, name), join(stage.folder, to, name));
      }
  }

  it('are asked about before anything is changed', async () => {
    await using stage = await openMade();
    move(stage, 'videos', 'away');
    const before = stage.service.events.length;
    const ending = await stage.batch(['verify', '--fix']);
    expect(ending).toMatchObject({ code: 1 });
    expect(ending.stderr).toContain('warning: all of 6 files are missing: is their disk mounted?');
    expect(ending.stderr).toContain('Nothing was changed');
    expect(stage.service.events).toHaveLength(before);
    move(stage, 'away', 'videos');
    expect(await stage.batch(['verify'])).toMatchObject({ code: 0 });
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed', c: 'completed' });
  });

  it('are known again when they are back, though the service has them no more', async () => {
    await using stage = await openMade();
    move(stage, 'videos', 'away');
    stage.service.follow({ status: () => notFound });
    const asked = ({ events }: Stage['service']): number =>
      events.filter((event) => /^status/.test(event)).length;
    const all = asked(stage.service) + 3;
    const program = stage.start(['verify', '--fix', '--yes', ...quick]);
    await stage.service.until((service) => asked(service) >= all);
    program.kill('SIGTERM');
    await program.ended;
    move(stage, 'away', 'videos');
    const whole = await stage.batch(['verify']);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('6 files, 6 whole, 0 damaged') });
    expect(whole.stderr).toContain('a/video.webm: is back, as it was saved');
    expect(whole.stdout).toContain('Next: batch verify ./videos --fix   recognizes what is back');
    const before = stage.service.events.length;
    expect(await stage.batch(['verify', '--fix'])).toMatchObject({ code: 0 });
    expect(stage.service.events).toHaveLength(before);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed', c: 'completed' });
    expect((await stage.report()).map(({ video, frames }) => [video, frames])).toEqual(
      ['a', 'b', 'c'].map((id) => [`${id}/video.webm`, '1']),
    );
  });

  it('and are back need no download when a run continues', async () => {
    await using stage = await openMade();
    move(stage, 'videos', 'away');
    stage.service.follow({ ...withFrame, file: () => silence });
    const program = stage.start(['verify', '--fix', '--yes', ...quick]);
    await stage.service.until(({ fileRequests }) => fileRequests.length > 6);
    program.kill('SIGTERM');
    await program.ended;
    move(stage, 'away', 'videos');
    const before = stage.service.fileRequests.length;
    expect(await stage.batch(['collect', ...quick])).toMatchObject({ code: 0 });
    expect(stage.service.fileRequests).toHaveLength(before);
  });
});
