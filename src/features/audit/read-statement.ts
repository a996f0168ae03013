/** Reads a statement of the account with the readers of questions: the same encodings, dialects, numbers and workbooks. */

import { stat } from 'node:fs/promises';
import type { Options } from '../../app/options/options.ts';
import { shownName } from '../../app/options/standard-input.ts';
import { InputError, problemOf, UsageError } from '../../errors.ts';
import { noColumn } from '../../input/columns/columns.ts';
import { endsInFailures } from '../../input/columns/own-columns.ts';
import { isFooterLine, isTotal } from '../../input/doubts/table-words.ts';
import { readText } from '../../input/encoding/read-text.ts';
import { parseDelimiter } from '../../input/find-delimiter.ts';
import { findFormat, peek } from '../../input/find-format.ts';
import { otherTextIn } from '../../input/other-texts.ts';
import { readCsv } from '../../input/read-csv.ts';
import { readJsonl } from '../../input/read-jsonl.ts';
import { createProblems, type Problems } from '../../input/read-problems.ts';
import type { FieldColumns, RawRow, RowPage, RowReader } from '../../input/read-rows.ts';
import { createRowPlaces } from '../../input/row-places.ts';
import { type Message, message } from '../../messages/message.ts';
import { madeTable } from '../../reports/made-tables.ts';
import { isMissingEntry } from '../../text/cells/missing-values.ts';
import { keyColumnIn, parseRowKey } from '../../text/ids/row-key.ts';
import { undoDefuse } from '../../text/spreadsheet-text.ts';
import { openInput } from '../import/input-bytes.ts';
import { openTable } from '../import/input-table.ts';
import { type Amount, readAmount } from './read-amount.ts';
import type { StatementLine } from './statement-books.ts';
import { type ChosenColumns, chooseColumns, type StatementColumns } from './statement-columns.ts';
import { headerOfJson, headerOfText, headerOfWorkbook, type StatementHeader } from './statement-header.ts';
import { createDays, readTime } from './statement-times.ts';

/** A statement, once it is read. */
export interface Statement extends ChosenColumns {
  /** As messages name it. */
  readonly file: string;
  /** Lines without a task: they belong to no creation. */
  readonly unnamed: number;
  /** What was guessed and repaired. */
  readonly notes: readonly Message[];
}

/** What to do with its lines. */
export interface StatementUse {
  /** Field -> column, by `--map`. */
  readonly given: StatementColumns;
  /** How far (ms) times that name no zone are ahead of UTC; null: as this machine's. */
  readonly zone: number | null;
  /** True where somebody asks for the text of a line of this time. */
  wantsText(time: Pick<StatementLine, 'at' | 'span'>): boolean;
  add(line: StatementLine): void;
}

/** A reader that is about to start. */
interface OpenReader {
  readonly reader: RowReader;
  readonly chosen: ChosenColumns;
}

/** Throws `InputError` where the file cannot be read or is a table of ours, `UsageError` where task or amount cannot be told. */
export async function readStatement(file: string, options: Options, use: StatementUse): Promise<Statement> {
  const name = shownName(file);
  const problems = createProblems();
  const input = openInput(file, { resume: null });
  await using table = await openTable(file, options);
  if (table?.format === 'parquet') throw new InputError(name, [problemOf(null, message('audit.no-parquet'))]);
  let open: OpenReader | null;
  if (table === null) open = await openText(input.bytes, { file, options, problems, given: use.given });
  else {
    const { size } = await stat(file);
    const header = await headerOfWorkbook(file, size, options, use.given);
    const chosen = chosenIn(name, header, use.given);
    const reader = table.open(overridesOf(chosen.columns), problems);
    open = { reader, chosen };
  }
  let unnamed = 0;
  if (open !== null)
    for await (const page of open.reader.pages) {
      refuseKeys(name, page);
      for (const row of page.rows) {
        const line = lineOf(row, page, open.chosen.columns, use);
        if (line === null) unnamed += 1;
        else use.add(line);
      }
    }
  input.refuseChanged();
  if (problems.count > 0) throw new InputError(name, problems.list());
  if (open === null) throw new InputError(name, [problemOf(null, message('file.empty'))]);
  const note = input.note();
  const notes = [...open.reader.notes(), ...(note === null ? [] : [note])];
  return { ...open.chosen, file: name, unnamed, notes };
}

