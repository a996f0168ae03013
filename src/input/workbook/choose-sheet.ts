/** Chooses the sheet of a workbook, and finds the header that names its columns. */

import { andMore } from '../../messages/both.ts';
import { type Message, message } from '../../messages/message.ts';
import { type Field, fields as fieldNames } from '../../money/question.ts';
import { columnLetters } from '../../text/cells/column-letters.ts';
import {
  findColumn,
  hasQuestion,
  listColumns,
  mapColumns,
  quoteColumns,
  sayTwice,
} from '../columns/columns.ts';
import {
  findHeader,
  headerName,
  headerRowCount,
  isFullHeader,
  nearestHeader,
} from '../columns/header-row.ts';
import { isGuessedId, meaningOf } from '../columns/known-names.ts';
import { nearFields } from '../columns/near-columns.ts';
import type { Problems } from '../read-problems.ts';
import { type DoubtfulRow, decideFields, type FieldColumns, type RawRow } from '../read-rows.ts';
import { type MergedCells, noMergedCells, readMergedCells } from './merged-cells.ts';
import type { Sheet, Workbook } from './open-workbook.ts';
import {
  noFacts,
  readSheet,
  type SheetCell,
  type SheetFacts,
  type SheetRow,
  sheetMaxBytes,
} from './sheet.ts';

/** How to choose. */
export interface SheetOptions {
  readonly overrides: FieldColumns;
  readonly problems: Problems;
  /** null: the visible one with a question column that has the most fields. */
  readonly sheet: string | null;
  /** Row of the header, from 1; null: the first with a question column. */
  readonly headerRow: number | null;
}

/** No set of questions has more columns; more are a damaged file or another kind of table. */
const mostColumns = 1_000;
/** Rows that decide between sheets with the same fields. */
const comparedRows = 200;
/** Rows in which a header is named that stands too low to be found. */
const namedRows = 40;
const shownSheets = 10;

/** The columns of the sheet and what they mean. */
export interface Header {
  readonly row: number;
  /** By position; those above empty cells at its end are left out. */
  readonly names: readonly string[];
  /** The places of those that the sheet itself names. */
  readonly places: ReadonlySet<number>;
  /** What the sheet calls its hidden columns, by place. */
  readonly hidden: ReadonlyMap<number, string>;
  readonly fields: FieldColumns;
  /** The row below it, for an error about it. */
  readonly sample: RawRow | null;
  /** A row that could be the header and is not taken for it: then this one is not either. Null for none. */
  readonly doubtful: DoubtfulRow | null;
}

/** The fields by the places of their columns. */
export type FieldsAt = ReadonlyMap<number, Field>;

/** The sheet to read, and its header. */
export interface Choice {
  readonly sheet: Sheet;
  readonly merged: MergedCells;
  readonly header: Header;
}

/** The sheet that is read; null, and its reasons among the problems, where none can be. */
export async function chooseSheet(
  workbook: Workbook,
  options: SheetOptions,
  notes: Message[],
): Promise<Choice | null> {
  const { problems, overrides, headerRow } = options;
  const { sheets } = workbook;
  const asked = options.sheet === null ? null : sheetNamed(sheets, options.sheet);
  if (options.sheet !== null && asked === null) {
    const names = quoteColumns(sheets.map(({ name }) => name));
    const said = message('workbook.no-sheet', { sheet: JSON.stringify(options.sheet), sheets: names });
    problems.add(null, said);
    return null;
  }
  const candidates = asked === null ? sheets.filter(({ isHidden }) => !isHidden) : [asked];
  const choices: Choice[] = [];
  for (const sheet of candidates) {
    const header = await readHeader(workbook, { ...sheet, merged: noMergedCells }, { overrides, headerRow });
    if (header !== null) choices.push({ sheet, merged: noMergedCells, header });
  }
  const tables = choices.filter(({ header }) => header.doubtful === null && hasQuestion(header.fields));
  const choice = await fullest(workbook, tables);
  if (choice === undefined) {
    complain(choices, options);
    return null;
  }
  const others = candidates.filter((each) => each !== choice.sheet).map(({ name }) => JSON.stringify(name));
  const name = JSON.stringify(choice.sheet.name);
  const alike = tables.filter(
    ({ header }) => header.names.join('\n') === choice.header.names.join('\n') && header.sample !== null,
  );
  notes.push(
    others.length === 0
      ? message('workbook.sheet', { sheet: name })
      : message('workbook.one-sheet', { sheet: name, sheets: listColumns(others) }),
  );
  if (alike.length > 1) notes.push(message('workbook.same-columns', { count: alike.length - 1 }));
  // All of a sheet is read for its merged cells, so only of this one.
  const merged = await readMergedCells(workbook.source, choice.sheet.part, sheetMaxBytes);
  const shown = { ...choice.sheet, merged };
  const header =
    merged.count === 0 ? choice.header : await readHeader(workbook, shown, { overrides, headerRow });
  if (header === null) {
    complain([], options);
    return null;
  }
  if (header.row > 1) notes.push(message('header.place', { row: header.row, line: null, above: 0 }));
  return checkedChoice({ ...choice, merged, header }, overrides, problems);
}

