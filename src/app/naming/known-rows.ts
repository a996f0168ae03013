/** The rows that the tables of `--only` mean, once the run is open. */

import { dirname, relative } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Item, Status } from '../../money/item.ts';
import type { GivenMark } from '../../money/review/joined-marks.ts';
import { attemptOfLine } from '../../money/subject.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath, shellWord } from '../../text/shell-word.ts';
import type { Invocation } from '../options/invocation.ts';
import { ReturnedTable } from '../returned-table.ts';
import { type Naming, type NamingTable, namedRows, refuseUnclear, undisputed } from './only-file.ts';

/**
 * The invocation with the rows that the run knows, where `--only` has tables; `say` gets what a spreadsheet made of their
 * ids. Every command that takes `--only` asks this once its run is open.
 */
export async function withKnownRows(
  invocation: Invocation,
  store: Pick<Store, 'checkpoint' | 'settings'>,
  { verb, say }: Omit<NamingCommand, 'out'>,
): Promise<Invocation> {
  const { naming: given, out, options } = invocation;
  if (given === null || given.tables.length === 0) return invocation;
  const naming = await knowNaming(given, store, { out, verb, say });
  const named = namedRows(naming);
  const only = options.only === undefined ? {} : { only: undisputed(named) };
  return { ...invocation, naming, named, options: { ...options, ...only } };
}

/** The command that takes the tables. */
interface NamingCommand {
  /** The output folder of this run (absolute). */
  readonly out: string;
  /** The command that was typed, such as `retry`; null where `--only` is but a part of a longer line. */
  readonly verb: string | null;
  /** Gets what a spreadsheet made of the ids. */
  say(note: Message): void;
}

/**
 * The same with the ids that the run has, by the keys in the tables. Throws `UsageError` or `InputError` where a line may be
 * about another row.
 */
export async function knowNaming(
  naming: Naming,
  store: Pick<Store, 'checkpoint' | 'settings'>,
  { out, verb, say }: NamingCommand,
): Promise<Naming> {
  const tables: NamingTable[] = [];
  for (const table of naming.tables) {
    const returned = new ReturnedTable(store, out, {
      shown: table.place,
      folder: relative('.', dirname(table.path)) || '.',
      repeats: true,
      // In a table of marks a question is a correction.
      hasOwnTexts: !table.isMarked || table.kind === 'report' || table.kind === 'manifest',
      commandIn: (folder) =>
        verb === null ? null : `batch ${verb} ${shellPath(folder)} --only ${shellWord(`@${table.file}`)}`,
    });
    const lines = table.rows.map((row) => ({ ...row, question: row.question ?? '' }));
    const known = await returned.knownLines(lines, { say, mayContain: mayBeAsSaid });
    table.notes.forEach(say);
    const others: string[] = [];
    const rows = table.rows.flatMap((row, at) => {
      const { id = row.id, keyed = null } = known[at] ?? {};
      if (keyed === null || attemptOfLine(keyed.key, keyed.item) !== 'copy') return [{ ...row, id }];
      others.push(id);
      return [];
    });
    if (rows.length === 0)
      throw new UsageError(message('returned.none-as-seen', { table: table.place, ids: others }));
    if (others.length > 0) say(message('returned.other-attempt', { table: table.place, ids: others }));
    tables.push({ ...table, rows });
  }
  const known = { ...naming, tables };
  // Lines that had one id may be of several rows: what one of them says counts for no other.
  refuseUnclear(known);
  return known;
}

/** Statuses that do not change while the row has the same attempt. */
const settled: readonly string[] = ['completed', 'failed', 'rejected'] satisfies readonly Status[];

/** False where the row has the attempt of the line, and a status that it cannot have got since. */
function mayBeAsSaid({ status, attempt }: Item, line: Pick<GivenMark, 'status' | 'attempt'>): boolean {
  const said = line.status.toLowerCase();
  return line.attempt !== attempt || said === status || !settled.includes(said) || !settled.includes(status);
}
