/** The tables of an owner's world: rendered by the program, and then sorted, cut, edited and saved by a spreadsheet. */

import { parse } from 'csv-parse/sync';
import { failureColumn, keyColumn } from '../../../src/input/columns/own-columns.ts';
import { standingVideo } from '../../../src/money/artifacts.ts';
import { type MarkedRow, renderMarksTable } from '../../../src/money/review/marks-table.ts';
import { reportLine } from '../../../src/reports/columns.ts';
import { byteOrderMark, renderCsv } from '../../../src/reports/csv-text.ts';
import { createFailedTable } from '../../../src/reports/failed-table.ts';
import { manifestEntry, manifestHead, renderManifestRows } from '../../../src/reports/manifest.ts';
import { createReportTable } from '../../../src/reports/report-table.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import type { Dice } from '../dice.ts';
import { type Books, nameOf } from './ledger.ts';

/** `list` has ids alone; `questions` is the owner's own file. */
export type Kind = 'failed' | 'report' | 'manifest' | 'marks' | 'uncertain' | 'list' | 'questions';

/** A line, and what its writer saw. */
export interface Line {
  readonly cells: readonly string[];
  /** The row; '' for none. */
  readonly name: string;
  /** The row's last creation as the table was written. */
  readonly last: number;
  /** The owner wrote another question into it. */
  readonly isEdited: boolean;
}

export interface Paper {
  /** Of the file. */
  readonly name: string;
  readonly kind: Kind;
  readonly header: readonly string[];
  readonly lines: readonly Line[];
  readonly delimiter: ',' | ';';
}

/** What a run shows, and what a table of it needs. */
export interface Shown {
  readonly rows: readonly ReportRow[];
  readonly run: string;
  readonly uncertain: string;
  /** Lines to type next. */
  readonly proposed: readonly string[];
}

/** Which row a row of the run is. */
export function nameOfRow({ input }: Pick<ReportRow, 'input'>): string {
  return nameOf(String(input.question));
}

/** A table as the program writes it; `judge` says what a reviewer thinks of a video. */
export function write(kind: Exclude<Kind, 'list' | 'questions'>, shown: Shown, judge: Judge): string {
  const { rows, run } = shown;
  const source = rows[0]?.source;
  if (source === undefined) return '';
  switch (kind) {
    case 'failed':
      return writeFailed(rows, run);
    case 'report': {
      const table = createReportTable([source], run);
      return byteOrderMark + renderCsv([table.header, ...table.cells(rows, rows.map(reportLine))]);
    }
    case 'manifest':
      return (
        manifestHead(source.columns) +
        renderManifestRows(
          rows.flatMap((row) => exported(row, run)),
          source.columns,
        )
      );
    case 'marks':
      return renderMarksTable(rows.flatMap((row) => judged(row, run, judge)));
    case 'uncertain':
      return shown.uncertain;
  }
}

/** What a reviewer says; null where nobody watched. */
export type Judge = (row: ReportRow) => 'good' | 'bad' | null;

/** As the page writes it: its key says which video was watched, too. */
function judged(row: ReportRow, run: string, judge: Judge): readonly MarkedRow[] {
  const mark = judge(row);
  const { id, row: place, status, attempt } = row.item;
  const batch = keyNow(row, run);
  return mark === null ? [] : [{ row: place, id, mark, note: '', attempt, status, batch }];
}

function writeFailed(rows: readonly ReportRow[], run: string): string {
  const sources = rows.flatMap(({ source }) => source);
  const ends = { failure: failureColumn(sources), key: keyColumn(sources), run };
  const table = createFailedTable(ends, [], sources[0]?.folder);
  return table.render(rows) + table.end();
}

function exported(row: ReportRow, run: string): ReturnType<typeof manifestEntry>[] {
  const standing = standingVideo(row.item, row.preferred);
  if (standing === null) return [];
  const { path, sha256 } = standing.file;
  const file = { path: path ?? '', sha256: sha256 ?? '', captions: null, attempt: standing.attempt, run };
  return [manifestEntry(row, reportLine(row), file)];
}

/** The key that the program would write for the row now. */
export function keyNow(row: ReportRow, run: string): string {
  const [cells] = createReportTable([row.source], run).cells([row], [reportLine(row)]);
  return String(cells?.at(-1) ?? '');
}

function recordsOf(text: string): readonly (readonly string[])[] {
  return parse(text, { bom: true, relax_column_count: true });
}

/** The table as a paper; null for one without lines. */
export function paperOf(name: string, kind: Kind, text: string, shown: Shown, books: Books): Paper | null {
  const [header = [], ...records] = recordsOf(text);
  const names = new Map(shown.rows.map((row) => [row.item.id, nameOfRow(row)]));
  const lines = records.map((cells) => {
    const row = names.get(cells[header.indexOf('id')] ?? '') ?? '';
    return { cells, name: row, last: books.of(row).last, isEdited: false };
  });
  return lines.length === 0 ? null : { name, kind, header, lines, delimiter: ',' };
}

export function textOf({ header, lines, delimiter }: Paper): string {
  const quote = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return [header, ...lines.map(({ cells }) => cells)]
    .map((cells) => `${cells.map(quote).join(delimiter)}\r\n`)
    .join('');
}

