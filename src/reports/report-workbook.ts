/**
 * `report.xlsx`, the twin of `report.csv` for spreadsheets: numbers and times as such, links to the videos, a header that
 * stays in view, filters. Every text is a text: a spreadsheet runs nothing of it, and what is typed over one stays one.
 */

import { linkTo } from '../files/path-link.ts';
import { columnLetters } from '../text/cells/column-letters.ts';
import { cellMaxLength } from '../text/spreadsheet-text.ts';
import type { ReportLine } from './columns.ts';
import type { ReportCell } from './report-table.ts';
import {
  columnList,
  frozenHeader,
  head,
  kind,
  names,
  relations,
  StreamedPart,
  textFormat,
  xmlText,
  zipEnd,
  zipPart,
} from './workbook-parts.ts';

/** Limits of Excel, below which another sheet begins. */
interface SheetLimits {
  readonly rows: number;
  readonly bytes: number;
  /** Rows with a link; further videos are named without one. */
  readonly links: number;
}

const sheetLimits: SheetLimits = { rows: 1_048_575, bytes: 2 ** 30, links: 65_000 };

/** Packages of 4 GB need another form; no spreadsheet opens them. */
const packageMaxBytes = 3.9 * 2 ** 30;

/** In characters; other columns have the width that the program gives them. */
const widths: Readonly<Record<string, number>> = {
  question: 60,
  answer: 60,
  title: 30,
  video: 30,
  failure: 40,
  suspect: 40,
  created_at: 20,
  finish_at: 20,
  submitted_at: 20,
} satisfies Partial<Record<keyof ReportLine, number>>;

const times: ReadonlySet<string> = new Set<keyof ReportLine>(['created_at', 'finish_at', 'submitted_at']);

/** The columns of numbers; every other one has texts, where a cell is no number. */
type NumberColumn = {
  [Name in keyof ReportLine]: ReportLine[Name] extends number | null ? Name : never;
}[keyof ReportLine];
const numbers: Readonly<Record<NumberColumn, true>> = {
  row: true,
  points: true,
  frames: true,
  seconds: true,
  attempts: true,
  seconds_video: true,
};

/** Indexes in `styles`. */
const style = { number: 0, header: 1, time: 2, link: 3, text: 4 };

/** The style of the cells of a column that nothing is written to. */
function emptyStyle(column: string): number {
  if (Object.hasOwn(numbers, column)) return style.number;
  return times.has(column) ? style.time : style.text;
}

/** A sheet while it is written. */
interface OpenSheet {
  readonly part: StreamedPart;
  rows: number;
  /** Where each link stands, and where it leads, in the same order. */
  readonly places: string[];
  readonly targets: string[];
}

/** Writes the workbook in one pass, in bounded memory. */
export class ReportWorkbook {
  readonly #columns: readonly string[];
  readonly #letters: readonly string[];
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #limits: SheetLimits;
  readonly #entries: Buffer[] = [];
  #offset = 0;
  #sheet: OpenSheet | null = null;
  /** Rows of each sheet that is whole, the header included. */
  readonly #rows: number[] = [];
  #isFull = false;

  /** `columns` are the names above the cells. */
  constructor(
    columns: readonly string[],
    write: (bytes: Uint8Array) => Promise<void>,
    limits: SheetLimits = sheetLimits,
  ) {
    this.#columns = columns;
    this.#letters = columns.map((_, at) => columnLetters(at));
    this.#write = write;
    this.#limits = limits;
  }

