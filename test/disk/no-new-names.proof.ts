/** Places where nothing can be written: a run ends with the reason before it sends anything. */

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
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
});
