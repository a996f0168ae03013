/** Places where nothing, or not all, can be written: a run ends with the reason before it sends anything, and looking goes on. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';

async function expectRefused(stage: Stage, out: string, why: RegExp): Promise<void> {
  const { code, stderr } = await stage.batch(runLine('q.csv', '--out', out));
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(why) });
  expect(stage.service.creations).toEqual([]);
}

/** False where this user may mount nothing. */
function mounts(...args: readonly string[]): boolean {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(platform() !== 'linux').concurrent('a run whose outputs cannot be written', () => {
  it.each(['/proc/x', '/proc/1/x/y', '/sys/x'])('in %s says so', async (out) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await expectRefused(
      stage,
      out,
      /cannot be created: (no folder can be made there|E[A-Z]+: .*); choose another --out/,
    );
    const elsewhere = await stage.batch(runLine('q.csv', '--events', `${out}/e.jsonl`));
    expect(elsewhere.code).not.toBe(0);
    expect(elsewhere.stderr).toContain('--events');
  });

  it('on a file system that is read-only says that it is', async ({ skip }) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const disk = join(stage.folder, 'disk');
    mkdirSync(disk);
    if (!mounts('-t', 'tmpfs', '-o', 'ro', 'none', disk)) return skip();
    try {
      const advice = 'make that file system writable and run the same command again';
      await expectRefused(
        stage,
        'disk',
        new RegExp(`cannot be written \\(EROFS: read-only file system.*; ${advice}`),
      );
      await expectRefused(stage, 'disk/a/b', /cannot be created: EROFS: read-only file system/);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('on one that became read-only after its end is looked at and exported', async ({ skip }) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const disk = join(stage.folder, 'disk');
    mkdirSync(disk);
    if (!mounts('-t', 'tmpfs', 'none', disk)) return skip();
    try {
      await stage.batch(runLine('q.csv', '--out', 'disk/videos'));
      mounts('-o', 'remount,ro', disk);
      for (const line of [
        ['status', 'disk/videos'],
        ['verify', 'disk/videos'],
        ['export', 'disk/videos', '--to', 'handed'],
      ])
        expect(await stage.batch(line), line.join(' ')).toMatchObject({ code: 0, stderr: '' });
      expect(await stage.list('handed')).toContain('a.webm');
      const view = stage.start(['view', 'disk/videos', '--port', '0']);
      await view.said(/http:/);
      view.kill('SIGINT');
      expect((await view.ended).code).toBe(0);
      expect(stage.service.creations).toHaveLength(1);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});

it.each([0o177, 0o777])(
  'a run under the umask %o makes folders and files that its user may open',
  async (mask) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const node = ['--import', `data:text/javascript,process.umask(${mask})`];
    for (const _ of ['first', 'again'])
      expect(await stage.batch(runLine('q.csv'), { node })).toMatchObject({ code: 0 });
    const modes = ['', 'a', 'a/video.webm', 'batch.sqlite'].map(
      (name) => statSync(join(stage.folder, 'videos', name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
    expect(stage.service.creations).toHaveLength(1);
  },
);
