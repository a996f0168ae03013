/**
 * Preload: writes down, in order and at once, what a power cut would weigh: commits, syncs, renames, and what left for
 * the service. The lines go to the file `ORDER_OF_WRITES`, paths relative to the working folder.
 */

import { subscribe } from 'node:diagnostics_channel';
import fs, { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import Database from 'better-sqlite3';
import { SqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';

const record = process.env.ORDER_OF_WRITES ?? '';
const here = process.cwd();
const write = (...words: readonly string[]): void => appendFileSync(record, `${words.join(' ')}\n`);
const shown = (path: unknown): string => relative(here, String(path)) || '.';

const { openSync, rename, renameSync, mkdirSync, fsync, fsyncSync } = fs;
const paths = new Map<number, string>();
fs.openSync = (...args) => {
  const file = openSync(...args);
  paths.set(file, shown(args[0]));
  return file;
};
fs.renameSync = (from, to) => {
  renameSync(from, to);
  write('renamed', shown(to));
};
fs.rename = ((from, to, told) => {
  rename(from, to, (error) => {
    if (error === null) write('renamed', shown(to));
    told(error);
  });
}) as typeof rename;
fs.mkdirSync = ((path: string, options?: object) => {
  const made = mkdirSync(path, options);
  write('made', shown(path));
  return made;
}) as typeof mkdirSync;
fs.fsyncSync = (file) => {
  fsyncSync(file);
  write('synced', paths.get(file) ?? 'unknown');
};
fs.fsync = ((file, told) => {
  fsync(file, (error) => {
    if (error === null) write('synced', paths.get(file) ?? 'unknown');
    told(error);
  });
}) as typeof fsync;
syncBuiltinESMExports();

/** The checkpoint's database, known by the statements that are prepared on it. */
let checkpoint: Database.Database | null = null;
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  if (this.name.endsWith('batch.sqlite')) checkpoint = this;
  return Reflect.apply(prepare, this, [sql]);
} as typeof prepare;

const { commitNow } = SqliteCheckpoint.prototype;
SqliteCheckpoint.prototype.commitNow = function (changes) {
  Reflect.apply(commitNow, this, [changes]);
  write('synchronous', String(checkpoint?.pragma('synchronous', { simple: true })));
  for (const { after } of changes) write('committed', after.id, after.status);
};

subscribe('undici:client:sendHeaders', (message) => {
  const { request } = message as { request: { method: string; path: string; body: unknown } };
  const question = request.method === 'POST' ? /"question":"([^"]*)"/.exec(String(request.body))?.[1] : null;
  write('sent', question ?? request.path);
});