async function openText(
  bytes: AsyncIterable<Uint8Array>,
  {
    file,
    options,
    problems,
    given,
  }: {
    readonly file: string;
    readonly options: Options;
    readonly problems: Problems;
    readonly given: StatementColumns;
  },
): Promise<OpenReader | null> {
  const { format: asked = null, encoding = null, 'header-row': headerRow = null } = options;
  const asCharacter = options.delimiter === undefined ? null : parseDelimiter(options.delimiter);
  const text = readText(bytes, encoding, problems);
  const { start, from } = await peek(text.blocks);
  const other = otherTextIn(start, asCharacter);
  if (other !== null) problems.add(other.line, message('workbook.other-file', { other: other.other }));
  if (problems.count > 0 || start.trim() === '') return null;
  const { format } = findFormat(start, { file, format: asked });
  const withNotes = (reader: RowReader): RowReader => ({
    ...reader,
    pages: reader.pages,
    notes: () => [...text.notes(), ...reader.notes()],
  });
  if (format === 'jsonl') {
    const isList = start.trimStart().startsWith('[');
    const chosen = isList ? nothingChosen : chosenIn(shownName(file), headerOfJson(start), given);
    const overrides = overridesOf(chosen.columns);
    return { chosen, reader: withNotes(readJsonl(from(start), { overrides, problems })) };
  }
  const header = headerOfText(start, { delimiter: asCharacter, headerRow }, given);
  const chosen = chosenIn(shownName(file), header, given);
  const reader = readCsv(from(start), {
    delimiter: header?.delimiter ?? asCharacter,
    headerRow: header?.row ?? headerRow,
    overrides: overridesOf(chosen.columns),
    problems,
    places: createRowPlaces(),
  });
  return { chosen, reader: withNotes(reader) };
}

const nothingChosen: ChosenColumns = { columns: {}, others: [], problems: [], guessed: [] };

/** Throws `InputError` for a table of ours, `UsageError` where task or amount cannot be told. */
function chosenIn(file: string, header: StatementHeader | null, given: StatementColumns): ChosenColumns {
  const columns = header?.columns ?? [];
  const made = madeTable(columns);
  const isFailed = keyColumnIn(columns) > 0 && endsInFailures(columns.slice(0, -1));
  if (made !== null || isFailed)
    throw new InputError(file, [problemOf(null, message('audit.made', { made }))]);
  const chosen = chooseColumns(columns, given);
  const [problem] = chosen.problems;
  if (problem !== undefined) throw new UsageError(problem);
  return chosen;
}

/** A table of ours agrees with our books whatever was charged: its header may be edited, its keys are ours. */
function refuseKeys(file: string, { columns, rows }: RowPage): void {
  const column = columns[keyColumnIn(columns)];
  if (column === undefined) return;
  const keyed = rows.find(({ input }) => parseRowKey(textOf(input[column])) !== null);
  if (keyed === undefined) return;
  throw new InputError(file, [problemOf(keyed.line, message('audit.made', { made: null }))]);
}

/** The readers know the task as a question and the amount as its answer, and nothing else. */
function overridesOf({
  task_id: question = noColumn,
  amount: answer = noColumn,
}: StatementColumns): FieldColumns {
  const none = { id: noColumn, questionImages: noColumn, answerImages: noColumn };
  return { question, answer, ...none, quality: noColumn, notify_url: noColumn };
}

const dayOf = createDays();

/** Words of a line that gives points back, whatever its sign. */
const refundWord = /refund|return|revers|roll.?back|退|返还|返回|冲正|回滚/i;

/** Null for a line without a task. */
function lineOf(
  { line, input }: RawRow,
  { fields }: RowPage,
  columns: StatementColumns,
  { zone, wantsText }: StatementUse,
): StatementLine | null {
  const cell = (column: string | undefined): string =>
    column === undefined ? '' : undoDefuse(textOf(input[column])).trim();
  const taskId = cell(columns.task_id).replace(/^="(.*)"$/, '$1');
  if (isNoTask(taskId)) return null;
  const time = readTime(cell(columns.time), zone) ?? { at: null, span: 0, wall: null };
  // A cell whose value a workbook does not hold is an entry among pictures.
  const isFlawed = fields.answerImages !== undefined && input[fields.answerImages] !== undefined;
  return {
    line,
    taskId,
    amount: isFlawed ? noAmount : amountOf(columns.amount === undefined ? '' : input[columns.amount]),
    isRefund: refundWord.test(cell(columns.kind)),
    at: time.at,
    span: time.span,
    wall: time.wall,
    day: time.at === null ? '' : dayOf(time.at),
    text: columns.question !== undefined && wantsText(time) ? cell(columns.question) : null,
  };
}

/** Nothing, a word for nothing, or a line of totals. */
function isNoTask(cell: string): boolean {
  return !/[\p{L}\p{N}]/u.test(cell) || isMissingEntry(cell) || isTotal(cell) || isFooterLine(cell);
}

const noAmount: Amount = { point: null, comma: null };

/** Nothing, and what spreadsheets show for nothing, is no charge. A number of JSON has a point. */
function amountOf(value: unknown): Amount {
  if (typeof value === 'number') return { point: value, comma: value };
  const text = undoDefuse(textOf(value)).trim();
  return /^[-–—]?$/.test(text) ? { point: 0, comma: 0 } : readAmount(text);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
