import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  expectHealed,
  expectPlain,
  line,
  openTwo,
  preload,
  runOn,
  unsavedTasks,
} from './support/two-rows.ts';

describe('a task that cannot be saved', () => {
  it('is saved after all when the disk has room again within seconds', async () => {
    await using stage = await openTwo();
    await stage.write('sign', '');
    const env = { DISK_FAULT: 'commit open#1#SQLITE_FULL', DISK_FAULT_SIGN: join(stage.folder, 'sign') };
    const program = stage.start([...line, '--verbose'], { env, node: preload });
    await program.said(/the run fails/);
    await stage.remove('sign');
    const ending = await program.ended;
    expectPlain(ending, [4]);
    expect(unsavedTasks(ending)).toEqual([]);
    await stage.write('sign', '');
    await expectHealed(stage);
  });
});

describe('a disk that is full when the service has accepted', () => {
  it('costs no uncertain row: the id is kept beside the checkpoint, and the next start takes it up', {
    timeout: 120_000,
  }, async () => {
    await using stage = await openTwo();
    const ending = await runOn(stage, 'commit open#1', 'SQLITE_FULL');
    expectPlain(ending, [4]);
    expect(unsavedTasks(ending)).toEqual([]);
    expect(await stage.read('videos/batch.ids')).toMatch(/"taskId":"task-1"/);
    await stage.remove('sign');
    // Whatever is done first: nobody may call a row uncertain whose task is known.
    const wrong = await stage.batch(['resolve', 'videos', 'a', '--not-created']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('row a is open') });
    expect(await stage.read('videos/batch.ids')).not.toContain('task');
    await stage.write('sign', '');
    await expectHealed(stage);
  });
});
