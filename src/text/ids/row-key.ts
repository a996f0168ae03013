/**
 * Pure. The key in the last column of every table that people send back: which run, which row, and which text the line
 * stood for. A spreadsheet makes `1.1` of the id `1.10`; it takes a key for no number, date or formula. Nothing in it is
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
}

const runDigits = 8;

/** The cell of a row: `run` is the id of the run, `item` the key of its item, `question` the text in the same line. */
export function renderRowKey(run: string, item: number, question: string): string {
  return `b${run.slice(0, runDigits)}-${item}-${textMark(question)}`;
}

/** Null for any other text. */
export function parseRowKey(cell: string): RowKey | null {
  const [, run, item, text] =
    /^b([0-9a-f]{8})-(\d{1,15})-([0-9a-f]{8})$/.exec(cell.trim().toLowerCase()) ?? [];
  return run === undefined || text === undefined ? null : { run, item: Number(item), text };
}

/** True for a key of the run with this id. */
export function isOfRun({ run }: RowKey, id: string): boolean {
  return id.slice(0, runDigits) === run;
}

/** The last column that may hold keys: `batch`, or `batch_2` where the user's file has one of that name. -1 for none. */
export function keyColumnIn(header: readonly string[]): number {
  return header.findLastIndex((name) => /^batch(_\d+)?$/i.test(name.trim()));
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
