/** `--only` of an export: which rows it takes. */

import type { ExportChoice } from '../core/export-choice.ts';
import { UsageError } from '../errors.ts';
import type { Checkpoint } from '../store.ts';
import { renderNames } from '../terminal/numbers.ts';
import { readOnly } from './only-file.ts';

/** The rows to export, and those that files name and the run does not have. */
export interface ChosenRows {
  readonly choice: ExportChoice;
  readonly unknown: readonly string[];
}

/**
 * Reads `completed`, ids and `@FILE`: of a marks table the rows marked good, of another all. Throws `UsageError` for
 * typed ids that no row has, and for a file that names no row.
 */
export async function readExportRows(
  entries: readonly string[],
  checkpoint: Checkpoint,
): Promise<ChosenRows> {
  if (entries.includes('completed')) {
    if (entries.length > 1)
      throw new UsageError('--only completed takes all completed rows; leave out the others');
    return { choice: { kind: 'completed' }, unknown: [] };
  }
  const named = readOnly(entries, '.', 'good');
  const ids = named.map(({ id }) => id);
  const known = new Set((await checkpoint.itemsWithIds(ids)).map(({ id }) => id));
  const missing = named.filter(({ id }) => !known.has(id));
  const typed = missing.filter(({ isTyped }) => isTyped).map(({ id }) => id);
  if (typed.length > 0) throw new UsageError(`--only: no row has the id ${renderNames(typed)}`);
  const rows = new Map(named.map(({ id, attempt }) => [id, attempt]));
  return { choice: { kind: 'named', rows }, unknown: missing.map(({ id }) => id) };
}