  /** Adds some rows. */
  async add(records: readonly (readonly ReportCell[])[]): Promise<void> {
    let text = '';
    for (const record of records) {
      if (this.#isFull) break;
      const isEnd = (sheet: OpenSheet): boolean =>
        sheet.rows >= this.#limits.rows || sheet.part.sizeBytes + text.length > this.#limits.bytes;
      if (this.#sheet !== null && isEnd(this.#sheet)) {
        await this.#piece(this.#sheet, text);
        text = '';
        await this.#endSheet(this.#sheet);
      }
      this.#sheet ??= await this.#startSheet();
      text += this.#rowOf(this.#sheet, record);
      this.#isFull = this.#offset + text.length > packageMaxBytes;
    }
    if (this.#sheet === null) return;
    if (this.#isFull && text !== '') {
      this.#sheet.rows += 1;
      text += `<row r="${this.#sheet.rows}">${textCell('A', this.#sheet.rows, 'the other rows are in report.csv: a larger workbook cannot be opened', style.text)}</row>`;
    }
    await this.#piece(this.#sheet, text);
  }

  async end(): Promise<void> {
    await this.#endSheet(this.#sheet ?? (await this.#startSheet()));
    const sheets = this.#rows.map((_, at) => at + 1);
    await this.#whole('xl/styles.xml', styles);
    await this.#whole('xl/workbook.xml', workbookXml(this.#rows, this.#letters.at(-1) ?? 'A'));
    await this.#whole(
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((number) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    );
    await this.#whole('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
    await this.#whole('[Content_Types].xml', contentTypes(sheets));
    await this.#write(zipEnd(this.#entries, this.#offset));
  }

  async #startSheet(): Promise<OpenSheet> {
    const part = new StreamedPart(`xl/worksheets/sheet${this.#rows.length + 1}.xml`, this.#offset);
    await this.#send(part.start());
    const sheet = { part, rows: 1, places: [], targets: [] };
    const columns = columnList(
      this.#columns.map((name) => ({ style: emptyStyle(name), width: widths[name] })),
    );
    const header = this.#columns.map((name, at) => textCell(columnLetters(at), 1, name, style.header));
    await this.#piece(
      sheet,
      `${head}<worksheet ${names}>${frozenHeader}${columns}<sheetData><row r="1">${header.join('')}</row>`,
    );
    return sheet;
  }

  #rowOf(sheet: OpenSheet, record: readonly ReportCell[]): string {
    sheet.rows += 1;
    const { rows } = sheet;
    const cells = record.map((value, at) => {
      if (value === null) return '';
      const name = this.#columns[at] ?? '';
      const column = this.#letters[at] ?? '';
      if (typeof value === 'number') return `<c r="${column}${rows}"><v>${value}</v></c>`;
      const day = times.has(name) ? dayOf(value) : null;
      if (day !== null) return `<c r="${column}${rows}" s="${style.time}"><v>${day}</v></c>`;
      const isLink = name === 'video' && sheet.places.length < this.#limits.links;
      if (isLink) {
        sheet.places.push(`${column}${rows}`);
        sheet.targets.push(addressOf(value));
      }
      return textCell(column, rows, value, isLink ? style.link : style.text);
    });
    return `<row r="${rows}">${cells.join('')}</row>`;
  }

  async #endSheet(sheet: OpenSheet): Promise<void> {
    const { part, rows, places, targets } = sheet;
    const links = places.map((place, at) => `<hyperlink ref="${place}" r:id="rId${at + 1}"/>`);
    await this.#piece(
      sheet,
      `</sheetData><autoFilter ref="A1:${this.#letters.at(-1)}${rows}"/>${links.length > 0 ? `<hyperlinks>${links.join('')}</hyperlinks>` : ''}</worksheet>`,
    );
    const { bytes, entry } = part.end();
    await this.#send(bytes);
    this.#entries.push(entry);
    this.#rows.push(rows);
    this.#sheet = null;
    if (targets.length > 0)
      await this.#whole(
        `xl/worksheets/_rels/sheet${this.#rows.length}.xml.rels`,
        relations(targets.map((target) => ['hyperlink', target, 'External'])),
      );
  }

  async #piece({ part }: OpenSheet, text: string): Promise<void> {
    if (text !== '') await this.#send(part.piece(text));
  }

  async #whole(name: string, text: string): Promise<void> {
    const { local, entry } = zipPart(name, Buffer.from(text), this.#offset);
    this.#entries.push(entry);
    await this.#send(local);
  }

  async #send(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#write(bytes);
  }
}

function textCell(column: string, row: number, text: string, look: number): string {
  const shown = text.length > cellMaxLength ? `${text.slice(0, cellMaxLength - 1).toWellFormed()}…` : text;
  return `<c r="${column}${row}" s="${look}" t="inlineStr"><is><t xml:space="preserve">${xmlText(shown)}</t></is></c>`;
}

/** Days since the first one of spreadsheets, as the time is written; null where it is no full time. */
function dayOf(text: string): number | null {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:Z|\+00:00)?$/.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
  const days = at / 86_400_000 + 25_569;
  // Before March 1900 spreadsheets count days that never were.
  return days >= 61 ? Math.round(days * 86_400) / 86_400 : null;
}

/** A path as an address, relative to the workbook; an address stays what it is. */
function addressOf(path: string): string {
  return xmlText(linkTo(path)).replaceAll('"', '&quot;');
}

const styles = `${head}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="${textFormat}" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="${textFormat}" fontId="2" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function sheetName(at: number): string {
  return at === 0 ? 'report' : `report ${at + 1}`;
}

function workbookXml(rows: readonly number[], lastColumn: string): string {
  const sheets = rows.map(
    (_, at) => `<sheet name="${sheetName(at)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const filters = rows.map(
    (count, at) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${sheetName(at)}'!$A$1:$${lastColumn}$${count}</definedName>`,
  );
  return `${head}<workbook ${names}><sheets>${sheets.join('')}</sheets><definedNames>${filters.join('')}</definedNames></workbook>`;
}

function contentTypes(sheets: readonly number[]): string {
  const overrides = sheets.map(
    (number) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${kind}.spreadsheetml.worksheet+xml"/>`,
  );
  return `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind}.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.spreadsheetml.styles+xml"/>${overrides.join('')}</Types>`;
}
