/** `--only @FILE`: the ids of a table, such as the marks that a reviewer exported from the page. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseMarksTable } from '../core/marks-table.ts';
import { codeOf, UsageError } from '../errors.ts';

/**
 * The ids that are meant: those written out, and those of files, whose paths start from `folder`. `@@` stands for an `@`
 * that an id begins with. Throws `UsageError` for a file that names no row.
 */
export function readOnly(entries: readonly string[], folder: string): string[] {
  const ids = entries.flatMap((entry) => {
    if (entry.startsWith('@@')) return [entry.slice(1)];
    return entry.startsWith('@') ? idsOfFile(entry.slice(1), folder) : [entry];
  });
  return [...new Set(ids)];
}

function idsOfFile(file: string, folder: string): string[] {
  const place = `--only @${file}`;
  const rows = parseMarksTable(readText(resolve(folder, file), place));
  if (rows === null) throw new UsageError(`${place}: it has no column "id"; name a CSV file with one`);
  // Where rows are marked, those marked bad are meant.
  const isMarked = rows.some(({ mark }) => mark !== null);
  const ids = rows.filter(({ mark }) => !isMarked || mark === 'bad').map(({ id }) => id);
  if (ids.length > 0) return ids;
  throw new UsageError(
    isMarked
      ? `${place}: no row is marked bad; mark some on the page and export the marks again`
      : `${place}: no row has an id`,
  );
}

function readText(path: string, place: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const what =
      codeOf(error) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${codeOf(error)})`;
    throw new UsageError(`${place}: ${what}; write @ before a CSV file, @@ for an id with @`, error);
  }
  return decode(bytes);
}

/** As spreadsheets save: UTF-16 with its mark, UTF-8, or in China GB18030. */
function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
