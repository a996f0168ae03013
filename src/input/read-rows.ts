/** The common output of the readers: raw rows, and the columns to read them by. */

import { listImages, shownEntry } from '../files/image-source.ts';
import { andMore, type Words } from '../messages/both.ts';
import type { SentField } from '../messages/input/columns.ts';
import { type Message, message } from '../messages/message.ts';
import { type Field, fields as fieldNames, isPictureField } from '../money/question.ts';
import { cutLine } from '../text/cells/cut-text.ts';
import { hasQuestion, mapColumns, mapOption, quoteColumns } from './columns/columns.ts';
import { equallyNear, type NearColumn, nearColumns, numberedParts } from './columns/near-columns.ts';
import { isQuestionText, isRowOfList } from './headerless.ts';
import type { Problems } from './read-problems.ts';

/** Field -> column. */
export type FieldColumns = Readonly<Partial<Record<Field, string>>>;

/** One row before it is parsed as a question. */
export interface RawRow {
  /** Where it starts, from 1. */
  readonly line: number;
  readonly input: Readonly<Record<string, unknown>>;
  /** In a workbook: its only cell is merged over several columns of the table. */
  readonly isMerged?: boolean;
  /** In a workbook: the cell of its question is merged with that of the row above. */
  readonly isBelow?: boolean;
  /** In a workbook: it has a cell right behind the last column. */
  readonly isLong?: boolean;
  /** The row as it was read once, with cells such as `="007"` as they stand; absent where that is the same. */
  readonly asWritten?: RawRow['input'];
}

/** Some rows, and the columns known when the last of them was read. */
export interface RowPage {
  readonly rows: readonly RawRow[];
  readonly columns: readonly string[];
  readonly fields: FieldColumns;
}

/** The rows of a file; what was detected is known when the pages have ended. */
export interface RowReader {
  readonly pages: AsyncIterable<RowPage>;
  /** null where the format has no delimiter. */
  delimiter(): string | null;
  /** One sentence for each guess and each repair. */
  notes(): Message[];
}

/** Where the header is, for messages. */
interface HeaderPlace {
  readonly line: number | null;
  readonly problems: Problems;
  /** The first row, shown as it would be sent with the columns that are proposed. */
  readonly sample?: RawRow | null;
  /** Then no row is the header. Null for none. */
  readonly doubtful?: DoubtfulRow | null;
}

/** A row of the sheet that could be the header and is not taken for it. */
export interface DoubtfulRow {
  readonly row: number;
  /** The table lies on its side, or says what columns mean. */
  readonly isOnSide: boolean;
}

/** The columns of a whole file by field; without a question the file cannot be read. */
export function decideFields(
  columns: readonly string[],
  overrides: FieldColumns,
  { line, problems, sample = null, doubtful = null }: HeaderPlace,
): FieldColumns {
  const { fields, problems: found } = mapColumns(columns, overrides);
  for (const said of found) problems.add(line, said);
  if (found.length > 0) return fields;
  if (doubtful !== null) {
    const { row, isOnSide } = doubtful;
    problems.add(line, isOnSide ? message('header.on-side') : message('header.doubtful', { row }));
    if (isOnSide) return {};
  }
  if (hasQuestion(fields)) return doubtful === null ? fields : {};
  const near = equallyNear(nearColumns(columns, fields));
  const proposed = { ...fields, ...Object.fromEntries(near.map(([{ field, column }]) => [field, column])) };
  const badly = badlyWritten(columns, overrides);
  if (badly !== null) problems.add(line, badly);
  else if (columns.length === 0) problems.add(line, message('columns.no-names'));
  else if (isRowOfList(columns))
    problems.add(
      line,
      message('columns.no-header', { columns: quoteColumns(columns), what: headerFor(columns) }),
    );
  else if (!hasQuestion(proposed)) {
    const parts = numberedParts(columns, 'question');
    problems.add(
      line,
      parts.length > 0
        ? message('columns.several-questions', { columns: quoteColumns(parts) })
        : message('columns.no-question', { columns: quoteColumns(columns) }),
    );
  } else {
    problems.add(line, message('columns.near', { columns: quoteColumns(columns), options: mapsFor(near) }));
    const rivals = near.find(([{ field }, ...others]) => field === 'question' && others.length > 0);
    if (rivals !== undefined)
      problems.add(
        line,
        message('columns.near-parts', { columns: quoteColumns(rivals.map(({ column }) => column)) }),
      );
    else if (sample !== null)
      problems.add(sample.line, message('columns.sample', { sample: sentFields(sample.input, proposed) }));
  }
  if (!isRowOfList(columns) && columns.some(isQuestionText))
    problems.add(line, message('columns.maybe-row', { what: headerFor(columns) }));
  return fields;
}

/** `--map question=…`, of each field; those that are equally near stand in brackets. */
function mapsFor(near: ReturnType<typeof equallyNear>): Words {
  const optionOf = ({ field, column }: NearColumn): string => mapOption(field, column);
  const mapsIn = (or: string): string =>
    near
      .map(([first, ...others]) =>
        others.length === 0 ? optionOf(first) : `(${[first, ...others].map(optionOf).join(or)})`,
      )
      .join(' ');
  return { en: mapsIn(' or '), zh: mapsIn(' 或 ') };
}

/** What is wrong with names that were not split, or have their quotes; null for nothing. */
function badlyWritten(columns: readonly string[], overrides: FieldColumns): Message | null {
  const [first = ''] = columns;
  const isTable = (names: readonly string[]): boolean =>
    names.length > 1 &&
    hasQuestion(mapColumns([...new Set(names.map((name) => name.trim()))], overrides).fields);
  if (columns.length === 1 && isTable(first.replaceAll('"', '').split(/[,;\t|，]/)))
    return message('columns.one-cell', { columns: quoteColumns(columns) });
  const bare = columns.map((name) => name.replace(/^['‘’“”`´](.*)['‘’“”`´]$/su, '$1'));
  return bare.some((name, at) => name !== columns[at]) && isTable(bare)
    ? message('columns.quoted', { columns: quoteColumns(columns) })
    : null;
}

/** A header for such rows. */
function headerFor(columns: readonly string[]): Words {
  if (columns.length === 1 && !/[\t;|，]/.test(columns[0] ?? '')) return { en: 'question', zh: 'question' };
  return {
    en: 'question and answer, separated as the cells are',
    zh: 'question 和 answer，分隔符与各行相同',
  };
}

const shownLetters = 200;
const shownImages = 3;

/** A row as it would be sent, each field in a few words. */
function sentFields(input: RawRow['input'], columnOf: FieldColumns): readonly SentField[] {
  return fieldNames.flatMap((field) => {
    const column = columnOf[field];
    const value = column === undefined ? '' : (input[column] ?? '');
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.trim() === '') return [];
    const shown = `"${cutLine(text, shownLetters)}"`;
    const images = isPictureField(field)
      ? renderImages(Array.isArray(value) ? value : listImages(text))
      : null;
    return [{ field, text: images ?? { en: shown, zh: shown } }];
  });
}

function renderImages(entries: readonly unknown[]): Words {
  const shown = entries.slice(0, shownImages).map((entry) => {
    const text = String(entry);
    return /^data:|^[A-Za-z0-9+/=\s]{100,}$/.test(text) ? 'an image in the row itself' : shownEntry(text);
  });
  return andMore(shown.join(' '), entries.length - shownImages);
}
