import { expect, it } from 'vitest';
import { prepareStatements } from '../../../src/stores/sqlite/checkpoint-statements.ts';
import { openCheckpointFolder } from '../../support/checkpoint-folder.ts';

it('finds rows that wait without a look at those that are done', async () => {
  await using folder = await openCheckpointFolder();
  const { pending, somePending } = prepareStatements(folder.db);
  const paid = [{ only: null }, { only: ['q1'] }, { only: null, retry: 1 }].map(somePending);
  for (const { source } of [pending.first, pending.later, ...paid]) {
    const names = [...source.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, null]);
    const plan = folder.db.prepare<object, { detail: string }>(`EXPLAIN QUERY PLAN ${source}`);
    // Whatever index it uses: the table is searched, not scanned.
    for (const { detail } of plan.all(Object.fromEntries(names))) expect(detail).not.toMatch(/^SCAN items/);
  }
});
