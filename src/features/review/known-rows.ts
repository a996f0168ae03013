/** The rows that the tables of `--only` mean, once the run is open. */

import { dirname, relative } from 'node:path';
import type { Invocation } from '../../app/options/invocation.ts';
import { ReturnedTable } from '../../app/returned-table.ts';
import type { Message } from '../../messages/message.ts';
import type { Item, Status } from '../../money/item.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath, shellWord } from '../../text/shell-word.ts';
import type { GivenMark } from './joined-marks.ts';
import { type Naming, type NamingTable, namedRows, undisputed } from './only-file.ts';

/**
 * The invocation with the rows that the run knows, where `--only` has tables; `say` hears what a spreadsheet made of their
 * ids. Every command that takes `--only` asks this once its run is open.
 */
export async function withKnownRows(
  invocation: Invocation,
  store: Pick<Store, 'checkpoint' | 'settings'>,
  { verb, say }: Pick<NamingCommand, 'verb'> & { readonly say: (said: Message) => void },
): Promise<Invocation> {
  const { naming: given, out, options } = invocation;
  if (given === null || given.tables.length === 0) return invocation;
  const { naming, notes } = await knowNaming(given, store, { out, verb });
  for (const note of notes) say(note);
  const named = namedRows(naming);
  const only = options.only === undefined ? {} : { only: undisputed(named) };
  return { ...invocation, naming, named, options: { ...options, ...only } };
}

/** For messages about a table of another run. */
interface NamingCommand {
  /** The output folder of this run (absolute). */
  readonly out: string;
  /** The command that was typed, such as `retry`; null where `--only` is but a part of a longer line. */
  readonly verb: string | null;
}

/**
 * The same with the ids that the run has, by the keys in the tables, and what a spreadsheet made of the ids. Throws
 * `UsageError` or `InputError` where a line may be about another row.
 */
export async function knowNaming(
  naming: Naming,
  store: Pick<Store, 'checkpoint' | 'settings'>,
  { out, verb }: NamingCommand,
): Promise<{ readonly naming: Naming; readonly notes: readonly Message[] }> {
  const tables: NamingTable[] = [];
  const notes: Message[] = [];
  for (const table of naming.tables) {
    const returned = new ReturnedTable(store, out, {
      shown: table.place,
      folder: relative('.', dirname(table.path)) || '.',
      repeats: true,
      commandIn: (folder) =>
        verb === null ? null : `batch ${verb} ${shellPath(folder)} --only ${shellWord(`@${table.file}`)}`,
    });
    const lines = table.rows.map((row) => ({ ...row, question: row.question ?? '' }));
    const items = await returned.byKey(lines);
    const unkeyed = lines.filter(({ key }) => key === null);
    await returned.checkIds(unkeyed, mayBeAsSaid);
    returned.refuse();
    const note = returned.note();
    if (note !== null) notes.push(note);
    tables.push({ ...table, rows: table.rows.map((row, at) => ({ ...row, id: items[at]?.id ?? row.id })) });
  }
  return { naming: { ...naming, tables }, notes };
}

/** Statuses that do not change while the row has the same attempt. */
const settled: readonly string[] = ['completed', 'failed', 'rejected'] satisfies readonly Status[];

/** False where the row has the attempt of the line, and a status that it cannot have got since. */
function mayBeAsSaid({ status, attempt }: Item, line: Pick<GivenMark, 'status' | 'attempt'>): boolean {
  const said = line.status.toLowerCase();
  return line.attempt !== attempt || said === status || !settled.includes(said) || !settled.includes(status);
}
