/** Files that must be read exactly: every shape, laid out with every delimiter and line end. */

import type { Field } from '../../src/money/question.ts';

/** How a file is written down. */
export interface Dialect {
  readonly delimiter: string;
  /** The ends of its lines, in turn. */
  readonly lineEnds: readonly string[];
}

/** A question as far as a row names it: field -> text. */
export type Row = Readonly<Partial<Record<Field, string>>>;

export interface GoodFile {
  readonly text: string;
  readonly rows: readonly Row[];
}

/** What one file looks like, whatever its dialect. */
interface Shape {
  readonly name: string;
  /** Header and the field that it means; null for a column of the user's own. */
  readonly columns: readonly (readonly [header: string, field: Field | null])[];
  /** Cells in the order of the columns; `\n` stands for a line end of the file. */
  readonly records: readonly (readonly string[])[];
  /** Changes the lines before they are joined; each one comes without its end. */
  readonly arrange?: (lines: readonly string[], delimiter: string) => readonly string[];
  readonly isLastLineOpen?: boolean;
}

const plain = [
  ['id', 'id'],
  ['question', 'question'],
  ['answer', 'answer'],
] as const;

const few = [
  ['a', 'How much is one and one?', 'Two'],
  ['b', '求导：三次函数', '答案'],
];

export const shapes: readonly Shape[] = [
  { name: 'plain rows', columns: plain, records: few },
  {
    name: 'line breaks inside cells',
    columns: plain,
    records: [
      ['a', 'One\nTwo\n\nThree 题', 'x\n'],
      ['b', '\n第二行', ''],
    ],
  },
  {
    name: 'quotes inside quotes',
    columns: plain,
    records: [
      ['a', 'Say "yes"', '""'],
      ['b', '说""好""', '"'],
    ],
  },
  {
    name: 'delimiters inside cells',
    columns: plain,
    records: [
      ['a', 'one, two; three\tfour', ','],
      ['b', '题,目;', ';;'],
    ],
  },
  {
    name: 'LaTeX',
    columns: plain,
    records: [
      [
        'a',
        '\\[ \\frac{a}{b} \\neq \\begin{aligned} x &= 1 \\\\ y &= 2 \\end{aligned} \\]',
        '\\nu\\rho\\tau',
      ],
      ['b', '设 $x_1 + \\"o$，求 $\\sqrt[3]{x}$', '$\\{0\\}$'],
    ],
  },
  {
    name: 'characters of four bytes',
    columns: plain,
    records: [
      ['a', '𠮷野家的 😀 题目，很长的题目', 'é ü ñ 的答案'],
      ['b', '求和的问题：α → β', '𝑥² 是答案'],
    ],
  },
  {
    name: 'Chinese headers',
    columns: [
      ['编号', 'id'],
      ['题目', 'question'],
      ['参考答案', 'answer'],
    ],
    records: few,
  },
  {
    name: 'headers in other letters',
    columns: [
      ['ID', 'id'],
      ['Question_Text', 'question'],
      ['reference-answer', 'answer'],
    ],
    records: few,
  },
  {
    name: 'other columns in another order',
    columns: [
      ['Klasse', null],
      ['答案', 'answer'],
      ['备注', null],
      ['QUESTION', 'question'],
      ['No.', 'id'],
    ],
    records: [
      ['5a', 'Two', '好', 'How much?', 'a'],
      ['', '', '', '问题', 'b'],
    ],
  },
  {
    name: 'spaces around headers',
    columns: [
      ['  id ', 'id'],
      [' Question ', 'question'],
      ['answer\u3000', 'answer'],
    ],
    records: [
      ['a', '  kept as it is ', ' 答 '],
      ['b', '题目', ''],
    ],
  },
  {
    name: 'a quality',
    columns: [...plain, ['质量', 'quality']],
    records: [
      ['a', '题目', '', 'h'],
      ['b', 'Two', '', 'l'],
    ],
  },
  { name: 'no ids', columns: [['题目', 'question']], records: [['第一题'], ['第二题'], ['第一题']] },
  {
    name: 'empty lines and empty rows',
    columns: plain,
    records: few,
    arrange: ([header = '', ...lines], delimiter) => [
      '',
      header,
      '',
      ...lines.flatMap((line) => [line, '', delimiter.repeat(2)]),
    ],
  },
  {
    name: 'a delimiter at the end of each line',
    columns: plain,
    records: few,
    arrange: (lines, delimiter) => lines.map((line) => `${line}${delimiter}`),
  },
  { name: 'missing cells', columns: [...plain, ['note', null]], records: few },
  { name: 'no line end at the end', columns: plain, records: few, isLastLineOpen: true },
  { name: 'a header and no rows', columns: plain, records: [] },
  {
    name: 'texts that begin with a quoted sign',
    columns: plain,
    records: [
      ['a', "'=' 和 '题'", "'-x"],
      ['b', "'@题目' 是什么", "'+1"],
    ],
  },
];

export const delimiters = [',', ';', '\t'];

export const lineEnds: readonly { readonly name: string; readonly ends: readonly string[] }[] = [
  { name: 'LF', ends: ['\n'] },
  { name: 'CRLF', ends: ['\r\n'] },
  { name: 'CR', ends: ['\r'] },
  { name: 'mixed', ends: ['\r\n', '\n', '\r', '\n'] },
];

/** The file of this shape in this dialect, and the rows it must give. */
export function writeFile(shape: Shape, { delimiter, lineEnds: ends }: Dialect): GoodFile {
  let lineCount = 0;
  const nextEnd = (): string => ends[lineCount++ % ends.length] ?? '\n';
  const records = shape.records.map((record) => record.map((cell) => cell.replaceAll('\n', nextEnd)));
  const write = (cells: readonly string[]): string =>
    cells.map((cell) => quoted(cell, delimiter)).join(delimiter);
  const lines = [shape.columns.map(([header]) => header), ...records].map(write);
  const arranged = shape.arrange?.(lines, delimiter) ?? lines;
  const text = arranged.map((line, at) =>
    shape.isLastLineOpen && at === arranged.length - 1 ? line : line + nextEnd(),
  );
  const rows = records.map((record) =>
    Object.fromEntries(
      shape.columns.flatMap(([, field], at) => (field === null ? [] : [[field, record[at] ?? '']])),
    ),
  );
  return { text: text.join(''), rows };
}

function quoted(cell: string, delimiter: string): string {
  return /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
