import { expect, it } from 'vitest';
import { openScratchDatabase } from '../../../../src/stores/sqlite/database.ts';
import { hasOurTables } from '../../../../src/stores/sqlite/schema.ts';
import { findDamage, findDamageInPages } from '../../../../src/stores/sqlite/soundness.ts';
import { createSqliteCheckpoint } from '../../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { storeOver } from '../../../../src/stores/sqlite/sqlite-store.ts';
import { incomingRows, namedRows } from '../../../support/incoming-rows.ts';
import { runOver } from '../../../support/store-run.ts';

it.each([
  ['differ', []],
  ['do not all differ', [{ id: 'Q1', question: 'Another question' }]],
])('many first rows whose names %s leave the tables and indexes of every checkpoint', async (_, more) => {
  const db = openScratchDatabase();
  await using store = storeOver(db, {
    checkpoint: createSqliteCheckpoint(db),
    folder: null,
    close: () => void db.close(),
  });
  const made = () =>
    db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'items_by_id'`).pluck().get();
  const before = made();
  await runOver(store).ingest(incomingRows(...namedRows(10_000), ...more));
  expect(made()).not.toBe(before);
  expect(hasOurTables(db)).toBe(true);
  expect([findDamageInPages(db, 'thorough'), findDamage(db)]).toEqual([null, null]);
});
