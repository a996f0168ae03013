/** What is said of a file of questions: its rows, its columns and its ids. */

import type { IdDoubt } from '../money/row-identity.ts';
import { both, counted, type Words } from './both.ts';

/** Where a row is: by its line in a text, with its row in a spreadsheet where that is another one; by its row in a table. */
export type Place =
  | { readonly line: number; readonly row: number | null }
  | { readonly line: null; readonly row: number };

export type PlaceOf = (line: number) => Place;

interface Counted {
  readonly count: number;
}

interface InColumns {
  readonly columns: Words;
}

interface OfField {
  readonly field: string;
}

interface Named extends OfField {
  readonly column: string;
}

/** A field of a row as it would be sent. */
export interface SentField extends OfField {
  readonly text: Words;
}

/** Tables that the program writes. */
const tables = {
  report: { en: 'a report', zh: '报告' },
  manifest: { en: 'the manifest of an export', zh: '导出清单' },
  marks: { en: 'a table of marks', zh: '标记表' },
  uncertain: { en: 'a list of uncertain rows', zh: '结果不明的行的列表' },
} as const;

export type MadeTable = keyof typeof tables;

const missing = {
  en: 'no column holds the question or its images',
  zh: '没有题目列或题目图片列',
} as const;

interface NotedCells {
  /** What is noted of each cell, and what becomes of it. */
  readonly what: Words;
  readonly so: Words;
  readonly count: number;
  /** Of the first one. */
  readonly place: Place;
  readonly column: string;
}

const doubts: Readonly<Record<IdDoubt, Words>> = {
  renumbered: {
    en: 'other rows were renumbered, added or removed, so the ids alone are not conclusive',
    zh: '其他行换过编号，或有增减，仅凭编号无法确定',
  },
  'other-file': {
    en: 'no text is known, so the ids may belong to another file',
    zh: '内容都对不上，编号可能属于另一个文件',
  },
  added: { en: 'added rows have the ids of existing rows', zh: '新增的行用了已有行的编号' },
};

interface Doubtful {
  readonly doubt: IdDoubt;
  /** What `--map` takes to trust the ids. */
  readonly trust: string;
}

