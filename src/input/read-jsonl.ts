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
export function readJsonl(
  blocks: AsyncIterable<TextBlock>,
  { overrides, problems }: JsonlOptions,
): RowReader {
  const columns = new Set<string>();
  const overriding = new Set(Object.values(overrides));
  let fields: FieldColumns = {};
  let rowCount = 0;
  let sample: RawRow | null = null;

  /** The keys of one row are met together: their order in the row means nothing. */
  const meet = (keys: readonly string[], line: number): void => {
    for (const key of keys) columns.add(key);
    if (!keys.some((key) => isMeant(key) || overriding.has(key))) return;
    const before = fields;
    fields = mapColumns([...columns], overrides).fields;
    for (const field of fieldNames) {
      const [column, now] = [before[field], fields[field]];
      if (column === undefined || now === column) continue;
      const facts = { field, other: JSON.stringify(column) };
      problems.add(
        line,
        now === undefined
          ? message('columns.key-option', { ...facts, options: listOptions(optionColumns([...columns])) })
          : message('columns.key-rivals', { ...facts, key: JSON.stringify(now) }),
      );
    }
  };

  const readLine = (written: string, line: number): RawRow | null => {
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
    if (!isObject(parsed.value)) {
      problems.add(line, message('json.no-object'));
      return null;
    }
    const isNew = (key: string): boolean => !columns.has(key);
    // Keys of earlier rows are mended already.
    const mend = (read: Row): Row => (Object.keys(read).some(isNew) ? withStorableKeys(read) : read);
    const value = mend(parsed.value);
    const flaw = flawOf(parsed.text, value);
    if (flaw !== null) problems.add(line, flaw);
    const row = flaw === null ? rowOf(line, value, withAllDigits(parsed.text, value)?.value, mend) : null;
    const newKeys = Object.keys(value).filter(isNew);
    if (newKeys.length > 0) meet(newKeys, line);
    rowCount += 1;
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
      isFirst &&= text.trim() === '';
      const rows = text.split(/\r\n|[\r\n]/).map((each, at) => readLine(each, line + at));
      yield { rows: rows.filter((row) => row !== null), columns: [...columns], fields };
    }
    if (rowCount > 0) decideFields([...columns], overrides, { line: null, problems, sample });
    else if (problems.count === 0) problems.add(null, message('file.empty'));
  }

  return { pages: pages(), delimiter: () => null, notes: () => [] };
}

type Row = Readonly<Record<string, unknown>>;

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
