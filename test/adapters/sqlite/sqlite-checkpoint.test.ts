import { expect, it } from 'vitest';
import { prepareStatements } from '../../../src/adapters/sqlite/checkpoint-statements.ts';
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

it('finds rows that wait without a look at those that are done', async () => {
  await using folder = await openCheckpointFolder();
  const { pending, somePending, pausedUntil } = prepareStatements(folder.db);
  for (const { source } of [pending, somePending, pausedUntil]) {
    const names = [...source.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null]);
    const plan = folder.db.prepare<object, { detail: string }>(`EXPLAIN QUERY PLAN ${source}`);
    const [first] = plan.all(Object.fromEntries(names));
    expect(first?.detail).toBe('SEARCH items USING INDEX items_by_status (status=?)');
  }
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
