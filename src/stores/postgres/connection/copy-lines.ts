/** Rows as lines of COPY, and back. */

import type { CopiedValue } from '../../port/import.ts';

const nothing = '\\N';

const control = /[\n\r\t\0]/g;
/** The server keeps no U+0000. */
const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\u{fffd}',
};
const escaped = /\\(.)/g;
const meanings: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

export function copyLine(...fields: readonly CopiedValue[]): string {
  return `${fields.map(copyField).join('\t')}\n`;
}

function copyField(field: CopiedValue): string | number {
  if (field === null) return nothing;
  if (typeof field === 'number') return field;
  if (typeof field !== 'string')
    return `\\\\x${Buffer.from(field.buffer, field.byteOffset, field.length).toString('hex')}`;
  // Most texts have nothing to escape, and a test is quicker than a replacement; in JSON only backslashes are left to escape.
  const text = field.includes('\\') ? field.replaceAll('\\', '\\\\') : field;
  return text.search(control) < 0 ? text : text.replace(control, (found) => escapes[found] ?? found);
}

/** The texts of a line, without its end. */
export function readCopyLine(line: string): (string | null)[] {
  return line.split('\t').map((field) => {
    if (field === nothing) return null;
    return field.includes('\\') ? field.replace(escaped, (_, letter) => meanings[letter] ?? letter) : field;
  });
}
