import { expect, it } from 'vitest';
import { prepareStatements } from '../../../src/adapters/sqlite/checkpoint-statements.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database.ts';
import { createSqliteCheckpoint } from '../../../src/adapters/sqlite/sqlite-checkpoint.ts';
import { defaultPolicy } from '../../../src/core/policy.ts';
import { transition } from '../../../src/core/transition.ts';
import { at, eventOf, events } from '../../core/lives.ts';
import { describeCheckpoint } from '../../support/checkpoint-contract.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';
import { incomingRows, namedRows } from '../../support/incoming-rows.ts';
import { accepted, liveOn } from '../../support/saved-lives.ts';

describeCheckpoint('the checkpoint on SQLite', async () => {
  const folder = await openCheckpointFolder();
  return {
    checkpoint: folder.checkpoint,
    ingest: async (rows) => void (await folder.ingest(rows)),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
});

it('has a commit on disk for the next process as soon as it has resolved', async () => {
  await using folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...namedRows(1)));
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

it('finds rows that wait without a look at those that are done', async () => {
  await using folder = await openCheckpointFolder();
  const { pending, somePending, pausedUntil } = prepareStatements(folder.db);
  for (const { source } of [pending, somePending, pausedUntil]) {
    const names = [...source.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null]);
    const plan = folder.db.prepare<object, { detail: string }>(`EXPLAIN QUERY PLAN ${source}`);
    // Whatever index it takes: the table is searched, and not gone through.
    for (const { detail } of plan.all(Object.fromEntries(names))) expect(detail).not.toMatch(/^SCAN items/);
  }
});

it('gives each attempt the task that was kept for it, and no task to two rows', async () => {
  await using folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...namedRows(5)));
  const { checkpoint } = folder;
  const claimed = (token: string) => eventOf('claimed', { token, quality: null });
  await liveOn(checkpoint, 'q1', claimed('t1'));
  await liveOn(checkpoint, 'q2', claimed('t2'), events['run-started']);
  await liveOn(checkpoint, 'q3', claimed('t3'));
  await liveOn(checkpoint, 'q4', ...accepted('task-4'));
  await liveOn(checkpoint, 'q5', claimed('t5'), events['creation-refused']);
  const kept = [
    { token: 't1', taskId: 'task-1' },
    { token: 't2', taskId: 'task-2' },
    { token: 't3', taskId: 'task-4' },
    { token: 'token of task-4', taskId: 'task-4' },
    { token: 't5', taskId: 'task-5' },
    { token: 'of nobody', taskId: 'task-6' },
  ];
  expect(await checkpoint.saveLateTasks(kept, at)).toEqual([kept[0], kept[1], kept[3]]);
  const tasks = (await folder.all()).map(({ status, taskId }) => [status, taskId]);
  expect(tasks).toEqual([
    ['open', 'task-1'],
    ['open', 'task-2'],
    ['submitting', null],
    ['open', 'task-4'],
    ['rejected', null],
  ]);
});

it('keeps one value per setting', async () => {
  await using folder = await openCheckpointFolder();
  const { settings } = folder.store;
  expect(await settings.get('options')).toBeNull();
  await settings.save('options', '{"quality":"h"}');
  await settings.save('options', '{"quality":"l"}');
  await settings.save('other', 'x');
  expect(await settings.get('options')).toBe('{"quality":"l"}');
});