export const inputMessages = {
  'rows.at': both(
    ({ row, what }: { readonly row: number; readonly what: Words }) => `sheet row ${row}: ${what.en}`,
    ({ row, what }) => `表格第 ${row} 行：${what.zh}`,
  ),
  'rows.more-problems': both(
    ({ count }: Counted) => `${count} more problems are not listed`,
    ({ count }) => `另有 ${count} 个问题未列出`,
  ),
  'rows.problem-again': both(
    ({ what, count }: Counted & { readonly what: Words }) => `${what.en} (the same in ${count} more lines)`,
    ({ what, count }) => `${what.zh}（另有 ${count} 行也是如此）`,
  ),
  'rows.more-unsendable': both(
    ({ count, folder }: Counted & { readonly folder: string }) =>
      `${count} more cannot be sent; failed.csv in ${folder} will list all of them`,
    ({ count, folder }) => `另有 ${count} 行无法提交；${folder} 中的 failed.csv 会列出全部`,
  ),
  'rows.none': both(
    () => 'there are no rows below the header',
    () => '标题行下面没有内容',
  ),
  'rows.html': both(
    ({ count, images }: Counted & { readonly images: number }) =>
      `${counted(count, 'cell')} of HTML read as text, with ${counted(images, 'image')}`,
    ({ count, images }) => `${count} 个 HTML 单元格已转为文字，含 ${images} 幅图片`,
  ),
  'rows.apostrophes': both(
    ({ count }: Counted) =>
      `the ' that keeps spreadsheets from running a formula was removed from ${counted(count, 'cell')}`,
    ({ count }) => `${count} 个单元格开头的 '（用来防止电子表格执行公式）已去掉`,
  ),
  'rows.lone-apostrophes': both(
    ({ count }: Counted) =>
      `${counted(count, 'cell')} with a ' before a sign that begins a formula, and none behind it: sent as written; remove the ' where a spreadsheet or program put it there`,
    ({ count }) =>
      `${count} 个单元格在公式起始符号前有一个 '，后面没有与之配对的：按原样发送；如果它是电子表格或程序加上的，请删去`,
  ),
  'rows.held': both(
    ({ count, held }: Held) =>
      `${counted(count, 'row')} ${count === 1 ? 'looks' : 'look'} odd and ${count === 1 ? 'is' : 'are'} not sent: ${held.map(({ place, text, what }) => `${placeInEnglish(place)} ${text} (${what.en})`).join(', ')}${count > held.length ? ', ...' : ''}; --odd send sends ${count === 1 ? 'it' : 'them'}`,
    ({ count, held }) =>
      `${count} 行看起来不对，不发送：${held.map(({ place, text, what }) => `${placeOfCell(place)} ${text}（${what.zh}）`).join('，')}${count > held.length ? '……' : ''}；要发送请加 --odd send`,
  ),
  'rows.all-odd': both(
    ({ column, what }: { readonly column: string; readonly what: Words }) =>
      `the column ${column} is taken for the question, but nearly all of its cells look like this: ${what.en}; nothing was read: name the column of the question with --map question=COLUMN`,
    ({ column, what }) =>
      `题目取自 ${column} 列，但其中几乎所有单元格都像是：${what.zh}；没有读取：请用 --map question=列名 指定题目列`,
  ),
  'rows.noted-cells': both(
    ({ what, so, count, place, column }: NotedCells) =>
      `warning: ${counted(count, 'cell')} ${what.en} (${count === 1 ? '' : 'first: '}${placeInEnglish(place)}, column ${column}): ${so.en}`,
    ({ what, so, count, place, column }) =>
      `警告：${count} 个单元格${what.zh}（${count === 1 ? '' : '首处：'}${placeOfCell(place)}，${column} 列）：${so.zh}`,
  ),

  'file.empty': both(
    () => 'the file is empty',
    () => '文件是空的',
  ),
  'file.made': both(
    ({ made, file }: { readonly made: MadeTable; readonly file: string }) =>
      `this is ${tables[made].en} that batch wrote, not a file of questions; use ${file}, or failed.csv for the rows to mend`,
    ({ made, file }) =>
      `这是 batch 写出的${tables[made].zh}，不是题目文件；请使用 ${file}，要改正的行请用 failed.csv`,
  ),
  'file.cut-off': both(
    () => 'it ends in the middle of a line; if its sender was cut off, the last row is incomplete',
    () => '输入在一行中间结束；如果发送被中断，最后一行是不完整的',
  ),

  'header.place': both(
    ({ row, line, above }: HeaderPlace) =>
      `the header is row ${row}${line === null ? '' : ` (line ${line})`}${above === 0 ? '' : `; ${counted(above, 'row')} above it ${above === 1 ? 'is' : 'are'} not read`}`,
    ({ row, line, above }) =>
      `标题行是${line === null ? `第 ${row} 行` : `表格第 ${row} 行（文件第 ${line} 行）`}${above === 0 ? '' : `；上面 ${above} 行不读`}`,
  ),
  'header.row-empty': both(
    ({ row }: { readonly row: number }) => `row ${row} is empty; choose another --header-row`,
    ({ row }) => `第 ${row} 行是空的；请另选 --header-row`,
  ),

  'header.doubtful': both(
    ({ row }: { readonly row: number }) =>
      `row ${row} has a word for the question, but may be a row of the table; if it is the header, add --header-row ${row}`,
    ({ row }) =>
      `第 ${row} 行有表示题目的词，但可能只是表中的一行；如果它是标题行，请加上 --header-row ${row}`,
  ),

  'header.on-side': both(
    () =>
      'the names of the fields stand one below the other: the table lies on its side, or says what columns mean; turn it so that they stand in one row (copy it, then paste it transposed)',
    () =>
      '各字段的名称上下排列：表格是横放的，或者是列的说明；请转置，让名称排在同一行（复制，再选择性粘贴为转置）',
  ),

  'columns.no-names': both(
    () => `${missing.en}; no column has a name; name one of them question`,
    () => `${missing.zh}；所有列都没有列名；请把其中一列命名为 question`,
  ),
  'columns.no-header': both(
    ({ columns, what }: InColumns & { readonly what: Words }) =>
      `${missing.en}; ${columns.en} looks like a row of a list without a header: add a line above the first one that names the columns, such as ${what.en}`,
    ({ columns, what }) =>
      `${missing.zh}；${columns.zh} 像是列表中的一行，而不是列名：请在第一行上方加一行列名，例如 ${what.zh}`,
  ),
  'columns.maybe-row': both(
    ({ what }: { readonly what: Words }) =>
      `if this is a row and no header, it would be lost: add a line above the first one that names the columns, such as ${what.en}`,
    ({ what }) => `如果这是数据而不是列名，这一行会丢失：请在第一行上方加一行列名，例如 ${what.zh}`,
  ),
  'columns.no-question': both(
    ({ columns }: InColumns) =>
      `${missing.en}; the columns are ${columns.en}; choose one with --map question=COLUMN`,
    ({ columns }) => `${missing.zh}；现有的列：${columns.zh}；请用 --map question=列名 选择一列`,
  ),
  'columns.near': both(
    ({ columns, maps }: InColumns & { readonly maps: string }) =>
      `${missing.en}; the columns are ${columns.en}; if these are meant, add ${maps}`,
    ({ columns, maps }) => `${missing.zh}；现有的列：${columns.zh}；如果就是它们，请加上 ${maps}`,
  ),
  'columns.sample': both(
    ({ sample }: { readonly sample: readonly SentField[] }) =>
      `this row would then be sent as ${sample.map(({ field, text }) => `${field} ${text.en}`).join(', ') || 'an empty row'}`,
    ({ sample }) =>
      `这一行将这样发送：${sample.map(({ field, text }) => `${field} ${text.zh}`).join(', ') || '空行'}`,
  ),
  'columns.no-field': both(
    ({ map, fields }: { readonly map: string; readonly fields: string }) =>
      `--map ${map}: no such field; the fields are ${fields}`,
    ({ map, fields }) => `--map ${map}：没有这个字段；可用的字段：${fields}`,
  ),
  'columns.no-column': both(
    ({ map, columns }: InColumns & { readonly map: string }) =>
      `--map ${map}: no such column; the columns are ${columns.en}`,
    ({ map, columns }) => `--map ${map}：没有这一列；现有的列：${columns.zh}`,
  ),
  'columns.rivals': both(
    ({ columns, field }: InColumns & OfField) =>
      `the columns ${columns.en} all mean ${field}; choose one with --map ${field}=COLUMN`,
    ({ columns, field }) => `${columns.zh} 这几列都表示 ${field}；请用 --map ${field}=列名 选择一列`,
  ),
  'columns.two-questions': both(
    ({ columns, maps }: InColumns & { readonly maps: string }) =>
      `the columns ${columns.en} all mean the question, and their cells differ; choose one of: ${maps}`,
    ({ columns, maps }) => `${columns.zh} 这几列都表示题目，内容却不同；请选择其一：${maps}`,
  ),
  'columns.seeming': both(
    ({ column, field, map, none }: Named & { readonly map: string; readonly none: string }) =>
      `the column ${column} seems to hold the ${field}; add ${map} to send it, or ${none} to leave it out`,
    ({ column, field, map, none }) => `${column} 列看起来是 ${field}；要发送请加 ${map}，不发送请加 ${none}`,
  ),
  'columns.ranked': both(
    ({ field, column, columns }: InColumns & Named) =>
      `${field} is read from ${column}, not from ${columns.en}`,
    ({ field, column, columns }) => `${field} 取自 ${column} 列，不取 ${columns.zh}`,
  ),
  'rows.other-table': both(
    () =>
      'here a header names the columns in another order, so a second table begins; put it into a file of its own',
    () => '此处的表头按另一顺序列出各列，是第二个表格的开头；请把它另存为一个文件',
  ),
  'columns.twice': both(
    ({ column }: { readonly column: string }) =>
      `the header ${column} appears twice; rename one of the columns`,
    ({ column }) => `列名 ${column} 出现了两次；请改掉其中一个`,
  ),
  'columns.key-rivals': both(
    ({ key, field, other }: OfField & { readonly key: string; readonly other: string }) =>
      `the key ${key} means ${field}, and so does ${other} in rows above; choose one with --map ${field}=KEY`,
    ({ key, field, other }) =>
      `键 ${key} 表示 ${field}，而上面各行中的 ${other} 也是；请用 --map ${field}=键名 选择一个`,
  ),
  'columns.key-below-images': both(
    ({ key, field }: OfField & { readonly key: string }) =>
      `the key ${key} means ${field}, and rows above have images in their HTML; put the key into the first row, with [] in it`,
    ({ key, field }) => `键 ${key} 表示 ${field}，而上面各行的 HTML 中有图片；请在第一行写上这个键，值为 []`,
  ),
  'columns.key-option': both(
    ({ options, field, other }: OfField & { readonly options: Words; readonly other: string }) =>
      `the keys ${options.en} look like options, and rows above were read with ${other} as ${field}; choose with --map ${field}=KEY, or --map ${field}=none`,
    ({ options, field, other }) =>
      `${options.zh} 这些键看起来是选项，而上面各行把 ${other} 读作 ${field}；请用 --map ${field}=键名 选择，或写 --map ${field}=none`,
  ),
  'columns.recognized': both(
    ({ meant }: { readonly meant: readonly Named[] }) =>
      `columns recognized: ${meant.map(({ column, field }) => `${column} is ${field}`).join(', ')}`,
    ({ meant }) => `识别出的列：${meant.map(({ column, field }) => `${column} 是 ${field}`).join('，')}`,
  ),
  'columns.options': both(
    ({ columns, isAnswered, answer, named }: Options) =>
      `columns ${columns.en} look like options and are not sent${isAnswered ? namedOnly.en(named) : answer === null ? '; no answer is sent: --map answer=COLUMN chooses its column' : `; no answer is sent: if ${answer.column} is the answer, add --map ${answer.map}`}`,
    ({ columns, isAnswered, answer, named }) =>
      `${columns.zh} 列看起来是选项，不发送${isAnswered ? namedOnly.zh(named) : answer === null ? '；也不发送答案：用 --map answer=列名 选择答案列' : `；也不发送答案：如果 ${answer.column} 是答案，请加上 --map ${answer.map}`}`,
  ),
  'columns.choices': both(
    ({ column, named }: { readonly column: string } & NamedOnly) =>
      `column ${column} holds choices, which are not sent${namedOnly.en(named)}`,
    ({ column, named }) => `${column} 列是选项，不发送${namedOnly.zh(named)}`,
  ),
  'columns.not-sent': both(
    ({ columns }: InColumns) => `columns not sent: ${columns.en}`,
    ({ columns }) => `不发送的列：${columns.zh}`,
  ),
  'columns.too-many': both(
    ({ count, most }: Counted & { readonly most: number }) =>
      `it has ${count} columns; a table of questions has at most ${most}`,
    ({ count, most }) => `文件有 ${count} 列；题目表最多 ${most} 列`,
  ),

  'ids.twice': both(
    ({ id, place }: { readonly id: string; readonly place: Place }) =>
      `the id "${id}" is already used ${place.line === null ? 'in' : 'on'} ${placeInEnglish(place)}`,
    ({ id, place }) => `编号“${id}”在${placeOfRow(place)}已经用过`,
  ),
  'ids.given': both(
    ({ id, place }: Given) =>
      `the id "${id}" was given to ${whose(place)}, which has none of its own; use another id`,
    ({ id, place }) =>
      `编号“${id}”已分给${place === null ? '已不在文件中的一行' : placeOfRow(place)}，那一行自己没有编号；请换一个编号`,
  ),
  'ids.only-numbers': both(
    ({ column }: { readonly column: string }) =>
      `if ${column} only numbers rows, --map id=none ignores it: rows are then known by their text`,
    ({ column }) => `如果 ${column} 只是行的序号，用 --map id=none 忽略它：各行将按内容辨认`,
  ),
  'ids.edited': both(
    ({ column, id }: { readonly column: string; readonly id: string }) =>
      `${column} ${id} was submitted with another text: is this that row, edited, or a different one?`,
    ({ column, id }) => `${column} ${id} 曾以另一内容提交：这是改动后的同一行，还是另一行？`,
  ),
  'ids.more-edited': both(
    ({ count }: Counted) => `${count} more of these rows are not listed`,
    ({ count }) => `另有 ${count} 行未列出`,
  ),
  'ids.doubt': both(
    ({ doubt, trust }: Doubtful) =>
      `${doubts[doubt].en}; nothing was sent. Choose one of: --map ${trust} (edited: they keep their results), --rerun-changed (edited: they are paid for again), --map id=none (the column only numbers rows: these are new rows, and are sent)${doubt === 'other-file' ? ', another --out (another file)' : ''}`,
    ({ doubt, trust }) =>
      `${doubts[doubt].zh}；没有发送任何内容。请选择一种做法：--map ${trust}（改动过：保留结果）、--rerun-changed（改动过：重新付费）、--map id=none（这一列只是序号：算作新行并发送）${doubt === 'other-file' ? '、另选 --out（另一个文件）' : ''}`,
  ),
};

