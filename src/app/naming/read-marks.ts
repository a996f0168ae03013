/** Reads tables of marks: exported from the page or from a run, and edited in a spreadsheet. */

import { codeOf, UsageError } from '../../errors.ts';
import {
  doubtOf,
  type Encoding,
  encodingOfHead,
  encodingOfLines,
} from '../../input/encoding/choose-encoding.ts';
import { type Message, message, several } from '../../messages/message.ts';
import { type MarksTable, parseAttempt, parseMarksTable } from '../../money/review/marks-table.ts';
import type { Preference } from '../../money/review/preference.ts';
import { ChangedFileError, readSteadilyNow } from '../../outputs/pictures/steady-file.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';

/**
 * The rows of a table with an id column. `place` names the file in messages; `remedy` is further advice about one that
 * cannot be read. Throws `UsageError`.
 */
export function readMarks(
  path: string,
  place: string,
  remedy: readonly Message[] = [],
): { readonly table: MarksTable; readonly notes: readonly Message[] } {
  const bytes = readBytes(path, place, remedy);
  const encoding = encodingOfHead(bytes) ?? encodingOfLines(bytes);
  const table = parseMarksTable(new TextDecoder(encoding.label).decode(bytes));
  if (table === null) throw new UsageError(message('marks.no-id-column', { file: place }));
  // An unclosed quote swallows other rows; the rest matters where a text may be paid for.
  for (const { broken, mark, line } of table.rows)
    if (broken !== null && (broken === 'quote' || mark === 'bad'))
      throw new UsageError(message(`marks.${broken}`, { file: place, line }));
  const isPaidFor = table.rows.some(
    ({ mark, question, answer }) => mark === 'bad' && (question ?? answer) !== null,
  );
  if (isPaidFor && isDoubtful(bytes, encoding))
    throw new UsageError(message('marks.encoding', { file: place }));
  const { guess, name } = encoding;
  return {
    table,
    notes: guess === null ? [] : [message('marks.read-as', { file: place, encoding: name, guess })],
  };
}

function isDoubtful(bytes: Uint8Array, encoding: Encoding): boolean {
  return encoding.guess === 'not-utf-8' && doubtOf(bytes, encoding) !== null;
}

function readBytes(path: string, place: string, remedy: readonly Message[]): Uint8Array {
  try {
    return readSteadilyNow(path);
  } catch (error) {
    if (error instanceof ChangedFileError)
      throw new UsageError(message('marks.changed', { file: place, failure: error.message }), error);
    const said =
      codeOf(error) === 'ENOENT'
        ? message('marks.missing', { file: place })
        : message('marks.unreadable', { file: place, failure: codeOf(error) });
    throw new UsageError(several([said, ...remedy]), error);
  }
}

/** The preferences of a table of marks. Throws `UsageError` where it has none, or names one attempt and another. */
export function readPreferences(path: string, place: string): readonly Preference[] {
  const chosen = new Map<string, Preference>();
  for (const { id, key, prefer, line } of readMarks(path, place).table.rows) {
    if (prefer === '') continue;
    const attempt = prefer.toLowerCase() === 'latest' ? null : parseAttempt(prefer);
    if (attempt === null && prefer.toLowerCase() !== 'latest') throw notAnAttempt(place, line, prefer);
    const known = chosen.get(key ?? id);
    if (known !== undefined && known.attempt !== attempt)
      throw new UsageError(message('marks.twice', { file: place, line, id: toTerminalText(id) }));
    chosen.set(key ?? id, { id, ...(key !== null && { key }), line, attempt });
  }
  if (chosen.size > 0) return [...chosen.values()];
  throw new UsageError(message('marks.no-attempts', { file: place }));
}

/** The error about a cell that is no attempt. */
export function notAnAttempt(place: string, line: number, written: string): UsageError {
  const shown = toTerminalText(JSON.stringify(written.slice(0, 40)));
  return new UsageError(message('marks.bad-attempt', { file: place, line, attempt: shown }));
}
