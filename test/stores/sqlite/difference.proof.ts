/** An import that is carried out on a copy of the run, and whose difference is then made in the run itself, is the same import. */

import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';
import type { Ingest, IngestOptions } from '../../../src/stores/port/import.ts';
import type { Store, StorePlace } from '../../../src/stores/port/store.ts';
import { openScratchDatabase } from '../../../src/stores/sqlite/database.ts';
import { applyDifference, ImportNotes } from '../../../src/stores/sqlite/import/difference.ts';
import { SqliteIngest } from '../../../src/stores/sqlite/import/ingest.ts';
import { createSqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { storeOver } from '../../../src/stores/sqlite/sqlite-store.ts';
import { databaseName, tableNames } from '../../../src/stores/tables.ts';
import { describeEditedRows } from '../../support/store-contract/edited-rows.ts';
import { describePictures } from '../../support/store-contract/pictures.ts';
import { describePlans } from '../../support/store-contract/plans.ts';
import { describeRowNames } from '../../support/store-contract/row-names.ts';
import { runsIn } from '../../support/store-contract/runs.ts';
import { describeLaws } from '../../support/store-contract.ts';

/** All that a run holds. */
function dump(db: Database.Database): unknown {
  return tableNames.map((table) => [
    table,
    db.prepare(`SELECT * FROM ${databaseName(table)} ORDER BY 1, 2`).all(),
  ]);
}

/** The import of one file, made on a copy. */
function ingestByDifference(db: Database.Database): Ingest {
  const copy = new Database(db.serialize());
  const ingest = new SqliteIngest(copy, createSqliteCheckpoint(copy));
  return {
    pictures: ingest.pictures,
    add: (rows) => ingest.add(rows),
    match: (join) => ingest.match(join),
    plan: (options) => ingest.plan(options),
    lengths: (options) => ingest.lengths(options),
    unsendable: () => ingest.unsendable(),
    takenFolder: (names) => ingest.takenFolder(names),
    idFacts: () => ingest.idFacts(),
    keepingRows: () => ingest.keepingRows(),
    async apply(options: IngestOptions) {
      using notes = new ImportNotes(copy);
      ingest.applyNow(options);
      applyDifference(db, notes);
      expect(dump(db)).toEqual(dump(copy));
      return null;
    },
    async [Symbol.asyncDispose]() {
      await ingest[Symbol.asyncDispose]();
      copy.close();
    },
  };
}

async function openStore(): Promise<Store> {
  const db = openScratchDatabase();
  const checkpoint = createSqliteCheckpoint(db);
  const store = storeOver(db, { checkpoint, folder: null, close: () => db.close() });
  return { ...store, openIngest: async () => ingestByDifference(db) };
}

const openPlace = async () => ({
  place: { open: openStore } as StorePlace,
  [Symbol.asyncDispose]: async () => {},
});
const runs = runsIn(openPlace, { openScratch: openStore, tries: 0.5 });

describe('an import by its difference', () => {
  describeEditedRows(runs);
  describeRowNames(runs);
  describePictures(runs);
  describePlans(runs);
  describeLaws(runs);
});
