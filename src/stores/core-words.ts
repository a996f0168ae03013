/** Words and numbers of the core in the statements of both stores. */

import { readdirSync, readFileSync } from 'node:fs';
import { serviceDefaultQuality } from '../money/item.ts';
import { type Mark, sqlList } from '../money/statuses.ts';
import { sliceCount } from './port/sharing.ts';

const words: Readonly<Record<string, string>> = {
  'default-quality': `'${serviceDefaultQuality}'`,
  'slice-count': String(sliceCount),
};

/**
 * The statements that make a database: `status IN {{bad}}` is the list of the statuses with this mark, any other name one of
 * `words`. Once a database is made, another value needs a migration, as any change of its tables does.
 */
export function fillWords(sql: string): string {
  return sql.replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) => words[name] ?? sqlList(name as Mark));
}

/** The numbered migrations in this folder, in order; a released one is never edited. */
export function migrationsIn(folder: URL): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => fillWords(readFileSync(new URL(name, folder), 'utf8')));
}

/** The quality that the service uses, by the column of the attempt's own. */
export function usedQuality(column: string): string {
  return `coalesce(${column}, ${words['default-quality']})`;
}

/** The slice of an item, by the column of its key. */
export function sliceOf(key: string): string {
  return `${key} % ${sliceCount}`;
}
