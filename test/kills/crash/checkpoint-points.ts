/** Crash points around and inside each transaction of the checkpoint, by the kind of change that it saves. */

import Database from 'better-sqlite3';
import type { Item } from '../../../src/money/item.ts';
import type { Change } from '../../../src/stores/port/checkpoint.ts';
import { SqliteIngest } from '../../../src/stores/sqlite/import/ingest.ts';
import { SqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { SqliteSettings } from '../../../src/stores/sqlite/sqlite-settings.ts';
import { around, reach } from './reach.ts';

/** Kind of a change by the statuses it leads from and to. */
const kinds: Readonly<Record<string, string>> = {
  'pending submitting': 'the intent',
  'pending pending': 'an edited question',
  'submitting open': 'the acceptance',
  'submitting rejected': 'the refusal',
  'submitting pending': 'the passing refusal',
  'open failed': 'the failure',
  'open lost': 'the loss',
  'open downloading': 'the completion',
  'lost open': 'the finding again',
  'downloading completed': 'the last file',
  'downloading undelivered': 'the giving up of the video',
  'undelivered downloading': 'another try of the video',
  'failed pending': 'the ordered retry',
  'completed pending': 'the ordered rerun',
  'uncertain open': 'the adoption',
  'uncertain pending': 'the word that there is no task',
  'submitting uncertain': 'the lost answer',
  'invalid pending': 'the mended row',
};

function kindOf({ before, after }: Change): string {
  if (after.failure?.startsWith('the program was stopped')) return 'the unanswered creation that was found';
  if (before.status === 'open' && after.status === 'open') return progressOf(before, after);
  if (before.status === 'downloading' && after.status === 'downloading') return progressOf(before, after);
  return kinds[`${before.status} ${after.status}`] ?? `${before.status} to ${after.status}`;
}

function progressOf(before: Item, after: Item): string {
  if (after.misses > before.misses) return 'a miss';
  if (after.renewals > before.renewals) return 'a refused link';
  const saved = ({ artifacts }: Item) => artifacts.filter(({ state }) => state === 'saved').length;
  return saved(after) > saved(before) ? 'the saved frame' : 'the frame that appeared';
}

/** What is being saved, the innermost last; several kinds of change may be saved together. */
const saving: (readonly string[])[] = [];

function whileSaving<T>(names: readonly string[], work: () => T): T {
  saving.push(names);
  for (const name of names) reach(`before the commit of ${name}`);
  const result = work();
  for (const name of names) reach(`after the commit of ${name}`);
  saving.pop();
  return result;
}

export function watchCheckpoint(): void {
  const { commitNow } = SqliteCheckpoint.prototype;
  const { saveNow } = SqliteSettings.prototype;
  SqliteCheckpoint.prototype.commitNow = function (changes) {
    whileSaving([...new Set(changes.map(kindOf))], () => commitNow.call(this, changes));
  };
  SqliteSettings.prototype.saveNow = function (name, value) {
    around(`the saving of the ${name}`, () => saveNow.call(this, name, value));
  };
  const { add, applyNow } = SqliteIngest.prototype;
  // It stages the rows before it returns.
  SqliteIngest.prototype.add = function (rows) {
    return around('the staging of the rows', () => add.call(this, rows));
  };
  SqliteIngest.prototype.applyNow = function (options) {
    whileSaving(['the file'], () => applyNow.call(this, options));
  };
  watchDatabase();
}

function watchDatabase(): void {
  const { transaction, exec } = Database.prototype;
  // The types of the library know neither the prototype's own shape nor `this`.
  Object.assign(Database.prototype, {
    transaction(this: Database.Database, work: (...args: unknown[]) => unknown) {
      const within = (...args: unknown[]): unknown => {
        const result = work(...args);
        for (const name of saving.at(-1) ?? ['the schema']) reach(`inside the commit of ${name}`);
        return result;
      };
      return Reflect.apply(transaction, this, [within]);
    },
    exec(this: Database.Database, sql: string) {
      const isLock = sql === 'BEGIN EXCLUSIVE';
      return isLock ? around('the lock', () => exec.call(this, sql)) : exec.call(this, sql);
    },
  });
}
