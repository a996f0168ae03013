/** Reads text as CSV records with their lines. Broken quoting is reported with its line, and reading continues. */

import { type CsvError, type InfoRecord, type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { type Message, message } from '../messages/message.ts';
import { withoutEqualsQuotes } from '../text/cells/equals-quotes.ts';
import { createQuoteMender } from './bare-quotes.ts';
import type { Problems } from './read-problems.ts';

/** One record and its place. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** The same with `="007"` as it stands; absent where no cell is written so. */
  readonly asWritten?: readonly string[];
  /** The line it starts on, from 1. */
  readonly line: number;
  /** Its row in a spreadsheet, from 1: cells of several lines and empty lines are one row each. 0 below a broken row. */
  readonly row: number;
}

/** A CSV file being read. Text comes in pieces of any length that do not cut a line end. */
export interface RecordParser {
  /** The records that end in this piece, whose first line has this number. */
  write(text: string, line: number): Promise<CsvRecord[]>;
  /** The record without a line end at the end of the file, if any. */
  end(): Promise<CsvRecord[]>;
  /** The line where the current record starts. */
  startLine(): number;
  /** Lines with quotes that were taken as they are. */
  readonly mendedLines: readonly number[];
}

/**
 * Replaces `\r\n` inside the parser, which counts it as two lines within a cell. The text contains no NUL of its own:
 * those were refused before.
 */
const windowsLineEnd = '\n\0';

const dialect: Options = {
  record_delimiter: [windowsLineEnd, '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
};

/** The cells of the first records of a text; fewer where it cannot be split with this delimiter. */
export function firstRecords(text: string, delimiter: string, count: number): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  try {
    const mended = createQuoteMender(delimiter).mend(text, 1);
    parse(mended.replaceAll('\r\n', windowsLineEnd), {
      ...dialect,
      delimiter,
      to: count,
      on_record: (cells: string[], info: InfoRecord) => {
        records.push({ ...cellsOf(cells), line: info.lines, row: info.records + info.empty_lines });
        return null;
      },
    });
  } catch {
    // What was read before counts.
  }
  return records;
}

export function createRecordParser(delimiter: string, problems: Problems): RecordParser {
  const mender = createQuoteMender(delimiter);
  let isAnyBroken = false;
  let records: CsvRecord[] = [];
  /** Where the last complete record ended, and how many empty lines came before that. */
  let ended = { line: 0, emptyLines: 0 };
  /** Whether any text so far has `\r\n`: then a cell may have it. */
  let isWindows = false;
  /** Line of the last problem since then; null for none. */
  let brokenLine: number | null = null;

  const startLine = (): number => ended.line + 1 + parser.info.empty_lines - ended.emptyLines;
  const take = (): CsvRecord[] => {
    const taken = records;
    records = [];
    return taken;
  };

  const parser = new Parser({
    ...dialect,
    delimiter,
    skip_records_with_error: true,
    on_record(cells: string[], info: InfoRecord) {
      const inner = cells.reduce((sum, cell) => sum + countLines(cell), 0);
      records.push({
        ...cellsOf(isWindows ? cells.map(withWindowsLineEnds) : cells),
        line: info.lines - inner,
        row: isAnyBroken ? 0 : info.records + info.empty_lines,
      });
      ended = { line: info.lines, emptyLines: info.empty_lines };
      brokenLine = null;
      return null;
    },
    on_skip(error: CsvError | undefined) {
      isAnyBroken = true;
      const isOpen = error?.code === 'CSV_QUOTE_NOT_CLOSED';
      const line = isOpen ? (brokenLine ?? startLine()) : parser.info.lines;
      // One broken quote causes several errors in one line; only the first is reported. Where a broken row ends is
      // unknown.
      const rowLine = brokenLine === null ? startLine() : null;
      if (isOpen || line !== brokenLine) problems.add(line, explain(error, line, rowLine));
      brokenLine = line;
      return undefined;
    },
  });
  // Records leave through `on_record`; reading the stream makes it end. The callbacks below receive its errors.
  parser.resume();
  parser.on('error', () => {});

  return {
    startLine,
    mendedLines: mender.lines,
    write: (text, line) =>
      new Promise((resolve, reject) => {
        isWindows ||= text.includes('\r\n');
        parser.write(mender.mend(text, line).replaceAll('\r\n', windowsLineEnd), (error) =>
          error ? reject(error) : resolve(take()),
        );
      }),
    end: () => new Promise((resolve) => parser.end(() => resolve(take()))),
  };
}

function explain(error: CsvError | undefined, line: number, begun: number | null): Message {
  const rowLine = begun === line ? null : begun;
  if (error?.code === 'CSV_QUOTE_NOT_CLOSED') return message('csv.open-quote');
  if (error?.code === 'CSV_INVALID_CLOSING_QUOTE') return message('csv.after-quote', { rowLine });
  if (error?.code === 'INVALID_OPENING_QUOTE') return message('csv.bare-quote', { rowLine });
  return message('csv.unreadable', { code: error?.code ?? 'unknown error', rowLine });
}

function cellsOf(asWritten: readonly string[]): Pick<CsvRecord, 'cells' | 'asWritten'> {
  if (!asWritten.some((cell) => cell.startsWith('="'))) return { cells: asWritten };
  const cells = asWritten.map(withoutEqualsQuotes);
  return cells.every((cell, at) => cell === asWritten[at]) ? { cells } : { cells, asWritten };
}

function countLines(cell: string): number {
  let count = 0;
  for (const letter of ['\n', '\r'])
    for (let at = cell.indexOf(letter); at >= 0; at = cell.indexOf(letter, at + 1)) count += 1;
  return count;
}

function withWindowsLineEnds(cell: string): string {
  return cell.includes('\0') ? cell.replaceAll(windowsLineEnd, '\r\n') : cell;
}
