import { describe, expect, it } from 'vitest';
import { drawSample, planSample, waitingSample } from '../../../src/app/offers/sample-rows.ts';
import type { Options } from '../../../src/app/options/options.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { type CheckpointFolder, openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows } from '../../support/incoming-rows.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';

const questions = Array.from({ length: 60 }, (_, at) => ({
  id: `q-${at}`,
  question: 'x'.repeat(10 * (at + 1)),
}));

async function openRun(rows = questions): Promise<CheckpointFolder> {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...rows));
  return folder;
}

async function taken({ store }: CheckpointFolder, options: Options) {
  return [...((await drawSample(store, options)).options.only ?? [])].sort();
}

describe('the sample of a run', () => {
  it('is planned by its size, then chosen once and kept', async () => {
    await using run = await openRun();
    expect(await planSample(run.store, { sample: 12 })).toEqual({ sample: 12, limit: 12 });
    const first = await drawSample(run.store, { sample: 12 });
    expect(first.note?.text).toMatch(/^Sample: 12 of 60 rows from \d+ groups .*\(seed 1\)/);
    expect(first.options.only).toHaveLength(12);
    expect(await planSample(run.store, { sample: 12 })).toEqual(first.options);
  });

  it('is the same for the same command, whatever became of its rows', async () => {
    await using run = await openRun();
    const first = await taken(run, { sample: 5 });
    for (const [at, id] of first.slice(0, 3).entries())
      await liveOn(run.checkpoint, id, ...completed(`task-${at}`));
    const again = await drawSample(run.store, { sample: 5, seed: 1 });
    expect([...(again.options.only ?? [])].sort()).toEqual(first);
    expect(again.note?.text).toContain('the 5 rows chosen before, 2 of them to submit');
    expect(await waitingSample(run.store)).toMatchObject({ count: 5 });
    for (const [at, id] of first.slice(3).entries())
      await liveOn(run.checkpoint, id, ...completed(`task-${at + 3}`));
    expect(await waitingSample(run.store)).toBeNull();
  });

  it('follows its rows when they get other ids, and new rows do not join it', async () => {
    await using run = await openRun();
    const first = await taken(run, { sample: 5 });
    const renumbered = questions.map(({ id, question }) => ({ id: `n${id}`, question }));
    await run.ingest(incomingRows(...renumbered, { id: 'more', question: 'One more' }));
    expect(await taken(run, { sample: 5 })).toEqual(first.map((id) => `n${id}`));
  });

  it('leaves out rows that were sent, and is the same in another folder', async () => {
    await using run = await openRun();
    await using other = await openRun();
    const first = await taken(run, { sample: 59, seed: 7 });
    expect(await taken(other, { sample: 59, seed: 7 })).toEqual(first);
    await using third = await openRun();
    await liveOn(third.checkpoint, first[0] ?? '', ...completed('task-1'));
    expect(await taken(third, { sample: 59, seed: 7 })).not.toContain(first[0]);
  });

  it('of another size or seed is refused in one line', async () => {
    await using run = await openRun();
    await taken(run, { sample: 5 });
    for (const options of [{ sample: 6 }, { sample: 5, seed: 2 }])
      await expect(planSample(run.store, options)).rejects.toThrow(
        'this run has a sample: --sample 5 --seed 1 goes on with it; use --limit N for more rows',
      );
    expect(await planSample(run.store, { limit: 3 })).toEqual({ limit: 3 });
    expect(await drawSample(run.store, {})).toEqual({ options: {}, note: null });
  });

  it('of a run where nothing waits is empty, and is not kept', async () => {
    await using run = await openRun([{ id: 'a', question: 'What?' }]);
    await liveOn(run.checkpoint, 'a', ...completed('task-1'));
    expect(await taken(run, { sample: 5 })).toEqual([]);
    expect(await run.store.settings.get('sample')).toBeNull();
  });

  it('is not for --limit or --only too', () => {
    for (const more of [{ limit: '3' }, { only: ['a'] }])
      expect(() => readInvocation({ sample: '5', ...more }, {})).toThrow('use it without --limit and --only');
  });
});
