import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteCheckpoint } from '../../../src/adapters/sqlite/sqlite-checkpoint.ts';
import { defaultPolicy } from '../../../src/core/policy.ts';
import { transition } from '../../../src/core/transition.ts';
import { events } from '../../core/lives.ts';
import { describeCheckpoint } from '../../support/checkpoint-contract.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';

describeCheckpoint('the checkpoint on SQLite', async () => {
  const folder = await openCheckpointFolder();
  return {
    checkpoint: folder.checkpoint,
    takeUp: async (rows) => void folder.takeUp(rows),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

it('has a commit on disk for the next process as soon as it has resolved', async () => {
  await using folder = await openCheckpointFolder();
  folder.takeUp(incomingRows(...namedRows(1)));
  const [before] = await folder.all();
  if (before === undefined) throw new Error('the row was not taken up');
  const after = transition(before, events.claimed, defaultPolicy).item;
  await folder.checkpoint.commit([{ before, after }]);
  const other = openDatabase(folder.path);
  try {
    expect(await createSqliteCheckpoint(other).itemWithKey(before.key)).toEqual(after);
  } finally {
    other.close();
  }
});

it('keeps the commits of a run apart, and lets none wait that comes alone or after the clock was put back', async () => {
  await using folder = await openCheckpointFolder();
  folder.takeUp(incomingRows(...namedRows(4)));
  let now = 1_000_000;
  const waits: number[] = [];
  folder.checkpoint.keepCommitsApart({ now: () => now, wait: async (ms) => void waits.push(ms) });
  for (const [row, passedMs] of [1_000, 1, 5, -86_400_000].entries()) {
    now += passedMs;
    const item = (await folder.all())[row];
    if (item === undefined) throw new Error('the row was not taken up');
    await folder.checkpoint.commit([
      { before: item, after: transition(item, events.claimed, defaultPolicy).item },
    ]);
  }
  expect(waits).toEqual([4]);
});

it('keeps one value per setting', async () => {
  await using folder = await openCheckpointFolder();
  const { checkpoint } = folder;
  expect(checkpoint.setting('options')).toBeNull();
  checkpoint.saveSetting('options', '{"quality":"h"}');
  checkpoint.saveSetting('options', '{"quality":"l"}');
  checkpoint.saveSetting('other', 'x');
  expect(checkpoint.setting('options')).toBe('{"quality":"l"}');
});
