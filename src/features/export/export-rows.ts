/** `--only` of an export: which rows it contains. */

import { knowNaming } from '../../app/naming/known-rows.ts';
import { namedRows, readNaming } from '../../app/naming/only-file.ts';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import type { Store } from '../../stores/port/store.ts';
import type { ExportChoice } from './export-choice.ts';

/** The rows to export, those that files name and the run does not have, and what there is to say of the files. */
export interface ChosenRows {
  readonly choice: ExportChoice;
  readonly unknown: readonly string[];
  readonly notes: readonly Message[];
}

/** Words of `--only` that stand alone. */
const words = ['completed', 'good'] as const;

/**
 * Reads `completed`, `good`, ids and `@FILE`: of a table of marks the rows marked good, of another all. Throws `UsageError`
 * for typed ids that no row has, for a table of another run, for a file that names no row, and for `good` where no saved mark says so.
 */
export async function readExportRows(
  entries: readonly string[],
  store: Pick<Store, 'checkpoint' | 'reviews' | 'settings'>,
  out: string,
): Promise<ChosenRows> {
  const { checkpoint, reviews } = store;
  const word = words.find((each) => entries.includes(each));
  if (word !== undefined) {
    if (entries.some((entry) => entry !== word)) throw new UsageError(message('option.only-word', { word }));
    return {
      choice: word === 'good' ? await goodRows({ checkpoint, reviews }) : { kind: word },
      unknown: [],
      notes: [],
    };
  }
  const notes: Message[] = [];
  const say = (note: Message): void => {
    notes.push(note);
  };
  const naming = await knowNaming(readNaming(entries, '.', 'good'), store, { out, verb: null, say });
  const named = namedRows(naming);
  const ids = named.map(({ id }) => id);
  const known = new Set((await checkpoint.itemsWithIds(ids)).map(({ id }) => id));
  const missing = named.filter(({ id }) => !known.has(id));
  const typed = missing.filter(({ isTyped }) => isTyped).map(({ id }) => id);
  if (typed.length > 0) throw new UsageError(message('option.only-unknown', { names: renderNames(typed) }));
  const rows = named.map(
    ({ id, attempt, dispute }) => [id, dispute === undefined ? attempt : 'contested'] as const,
  );
  return { choice: { kind: 'named', rows: new Map(rows) }, unknown: missing.map(({ id }) => id), notes };
}

/** Throws `UsageError` where nobody has called a row of the file good: the export would be emptied by marks that were never saved. */
async function goodRows({
  checkpoint,
  reviews,
}: Pick<Store, 'checkpoint' | 'reviews'>): Promise<ExportChoice> {
  const marks = await reviews.marks();
  const good = marks.filter(({ mark }) => mark === 'good').map(({ id }) => id);
  if ((await checkpoint.itemsWithIds(good, 'inFile')).length > 0)
    return { kind: 'good', marks: Map.groupBy(marks, ({ id }) => id) };
  throw new UsageError(message('option.only-good'));
}
