/** Reads tables of marks: exported from the page or from a run, and edited in a spreadsheet. */

import { codeOf, UsageError } from '../../errors.ts';
import { ChangedFileError, readSteadilyNow } from '../../outputs/pictures/steady-file.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { decodeSavedText } from '../../text/saved-text.ts';
import { parseAttempt, parseMarksTable, type ReadMark } from './marks-table.ts';
import type { Preference } from './preference.ts';

const whatIsBroken: Readonly<Record<NonNullable<ReadMark['broken']>, string>> = {
  quote: 'a quote is never closed; put the text between two quotes, and write "" for a quote inside it',
  cells: 'the row has more cells than the header; put a text with commas between quotes',
  character: 'a corrected text has a character that cannot be read; save the file as UTF-8',
};

/**
 * The rows of a table with an id column. `place` names the file in messages; `remedy` is further advice for one that
 * cannot be read. Throws `UsageError`.
 */
export function readMarks(path: string, place: string, remedy = ''): readonly ReadMark[] {
  const rows = parseMarksTable(readText(path, place, remedy));
  if (rows === null)
    throw new UsageError(
      `${place}: the file has no column "id"; use a CSV file that has one, or a table that batch wrote`,
    );
  // An unclosed quote swallows other rows; the rest matters where a text may be paid for.
  for (const { broken, mark, line } of rows)
    if (broken !== null && (broken === 'quote' || mark === 'bad'))
      throw new UsageError(`${place}:${line}: ${whatIsBroken[broken]}`);
  return rows;
}

function readText(path: string, place: string, remedy: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readSteadilyNow(path);
  } catch (error) {
    if (error instanceof ChangedFileError) throw new UsageError(`${place}: ${error.message}`, error);
    const what =
      codeOf(error) === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${codeOf(error)})`;
    throw new UsageError(`${place}: ${what}${remedy}`, error);
  }
  return decodeSavedText(bytes);
}

/** The preferences of a table of marks. Throws `UsageError` where it has none, or names one attempt and another. */
export function readPreferences(path: string, place: string): readonly Preference[] {
  const chosen = new Map<string, Preference>();
  for (const { id, key, prefer, line } of readMarks(path, place)) {
    if (prefer === '') continue;
    const attempt = prefer.toLowerCase() === 'latest' ? null : parseAttempt(prefer);
    if (attempt === null && prefer.toLowerCase() !== 'latest') throw notAnAttempt(place, line, prefer);
    const known = chosen.get(key ?? id);
    if (known !== undefined && known.attempt !== attempt)
      throw new UsageError(`${place}:${line}: row ${toTerminalText(id)} stands twice, with another attempt`);
    chosen.set(key ?? id, { id, ...(key !== null && { key }), line, attempt });
  }
  if (chosen.size > 0) return [...chosen.values()];
  throw new UsageError(`${place}: no row has an attempt in a column "prefer"`);
}

/** The error about a cell that is no attempt. */
export function notAnAttempt(place: string, line: number, written: string): UsageError {
  const shown = toTerminalText(JSON.stringify(written.slice(0, 40)));
  return new UsageError(
    `${place}:${line}: the attempt ${shown} is not a whole number; use the number of the attempt that was marked`,
  );
}