/**
 * The table with the most fields: a sheet that explains the columns, or lists the topics, may hold the one word. Of
 * several, the one with the most questions among its first rows, which are read for this only.
 */
async function fullest(workbook: Workbook, tables: readonly Choice[]): Promise<Choice | undefined> {
  const fieldCount = ({ header }: Choice): number =>
    header.sample === null ? 0 : Object.keys(header.fields).length;
  const most = Math.max(...tables.map(fieldCount));
  const [first, ...rivals] = tables.filter((table) => fieldCount(table) === most);
  if (first === undefined || rivals.length === 0) return first;
  let best = { table: first, count: await questionCount(workbook, first) };
  for (const table of rivals) {
    const count = await questionCount(workbook, table);
    if (count > best.count) best = { table, count };
  }
  return best.table;
}

/** How many of the first rows below the header have something in the column of the question. */
async function questionCount(workbook: Workbook, { sheet, merged, header }: Choice): Promise<number> {
  const { row, names, fields } = header;
  const places = [fields.question, fields.questionImages].map((name) => names.indexOf(name ?? ''));
  let seen = 0;
  let count = 0;
  for await (const { number, cells } of filledRows(workbook, { ...sheet, merged }, noFacts())) {
    if (number <= row) continue;
    seen += 1;
    if (cells.some(({ column, text }) => places.includes(column) && text.trim() !== '')) count += 1;
    if (seen === comparedRows) break;
  }
  return count;
}

/** Says why no sheet can be read: of the one that is nearest to it, and what the others hold. */
function complain(choices: readonly Choice[], { problems, overrides, headerRow }: SheetOptions): void {
  const nearness = ({ header: { names, fields } }: Choice): number => {
    const near = nearFields(names, fields);
    return Object.keys({ ...fields, ...near }).length + (hasQuestion(near) ? fieldNames.length : 0);
  };
  const nearest = choices.toSorted((one, other) => nearness(other) - nearness(one))[0];
  if (nearest === undefined) {
    problems.add(
      null,
      headerRow === null ? message('workbook.empty') : message('header.row-empty', { row: headerRow }),
    );
    return;
  }
  checkedChoice(nearest, overrides, problems);
  if (choices.length < 2) return;
  const shown = choices.slice(0, shownSheets).map(({ sheet, header }) => {
    const columns = quoteColumns(header.names);
    const name = JSON.stringify(sheet.name);
    return { en: `${name}: ${columns.en}`, zh: `${name}：${columns.zh}` };
  });
  const more = choices.length - shownSheets;
  const { en } = andMore(shown.map((each) => each.en).join('; '), more);
  const { zh } = andMore(shown.map((each) => each.zh).join('；'), more);
  problems.add(null, message('workbook.sheets', { sheets: { en, zh } }));
}

/** Problems of the header end the reading. */
function checkedChoice(choice: Choice, overrides: FieldColumns, problems: Problems): Choice | null {
  const { sheet, header } = choice;
  const { names, row: line, sample } = header;
  const before = problems.count;
  if (names.length > mostColumns) {
    const facts = { sheet: sheet.name, count: names.length, most: mostColumns };
    problems.add(line, message('workbook.too-many-columns', facts));
    return null;
  }
  for (const said of sayTwice(names)) problems.add(line, said);
  const { doubtful } = header;
  const fields = decideFields([...new Set(names)], overrides, { line, problems, sample, doubtful });
  return problems.count > before ? null : { ...choice, header: { ...header, fields } };
}

function sheetNamed(sheets: readonly Sheet[], wanted: string): Sheet | null {
  const key = (name: string): string => name.trim().normalize('NFKC').toLowerCase();
  return (
    sheets.find(({ name }) => name === wanted) ?? sheets.find(({ name }) => key(name) === key(wanted)) ?? null
  );
}

