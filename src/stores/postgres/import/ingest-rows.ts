/** The rows of a file as lines of COPY. */

import { folderName } from '../../../files/output-paths.ts';
import type { CorrectedItem, IncomingRow } from '../../../money/question.ts';
import { digestDigits, hexDigest } from '../../digest.ts';
import { madeUp } from '../../import/match-statements.ts';

/** A row as lines for `copyStaged` and `copyInputs`. */
export function stagedLines(incoming: IncomingRow): { readonly row: string; readonly input: string } {
  const { row, line, content, written, quality } = incoming;
  const { id, failure, input } = storable(incoming);
  const sent = digestDigits(content);
  const fields = [
    row,
    line,
    id === null ? nothing : escaped(id),
    folderName(id ?? `${madeUp.row}${row}`, hexDigest),
    bytes(id === null ? sent : digestDigits(`id\0${id}`)),
    bytes(sent),
    bytes(digestDigits(input)),
    quality ?? nothing,
    failure === null ? nothing : escaped(failure),
    written === null ? nothing : bytes(digestDigits(written)),
  ];
  return { row: `${fields.join('\t')}\n`, input: copyLine(row, input) };
}

/** An item that the row may be, as a line for `copyCorrected`. */
export function correctedLine(row: IncomingRow, { key, input }: CorrectedItem): string {
  const own = storable({ ...row, input }).input;
  return copyLine(row.row, key, storable(row).input, own, `\\x${digestDigits(own)}`);
}

/** A line of COPY for texts and numbers. */
export function copyLine(...fields: readonly (string | number | null)[]): string {
  const texts = fields.map((field) => {
    if (field === null) return nothing;
    return typeof field === 'number' ? field : escaped(field);
  });
  return `${texts.join('\t')}\n`;
}

const nothing = '\\N';
const bytes = (hex: string): string => `\\\\x${hex}`;

const special = /[\\\n\r\t]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Most texts have nothing to escape, and a test is quicker than a replacement. */
function escaped(text: string): string {
  return text.search(special) < 0 ? text : text.replace(special, (found) => escapes[found] ?? found);
}

/** What PostgreSQL cannot keep in a text, and what is kept in its place. */
const nul = '\u0000';
const replacement = '\ufffd';

const withoutNul = (text: string): string => text.replaceAll(nul, replacement);

/** The texts of a row as they are saved. A row with U+0000 in one of its columns cannot be sent. */
function storable({ id, failure, input: read }: IncomingRow) {
  const input = JSON.stringify(read);
  // JSON spells the character like this; the text may also be a backslash and these letters.
  if (!input.includes('\\u0000')) return { id, failure, input };
  const columns = Object.entries(read).filter(([, value]) => JSON.stringify(value) !== saved(value));
  if (columns.length === 0) return { id, failure, input };
  const names = columns.map(([name]) => withoutNul(name)).join(', ');
  const reason = `${names}: contains the character U+0000, which PostgreSQL cannot keep`;
  return {
    id: id === null ? null : withoutNul(id),
    failure: withoutNul(failure === null ? reason : `${failure}; ${reason}`),
    input: saved(read),
  };
}

function saved(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? withoutNul(part) : part));
}