/** The column with the keys; -1 for none. */
export function keyAt({ header }: Pick<Paper, 'header'>): number {
  return header.findLastIndex((name) => /^batch(_\d)?$/.test(name));
}

/** Changes the cells of one column, where the table has it. */
export function change(paper: Paper, at: number, to: (line: Line) => string): Paper {
  if (at < 0) return paper;
  const lines = paper.lines.map((line) => ({ ...line, cells: line.cells.with(at, to(line)) }));
  return { ...paper, lines };
}

/** Without these columns. */
export function without(paper: Paper, names: (name: string, at: number) => boolean): Paper {
  const kept = paper.header.flatMap((name, at) => (names(name, at) ? [] : [at]));
  const pick = (cells: readonly string[]): string[] => kept.map((at) => cells[at] ?? '');
  const lines = paper.lines.map((line) => ({ ...line, cells: pick(line.cells) }));
  return { ...paper, header: pick(paper.header), lines };
}

/** Somebody works on the table, and saves it under another name. */
export function handle(paper: Paper, name: string, dice: Dice): Paper {
  const work = dice.pick<readonly string[]>([
    ['cut'],
    ['sort', 'numbers'],
    ['numbers', 'semicolons'],
    ['lose'],
    [paper.kind === 'marks' ? 'lose' : 'ids'],
    [paper.kind === 'marks' ? 'lose' : 'cut'],
    ['edit', 'cut'],
    ['edit', 'numbers'],
  ]);
  return work.reduce((saved, what) => handled(saved, what, dice), { ...paper, name });
}

function handled(paper: Paper, what: string, dice: Dice): Paper {
  const { header, lines } = paper;
  const idAt = header.indexOf('id');
  switch (what) {
    case 'cut': {
      const kept = lines.filter(() => dice.chance(0.6));
      return kept.length === 0 ? paper : { ...paper, lines: kept };
    }
    case 'sort':
      return { ...paper, lines: lines.toReversed() };
    case 'semicolons':
      return { ...paper, delimiter: ';' };
    case 'numbers':
      return change(paper, idAt, ({ cells }) => {
        const id = cells[idAt] ?? '';
        return /^\d+(\.\d+)?$/.test(id) ? String(Number(id)) : id;
      });
    case 'lose': {
      const lost = dice.pick<(name: string, at: number) => boolean>([
        (name) => name === 'mark',
        (name) => name === 'attempt',
        (name) => name === 'attempt',
        (_, at) => at === keyAt(paper),
        (name) => name === 'mark' || name === 'attempt',
      ]);
      if (!dice.chance(0.3)) return without(paper, lost);
      return { ...paper, header: header.map((name, at) => (lost(name, at) ? `my ${name}` : name)) };
    }
    case 'ids':
      return { ...without(paper, (name) => name !== 'id'), kind: 'list' };
    default:
      return paper.kind === 'failed' ? edited(paper, dice) : paper;
  }
}

function edited(paper: Paper, dice: Dice): Paper {
  const at = paper.header.indexOf('question');
  const lines = paper.lines.map((line) =>
    line.name === '' || dice.chance(0.4)
      ? line
      : {
          ...line,
          isEdited: true,
          cells: line.cells.with(at, questionOf(line.name, dice.integer(1, 9_999))),
        },
  );
  return { ...paper, lines };
}

/** A question of this row, in other words for another number. */
export function questionOf(name: string, wording: number): string {
  return `${name}: how large is the area of the triangle number ${wording}?`;
}

/** True where nothing was sent for the row since the line was written. */
export function isAsSeen({ name, last }: Line, books: Books): boolean {
  return books.of(name).last === last;
}

/** Rows for which the table, given to `--only`, orders one more video. */
export function orderedBy(paper: Paper, books: Books): readonly string[] {
  const { kind, header, lines } = paper;
  const hasKeys = keyAt(paper) >= 0;
  const markAt = header.indexOf('mark');
  // Ids, and nothing that says what else they are.
  if (kind === 'list' || !(hasKeys || markAt >= 0)) return lines.map(({ name }) => name);
  if (markAt < 0) return [];
  const bad = lines.filter(({ cells }) => cells[markAt] === 'bad');
  // Nothing says which video it was about.
  const isUnsaid = !hasKeys && !header.includes('attempt');
  return bad.filter((line) => isUnsaid || isAsSeen(line, books)).map(({ name }) => name);
}

/** True where the marks stand as the page wrote them, whatever became of the ids and of other lines. */
export function isWholeTable({ kind, header }: Paper): boolean {
  return kind === 'marks' && ['mark', 'attempt', 'batch'].every((name) => header.includes(name));
}

/** Rows in which a person wrote another text than was sent. */
export function changedBy({ kind, header, lines }: Paper, books: Books): readonly string[] {
  const at = header.indexOf('question');
  const isChanged = (line: Line): boolean =>
    kind === 'questions'
      ? line.cells[at] !== books.of(line.name).text
      : line.isEdited && isAsSeen(line, books);
  return lines.filter(isChanged).map(({ name }) => name);
}
