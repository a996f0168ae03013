/** Programs that sync folders replace, rename and remove files while a run works in them. */

import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ScriptedService, success } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const line = runLine('q.csv', '--concurrency', '1', '--yes');

/** What another program does in the folder (absolute). */
type Disturb = (videos: string) => Promise<void>;

const at = (videos: string, end = ''): string => join(videos, `batch.sqlite${end}`);

/** As programs do that write under another name first. */
async function replace(path: string): Promise<void> {
  await copyFile(path, `${path}.copy`);
  await rename(`${path}.copy`, path);
}

/** The service waits with its third answer until the folder was disturbed. */
async function openDisturbed(disturb: Disturb): Promise<Stage> {
  const stage = await openStage({
    create: async ({ question }, accept) => {
      const taskId = accept();
      if (question === 'Question c') await disturb(join(stage.folder, 'videos'));
      return success({ task_id: taskId });
    },
  });
  await stage.write('q.csv', questions(...ids));
  return stage;
}

function expectPaidOnce({ creations }: ScriptedService): void {
  const asked = creations.map(({ question }) => question);
  expect(asked).toEqual([...new Set(asked)]);
}

async function expectAllDone(stage: Stage): Promise<void> {
  const { code, stderr } = await stage.batch(line);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(await stage.statuses()).toEqual(Object.fromEntries(ids.map((id) => [id, 'completed'])));
  expect(stage.service.creations.length).toBe(ids.length);
  expectPaidOnce(stage.service);
}

describe.concurrent('while a run goes', () => {
  it.each<[string, Disturb]>([
    ['replaced by a copy', (videos) => replace(at(videos))],
    [
      'replaced by an older one',
      async (videos) => {
        await writeFile(at(videos, '.old'), '');
        await rename(at(videos, '.old'), at(videos));
      },
    ],
    ['renamed', (videos) => rename(at(videos), at(videos, ' (conflicted copy)'))],
    ['removed', (videos) => rm(at(videos))],
    [
      'removed with all that is beside it',
      async (videos) => {
        for (const name of [
          'batch.lock',
          'batch.sqlite',
          'batch.sqlite-wal',
          'batch.sqlite-shm',
          'batch.pid',
        ])
          await rm(join(videos, name), { force: true });
      },
    ],
    [
      'replaced by a folder',
      async (videos) => {
        await rm(at(videos));
        await mkdir(at(videos));
      },
    ],
  ])('a checkpoint that is %s is saved beside, and nothing else goes on without it', async (_, disturb) => {
    await using stage = await openDisturbed(disturb);
    const ended = await stage.batch(line);
    expect(ended).toMatchObject({ code: 4 });
    expect(stage.service.creations.length).toBe(3);
    const saved = (await readdir(join(stage.folder, 'videos'))).filter((name) => name.includes('.saved-'));
    expect(saved).toEqual([expect.stringMatching(/^batch\.sqlite\.saved-\d{8}-\d{4}$/)]);
    const [name = ''] = saved;
    expect(ended.stdout + ended.stderr).toContain(
      `replaced, renamed or removed by another program; all that is known is saved in ${name}`,
    );
    for (const args of [line, ['status']]) {
      const refused = await stage.batch(args);
      expect(refused, args.join(' ')).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain(`${name} is the checkpoint of a run`);
    }
    expect(stage.service.creations.length).toBe(3);
    const videos = join(stage.folder, 'videos');
    await rm(at(videos), { recursive: true, force: true });
    await rename(join(videos, name), at(videos));
    await expectAllDone(stage);
  });

  it.each(['batch.lock', 'batch.sqlite-wal', 'batch.sqlite-shm'])(
    'a %s that is removed stops it, and the same line goes on',
    async (name) => {
      await using stage = await openDisturbed((videos) => rm(join(videos, name)));
      const ended = await stage.batch(line);
      expect(ended).toMatchObject({ code: 4 });
      expect(ended.stdout + ended.stderr).toContain(
        `${name} was replaced, renamed or removed by another program`,
      );
      expect(stage.service.creations.length).toBe(3);
      await expectAllDone(stage);
    },
  );

  it('a second run does not begin without the lock of the first', async () => {
    let second: number | null = -1;
    await using stage = await openDisturbed(async (videos) => {
      await rm(join(videos, 'batch.lock'));
      second = (await stage.batch(line)).code;
    });
    expect(await stage.batch(line)).toMatchObject({ code: 4 });
    expect(second).toBe(6);
    await expectAllDone(stage);
  });

  it('a second run that knows nothing of the first ends, and pays for nothing twice', async () => {
    let second: number | null = -1;
    await using stage = await openDisturbed(async (videos) => {
      for (const name of ['batch.lock', 'batch.pid']) await rm(join(videos, name));
      second = (await stage.batch(line)).code;
    });
    // 0 where the second one has done all that is left before the first one looks again.
    expect([0, 4]).toContain((await stage.batch(line)).code);
    expect(second).toBe(5);
    await expectAllDone(stage);
  });
});
