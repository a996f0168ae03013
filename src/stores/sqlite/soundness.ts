/**
 * Checks that a checkpoint still is what was written. A flipped bit on disk often turns one valid value into another: a
 * row that no longer matches its identity is paid for again, a task under a wrong id is lost. Everything that money
 * depends on is therefore saved twice (in a table and an index, in an item and its attempt), and compared.
 */

import type { Database } from 'better-sqlite3';
import { inBoth, type Message, message } from '../../messages/message.ts';
import type { DamageId } from '../../messages/reasons/damage.ts';
import { qualities, statuses } from '../../money/item.ts';
import { sqlWords } from '../../text/sql-words.ts';
import { databaseName, sharedWithAttempt } from '../tables.ts';

const sharedIn = (table: string): string =>
  sharedWithAttempt.map((field) => `${table}.${databaseName(field)}`).join(', ');

/** Queries that find nothing in a sound checkpoint, with what is wrong with a row they find. */
const contradictions: readonly (readonly [sql: string, what: DamageId])[] = [
  [
    `SELECT items.id AS name FROM items
     LEFT JOIN attempts AS a ON a.item = items.key AND a.attempt = items.attempt
     WHERE items.status NOT IN (${sqlWords(statuses)}) OR items.quality NOT IN (${sqlWords(qualities)})
       OR items.attempt < 0 OR items.gone NOT IN (0, 1)
       OR (items.token IS NOT NULL AND (${sharedIn('a')}) IS NOT (${sharedIn('items')}))
     LIMIT 1`,
    'damage.differs',
  ],
  [
    `SELECT items.id AS name FROM items LEFT JOIN questions ON questions.item = items.key
     WHERE questions.item IS NULL LIMIT 1`,
    'damage.no-question',
  ],
  [
    `SELECT coalesce(items.id, attempts.item) AS name FROM attempts LEFT JOIN items ON items.key = attempts.item
     WHERE items.key IS NULL OR attempts.attempt > items.attempt OR attempts.attempt < 1 LIMIT 1`,
    'damage.attempt',
  ],
  [
    `SELECT coalesce(items.id, artifacts.item) AS name FROM artifacts LEFT JOIN items ON items.key = artifacts.item
     WHERE items.key IS NULL OR kind NOT IN ('video', 'frame', 'earlier', 'earlier-video') OR state NOT IN ('wanted', 'saved', 'missing') LIMIT 1`,
    'damage.file',
  ],
  ['SELECT min(id) AS name FROM items GROUP BY lower(folder) HAVING count(*) > 1 LIMIT 1', 'damage.folder'],
];

/**
 * What is wrong with the pages; null when nothing is. `thorough` also compares each index with its table, which takes
 * four times as long (4 s for a million rows); use it before anything is paid for.
 */
export function findDamageInPages(db: Database, depth: 'quick' | 'thorough'): string | null {
  const answer = db.pragma(depth === 'quick' ? 'quick_check(1)' : 'integrity_check(1)', { simple: true });
  // The first line of the answer only names the database.
  return answer === 'ok' ? null : String(answer).replace(/^.*\n/s, '');
}

/** What is wrong with the rows; null when nothing is. */
export function findDamage(db: Database): Message | null {
  for (const [sql, what] of contradictions) {
    const found = db.prepare<[], { name: string | number }>(sql).get();
    if (found !== undefined)
      return message('damage.of-row', { id: String(found.name), what: inBoth(message(what)) });
  }
  return null;
}

/** Creation requests of all rows; never decreases. */
export function countCreations(db: Database): number {
  return db.prepare<[], { n: number }>('SELECT total(attempt) AS n FROM items').get()?.n ?? 0;
}
