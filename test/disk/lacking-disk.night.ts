/** Disks without locks, shared memory or syncs of folders: a library stands before the system's and refuses them. */

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';

const source = fileURLToPath(new URL('support/lacking-disk.c', import.meta.url));
const cannotCompile = process.platform !== 'linux' || spawnSync('cc', ['--version']).status !== 0;

function envOf(stage: Stage, lacking: string): Record<string, string> {
  const library = join(stage.folder, 'lacking.so');
  expect(spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']).status).toBe(0);
  return { LD_PRELOAD: library, LACKING: lacking, LACKING_DISK: join(stage.folder, 'disk') };
}

describe.skipIf(cannotCompile)('a disk (needs cc)', { timeout: 60_000 }, () => {
  it.for([
    ['locks', /^batch: the disk of .*disk\/videos has no file locks, .*; choose an --out on a local disk/m],
    [
      'memory',
      /^batch: the disk of .*disk\/videos has no shared memory .*; choose an --out on a local disk/m,
    ],
    [
      'syncs',
      /^batch: the disk of .*disk(?:\/videos)? does not sync folders .*; choose an --out on a local disk/m,
    ],
  ] as const)('without %s is refused before the first row, and by `doctor`', async ([lacking, why]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    mkdirSync(join(stage.folder, 'disk'));
    const env = envOf(stage, lacking);
    const line = runLine('q.csv', '--out', 'disk/videos');
    for (const _ of ['first', 'again']) {
      const ending = await stage.batch(line, { env });
      expect(ending, ending.stderr).toMatchObject({ code: 4, stderr: expect.stringMatching(why) });
    }
    const doctor = await stage.batch(['doctor', 'disk/videos', '--json'], { env });
    const disk = JSON.parse(doctor.stdout).checks.filter(
      ({ state }: { state: string }) => state === 'failed',
    );
    expect(disk).toEqual([
      expect.objectContaining({ id: 'disk', hint: expect.stringContaining('choose an --out') }),
    ]);
    expect(doctor.code).toBe(1);
    expect(stage.service.creations).toEqual([]);
    expect(await stage.batch(line)).toMatchObject({ code: 0 });
    expect(stage.service.creations).toHaveLength(1);
  });
});
