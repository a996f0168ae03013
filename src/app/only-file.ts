/** `--only @FILE`: the ids of a table, such as the marks that a reviewer exported from the page. */

import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { Checkpoint } from '../store.ts';
import { renderNames } from '../terminal/numbers.ts';
import type { Options } from './options.ts';
import { notAnAttempt, readMarks } from './read-marks.ts';

/** A row that `--only` names. */
export interface NamedRow {
  readonly id: string;
  /** True when it was typed, false when only files name it. */
  readonly isTyped: boolean;
  /** The marked attempt, the latest if several files name the row; null for any. */
  readonly attempt: number | null;
}

/** Rows with this mark are meant where a file has marks. */
type Mark = 'good' | 'bad';

/**
 * The named rows: typed ids, and the rows of files, whose paths are relative to `folder`. `@@` is an `@` at the start of an
 * id. Returns each row once. Throws `UsageError` for a file that names no row.
 */
export function readOnly(entries: readonly string[], folder: string, mark: Mark = 'bad'): NamedRow[] {
  const named = new Map<string, NamedRow>();
  for (const entry of entries) {
    const isFile = entry.startsWith('@') && !entry.startsWith('@@');
    const typed = { id: entry.startsWith('@@') ? entry.slice(1) : entry, isTyped: true, attempt: null };
    for (const row of isFile ? rowsOfFile(entry.slice(1), folder, mark) : [typed]) {
      const known = named.get(row.id);
      named.set(row.id, known === undefined ? row : joined(known, row));
    }
  }
  return [...named.values()];
}

function joined(a: NamedRow, b: NamedRow): NamedRow {
  const isAny = a.attempt === null || b.attempt === null;
  const attempt = isAny ? null : Math.max(a.attempt, b.attempt);
  return { id: a.id, isTyped: a.isTyped || b.isTyped, attempt };
}

function rowsOfFile(file: string, folder: string, wanted: Mark): NamedRow[] {
  const place = `--only @${file}`;
  const remedy = '; use @ before the name of a CSV file, @@ before an id that starts with @';
  const rows = readMarks(resolve(folder, file), place, remedy);
  // In a table with marks, only rows with the wanted one count.
  const isMarked = rows.some(({ mark }) => mark !== null);
  const meant = rows.filter(({ mark }) => !isMarked || mark === wanted);
  // If it counted as any attempt, each use of the file would pay for its rows again.
  for (const { unreadable, line } of meant)
    if (unreadable !== null) throw notAnAttempt(place, line, unreadable);
  if (meant.length > 0) return meant.map(({ id, attempt }) => ({ id, isTyped: false, attempt }));
  throw new UsageError(
    isMarked
      ? `${place}: no row is marked as ${wanted}; mark some on the page and export the marks again`
      : `${place}: no row has an id`,
  );
}

/** Throws `UsageError` for ids of `--only` that no row has. */
export async function checkOnlyIds({ only = [] }: Options, checkpoint: Checkpoint): Promise<void> {
  const known = new Set((await checkpoint.itemsWithIds(only)).map(({ id }) => id));
  const unknown = only.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new UsageError(`--only: no row has the id ${renderNames(unknown)}`);
}
