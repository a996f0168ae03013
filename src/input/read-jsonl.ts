/** Reads the rows of a JSONL file: one JSON object per line, whose keys are the columns. */

import { type Message, message } from '../messages/message.ts';
import { fields as fieldNames } from '../money/question.ts';
import { storable } from '../text/cells/storable-text.ts';
import { doubledKey, jsonErrorColumn, withAllDigits, withoutNoNumbers } from '../text/json-text.ts';
import { listOptions, mapColumns } from './columns/columns.ts';
import { isFieldName } from './columns/known-names.ts';
import { isNumberedPicture } from './columns/numbered-pictures.ts';
import { isOptionName, optionColumns } from './columns/option-columns.ts';
import type { TextBlock } from './encoding/read-text.ts';
import type { Problems } from './read-problems.ts';
import { decideFields, type FieldColumns, type RawRow, type RowPage, type RowReader } from './read-rows.ts';

/** How to read a JSONL file. */
interface JsonlOptions {
  readonly overrides: FieldColumns;
  readonly problems: Problems;
}

/** The rows of a JSONL file. Any row may add a key, unless that changes the meaning of an earlier row. */
export function readJsonl(blocks: AsyncIterable<TextBlock>, options: JsonlOptions): RowReader {
  const { overrides, problems } = options;
  const keys = new Keys(options);
  let sample: RawRow | null = null;

  const readLine = (written: string, line: number): RawRow | null => {
    const parsed = parseObject(written, line, problems);
    if (parsed === null) return null;
    // Keys of earlier rows are mended already.
    const mend = (read: Row): Row => (keys.newIn(read).length > 0 ? withStorableKeys(read) : read);
    const value = mend(parsed.value);
    const flaw = flawOf(parsed.text, value);
    if (flaw !== null) problems.add(line, flaw);
    const row = flaw === null ? rowOf(line, value, withAllDigits(parsed.text, value)?.value, mend) : null;
    keys.add(keys.newIn(value), line);
    sample ??= row ?? { line, input: value };
    return row;
  };

  async function* pages(): AsyncGenerator<RowPage> {
    let isFirst = true;
    for await (const { text, line } of blocks) {
      if (isFirst && text.trimStart().startsWith('[')) {
        problems.add(line, message('json.array'));
        return;
      }
      if (isFirst && isSpread(text)) {
        problems.add(line, message('json.spread'));
        return;
      }
      isFirst &&= text.trim() === '';
      const rows = text.split(/\r\n|[\r\n]/).map((each, at) => readLine(each, line + at));
      yield { rows: rows.filter((row) => row !== null), columns: keys.all(), fields: keys.fields };
    }
    if (sample !== null) decideFields(keys.all(), overrides, { line: null, problems, sample });
    else if (problems.count === 0) problems.add(null, message('file.empty'));
  }

  return { pages: pages(), delimiter: () => null, notes: () => [] };
}

/** The keys of the rows that were read, and the fields that they mean. */
class Keys {
  fields: FieldColumns = {};
  readonly #all = new Set<string>();
  readonly #options: JsonlOptions;

  constructor(options: JsonlOptions) {
    this.#options = options;
  }

  all(): string[] {
    return [...this.#all];
  }

  newIn(row: Row): string[] {
    return Object.keys(row).filter((key) => !this.#all.has(key));
  }

  /** The new keys of one row together: their order in the row means nothing. */
  add(keys: readonly string[], line: number): void {
    const { overrides, problems } = this.#options;
    for (const key of keys) this.#all.add(key);
    const overriding = Object.values(overrides);
    if (!keys.some((key) => isMeant(key) || overriding.includes(key))) return;
    const before = this.fields;
    this.fields = mapColumns(this.all(), overrides).fields;
    for (const field of fieldNames) {
      const [column, now] = [before[field], this.fields[field]];
      if (column === undefined || now === column) continue;
      const facts = { field, other: JSON.stringify(column) };
      problems.add(
        line,
        now === undefined
          ? message('columns.key-option', { ...facts, options: listOptions(optionColumns(this.all())) })
          : message('columns.key-rivals', { ...facts, key: JSON.stringify(now) }),
      );
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

/** The object of a line and its sound text; null for an empty line, and for one that has none, which is a problem. */
function parseObject(
  written: string,
  line: number,
  problems: Problems,
): { readonly value: Row; readonly text: string } | null {
  // Files that were joined keep their byte order marks, which nothing shows.
  const text = written.replace(/^\ufeff+/, '');
  if (text.trim() === '') return null;
  const parsed = parseLine(text);
  if (parsed === null) {
    // Not its text: that may contain a signed link. NaN becomes a value of its length, so that the error keeps its place.
    const column = jsonErrorColumn(withoutNoNumbers(text, (word) => `[${' '.repeat(word.length - 2)}]`));
    problems.add(line, message('json.invalid', { column }));
    return null;
  }
  const { value } = parsed;
  if (isObject(value)) return { value, text: parsed.text };
  problems.add(line, message('json.no-object'));
  return null;
}

/** The value of a line and its sound text, in which NaN is no value; null where it is no JSON. */
export function parseLine(text: string): { readonly value: unknown; readonly text: string } | null {
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const sound = withoutNoNumbers(text, () => 'null');
    return sound === text ? null : parseLine(sound);
  }
}

/** True where the first object stands on several lines, or its line goes on behind it. */
function isSpread(text: string): boolean {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  return parseLine(line) === null && /^\{\s*$|\}\s*,?\s*\{\s*"|\}\s*,\s*$/.test(line);
}

/** `exact` has the digits of the file, where a number would lose some of them: it was read as numbers once. */
function rowOf(line: number, value: Row, exact: unknown, mend: (read: Row) => Row): RawRow {
  return isObject(exact) ? { line, input: mend(exact), asWritten: value } : { line, input: value };
}

/** True for a key that may change what the fields are read from. */
function isMeant(key: string): boolean {
  return isFieldName(key) || isOptionName(key) || isNumberedPicture(key);
}

/** Deeper rows are not questions, and recursive functions would exhaust the stack. */
const mostLevels = 100;

/** Why a row that is an object is refused all the same; null for an acceptable one. */
function flawOf(text: string, row: Row): Message | null {
  if (isDeeperThan(mostLevels, row)) return message('json.deep', { count: mostLevels });
  // Only where the text may have more keys than the top level of the row; usually those are in strings or nested.
  const keyCount = Object.keys(row).length;
  const key = (text.match(/"\s*:/g)?.length ?? 0) > keyCount ? doubledKey(text) : null;
  return key === null ? null : message('json.key-twice', { key: JSON.stringify(key) });
}

/** The row with keys that every store can keep: JSON may spell characters that PostgreSQL has not. */
function withStorableKeys(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [storable(key), value]));
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
