/** The tables of a checkpoint: made, brought up to date, or compared with those of the migrations. */

import Database from 'better-sqlite3';
import { migrationsIn } from '../core-words.ts';
import { databaseName, missingTables, tables } from '../tables.ts';

const migrations = () => migrationsIn(new URL('./migrations/', import.meta.url));

/** The version of the schema that this version of the tool writes. */
export function newestVersion(): number {
  return migrations().length;
}

export function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** In one transaction: a process that dies meanwhile leaves the checkpoint usable for the version that wrote it. */
export function migrate(db: Database.Database, upTo = newestVersion()): void {
  const version = versionOf(db);
  const missing = migrations().slice(version, upTo);
  if (missing.length === 0) return;
  db.transaction(() => {
    for (const sql of missing) db.exec(sql);
    db.pragma(`user_version = ${version + missing.length}`);
  }).immediate();
}

/** What a run of an earlier version lacks, as if it were there and empty, for a connection that only reads. */
export function standInForMissing(db: Database.Database): void {
  for (const table of missingTables(versionOf(db))) {
    const columns = tables[table].map((field) => `NULL AS ${databaseName(field)}`);
    db.exec(`CREATE TEMP VIEW ${databaseName(table)} AS SELECT ${columns.join(', ')} WHERE false`);
  }
}

/** True where each table and index is as the migrations up to its version make it. */
export function hasOurTables(db: Database.Database): boolean {
  const made = new Database('');
  try {
    migrate(made, versionOf(db));
    return schemaOf(db) === schemaOf(made);
  } finally {
    made.close();
  }
}

/** Without the statistics tables that a database viewer may have created. */
function schemaOf(db: Database.Database): string {
  const query = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name`;
  return JSON.stringify(db.prepare(query).all());
}