/** A row that looks odd. */
export interface OddPlace {
  readonly place: Place;
  /** The start of its text, in quotes. */
  readonly text: string;
  readonly what: Words;
}

interface Held {
  readonly count: number;
  /** The first ones. */
  readonly held: readonly OddPlace[];
}

interface HeaderPlace {
  readonly row: number;
  /** Null where it is the row. */
  readonly line: number | null;
  /** Rows above it. */
  readonly above: number;
}

interface NamedOnly {
  /** The first answer, in quotes, where all are letters or numbers of choices; null where some are not. */
  readonly named: string | null;
}

const namedOnly = {
  en: (named: string | null) =>
    named === null ? '' : `; the answers that are sent are letters or numbers of them only, such as ${named}`,
  zh: (named: string | null) => (named === null ? '' : `；发送的答案只是选项的字母或序号，如 ${named}`),
} as const;

interface Options extends InColumns, NamedOnly {
  /** Another column is sent as the answer. */
  readonly isAnswered: boolean;
  /** The column that is probably the answer, and what `--map` takes for it; null for none. */
  readonly answer: { readonly column: string; readonly map: string } | null;
}

interface Given {
  readonly id: string;
  /** Null for a row that has left the file. */
  readonly place: Place | null;
}

function placeInEnglish({ line, row }: Place): string {
  if (line === null) return `row ${row}`;
  return row === null ? `line ${line}` : `line ${line}, sheet row ${row}`;
}

function whose(place: Place | null): string {
  if (place === null) return 'a row that has left the file';
  return `${place.line === null ? '' : 'the row on '}${placeInEnglish(place)}`;
}

function placeOfRow({ line, row }: Place): string {
  if (line === null) return `表格第 ${row} 行`;
  return row === null ? `第 ${line} 行` : `第 ${line} 行（表格第 ${row} 行）`;
}

function placeOfCell({ line, row }: Place): string {
  if (line === null) return `第 ${row} 行`;
  return row === null ? `第 ${line} 行` : `第 ${line} 行，表格第 ${row} 行`;
}