/** The header of a sheet; else the row that is most likely it; null for none. */
async function readHeader(
  workbook: Workbook,
  sheet: Pick<Sheet, 'part'> & Pick<Choice, 'merged'>,
  { overrides, headerRow }: { readonly overrides: FieldColumns; readonly headerRow: number | null },
): Promise<Header | null> {
  const searched = headerRow === null ? headerRowCount : 1;
  const named = headerRow === null ? namedRows : 1;
  const seen: SheetRow[] = [];
  const facts = noFacts();
  for await (const row of filledRows(workbook, sheet, facts)) {
    if (row.number < (headerRow ?? 1)) continue;
    seen.push(row);
    // One more row is read than searched, to show a row of the table in an error.
    if (seen.length > named) break;
  }
  const headerAt = (at: number, doubtful: DoubtfulRow | null): Header | null =>
    headerOf(seen, at, doubtful, { facts, overrides });
  if (headerRow !== null) return seen[0]?.number === headerRow ? headerAt(0, null) : null;
  const rows = seen.map(({ cells }) => ({
    columns: namesOf(cells),
    filled: cells.filter(({ text }) => text.trim() !== '').length,
  }));
  const tops = rows.slice(0, searched);
  const at = findHeader(tops, overrides);
  if (at !== null) return headerAt(at, null);
  const nearest = nearestHeader(tops, overrides);
  const further = rows.findIndex((each, place) => place >= searched && isFullHeader(each, overrides));
  const row = seen[nearest.doubtful?.at ?? further]?.number;
  const isOnSide = nearest.doubtful?.isOnSide ?? false;
  return headerAt(nearest.at, row === undefined ? null : { row, isOnSide });
}

async function* filledRows(
  workbook: Workbook,
  { part, merged }: Pick<Sheet, 'part'> & Pick<Choice, 'merged'>,
  facts: SheetFacts,
): AsyncGenerator<SheetRow> {
  for await (const rows of readSheet(workbook.source, part, { ...workbook, merged, facts }))
    for (const row of rows) if (row.cells.length > 0) yield row;
}

function headerOf(
  rows: readonly SheetRow[],
  at: number,
  doubtful: DoubtfulRow | null,
  { facts, overrides }: { readonly facts: SheetFacts; readonly overrides: FieldColumns },
): Header | null {
  const header = rows[at];
  if (header === undefined) return null;
  const written = namesOf(header.cells);
  const places = new Set(header.cells.filter(({ text }) => text.trim() !== '').map(({ column }) => column));
  const isHidden = (place: number): boolean =>
    facts.hiddenColumns.some(({ from, to }) => place >= from && place <= to);
  const hidden = new Map([...places].filter(isHidden).map((place) => [place, written[place] ?? '']));
  const names = namesNextTo(written, hidden, overrides);
  const below = rows[at + 1];
  const cells = below?.cells.map(({ column, text }) => [names[column] ?? '', text]) ?? [];
  const sample = below === undefined ? null : { line: below.number, input: Object.fromEntries(cells) };
  const { fields } = mapColumns(names, overrides);
  return { row: header.number, names, places, hidden, fields, sample, doubtful };
}

/**
 * The names of the columns, where a hidden one that means the same as a visible one has another name: a draft, which
 * nobody sees, is not sent, nor is it where a table with these columns is read again. A number of rows that is visible is
 * no reason to leave an id out.
 */
function namesNextTo(
  names: readonly string[],
  hidden: ReadonlyMap<number, string>,
  overrides: FieldColumns,
): readonly string[] {
  const chosen = new Set(Object.values(overrides).map((wanted) => findColumn(names, wanted)));
  const visible = names.filter((_, at) => !hidden.has(at));
  const isOpen = (name: string, at: number): boolean =>
    !hidden.has(at) || (chosen.has(name) && !visible.includes(name));
  const { fields } = mapColumns(names.filter(isOpen), overrides);
  return names.map((name, at) => {
    if (isOpen(name, at)) return name;
    const field = meaningOf(name)?.field;
    const other = field === undefined ? undefined : fields[field];
    const isSame = other !== undefined && (isGuessedId(name) || !isGuessedId(other));
    return isSame || visible.includes(name) ? `${name} (column ${columnLetters(at)})` : name;
  });
}

/** The names that the cells of a row give to columns, by place. */
export function namesOf(cells: readonly SheetCell[]): string[] {
  const names: string[] = [];
  for (const { column, text } of cells) {
    const name = headerName(text);
    if (name === '') continue;
    while (names.length < column) names.push(`column ${columnLetters(names.length)}`);
    names[column] = name;
  }
  return names;
}

/** True for a row that repeats the header in the columns of fields. */
export function isHeaderAgain(cells: readonly SheetCell[], { names }: Header, fieldAt: FieldsAt): boolean {
  const again = namesOf(cells);
  return [...fieldAt.keys()].every((at) => again[at] === names[at]);
}
