/**
 * Pure. The key in the last column of every table that people send back: which run, which row, which text and which attempt
 * the line stood for. A spreadsheet makes `1.1` of the id `1.10`; it takes a key for no number, date or formula. Nothing in it is
 * secret.
 */

import { asSpreadsheetsKeep } from '../spreadsheet-text.ts';

/** The name of the column. */
export const keyName = 'batch';

export interface RowKey {
  /** The first digits of the run's id. */
  readonly run: string;
  /** The key of the item. */
  readonly item: number;
  /** `textMark` of the question in the line. */
  readonly text: string;
  /** The number of the attempt that the line is about, 0 before the first; null in a key of an earlier version. */
  readonly attempt: number | null;
  /** `tokenMark` of that attempt; '' where unknown. */
  readonly token: string;
}

/** The row of a line, and the attempt that the line is about. */
export interface KeyedRow {
  /** The key of the item. */
  readonly key: number;
  readonly attempt: number;
  /** Of that attempt; null where it has none, or is not the last one. */
  readonly token: string | null;
}

const runDigits = 8;

/** The cell of a row: `run` is the id of the run, `question` the text in the same line. */
export function renderRowKey(run: string, { key, attempt, token }: KeyedRow, question: string): string {
  return writeRowKey(run, { key, attempt, token: tokenMark(token) }, question);
}

/** The same where `token` is a `tokenMark`. */
export function writeRowKey(
  run: string,
  { key, attempt, token }: KeyedRow & { readonly token: string },
  question: string,
): string {
  const start = `b${run.slice(0, runDigits)}-${key}-${textMark(question)}-${attempt}`;
  return token === '' ? start : `${start}-${token}`;
}

/** Four hex digits that tell two attempts of one number apart: those of a run and of its copy. '' for no token. */
export function tokenMark(token: string | null): string {
  return token === null ? '' : textMark(token).slice(-4);
}

/** Null for any other text. */
export function parseRowKey(cell: string): RowKey | null {
  const [, run, item, text, attempt, token = ''] =
    /^b([0-9a-f]{8})-(\d{1,15})-([0-9a-f]{8})(?:-(\d{1,9})(?:-([0-9a-f]{4}))?)?$/.exec(
      cell.trim().toLowerCase(),
    ) ?? [];
  if (run === undefined || text === undefined) return null;
  return { run, item: Number(item), text, attempt: attempt === undefined ? null : Number(attempt), token };
}

/** True for a key of the run with this id. */
export function isOfRun({ run }: RowKey, id: string): boolean {
  return id.slice(0, runDigits) === run;
}

/** The last column that may hold keys: `batch`, or `batch_2` where the user's file has one of that name. -1 for none. */
export function keyColumnIn(header: readonly string[]): number {
  return header.findLastIndex((name) => /^batch(_\d+)?$/i.test(name.trim()));
}

/** The column that does hold keys: one of that name without any is the user's own. -1 for none. */
export function filledKeyColumn(header: readonly string[], lines: readonly (readonly string[])[]): number {
  const at = keyColumnIn(header);
  return lines.some((cells) => parseRowKey(cells[at] ?? '') !== null) ? at : -1;
}

/**
 * A digest in eight hex digits, the same in the browser: FNV-1a and the mix of MurmurHash3. It shows whether a line still has
 * its text; nothing is ever found by it.
 */
export function textMark(text: string): string {
  let mark = 0x811c9dc5;
  const kept = asSpreadsheetsKeep(text);
  for (let at = 0; at < kept.length; at += 1) mark = Math.imul(mark ^ kept.charCodeAt(at), 0x01000193);
  mark = Math.imul(mark ^ (mark >>> 16), 0x85ebca6b);
  mark = Math.imul(mark ^ (mark >>> 13), 0xc2b2ae35);
  return ((mark ^ (mark >>> 16)) >>> 0).toString(16).padStart(8, '0');
}

/** A line with a key. */
interface KeyedLine {
  readonly line: number;
  /** The id of its row. */
  readonly id: string;
  readonly key: RowKey;
  /** The question in the line; '' where it has none. */
  readonly text: string;
}

/** Finds lines whose text is that of another line: somebody sorted or moved one column alone. */
export class StrayTexts {
  /** Which row had this text. */
  readonly #idOf = new Map<string, string>();
  readonly #edited: (Pick<KeyedLine, 'line' | 'id'> & { readonly mark: string })[] = [];

  add({ line, id, key, text }: KeyedLine): void {
    this.#idOf.set(key.text, id);
    const mark = textMark(text);
    if (text.trim() !== '' && mark !== key.text) this.#edited.push({ line, id, mark });
  }

  /** Each with the row whose text it has. */
  found(): readonly { readonly line: number; readonly id: string; readonly other: string }[] {
    return this.#edited.flatMap(({ line, id, mark }) => {
      const other = this.#idOf.get(mark);
      return other === undefined ? [] : [{ line, id, other }];
    });
  }
}
