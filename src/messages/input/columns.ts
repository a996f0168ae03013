/** What is said of the header of a file, and of its columns. */

import { both, counted, type Words } from '../both.ts';
import { renderNumber } from '../numbers.ts';

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

interface Seeming extends InColumns, OfField {
  /** The option that leaves them out. */
  readonly none: string;
}

/** A field of a row as it would be sent. */
export interface SentField extends OfField {
  readonly text: Words;
}

const missing = {
  en: 'no column holds the question or its images',
  zh: '没有题目列或题目图片列',
} as const;

export const columnMessages = {
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
    ({ columns, options }: InColumns & { readonly options: Words }) =>
      `${missing.en}; the columns are ${columns.en}; if these are meant, add ${options.en}`,
    ({ columns, options }) => `${missing.zh}；现有的列：${columns.zh}；如果就是它们，请加上 ${options.zh}`,
  ),
  'columns.near-parts': both(
    ({ columns }: InColumns) =>
      `only one column is sent as the question: if a question needs what stands in several of ${columns.en}, put it together in one cell first`,
    ({ columns }) => `题目只取一列：如果一道题要用到 ${columns.zh} 中几列的内容，请先合并到一个单元格`,
  ),
  'columns.several-questions': both(
    ({ columns }: InColumns) =>
      `${columns.en} stand side by side: a row is to hold one question; put each into a row of its own with its answer, in columns question and answer`,
    ({ columns }) =>
      `${columns.zh} 并排在同一行，而每行只能有一道题；请把每道题连同答案各放一行，列名为 题目 和 答案`,
  ),
  'columns.one-cell': both(
    ({ columns }: InColumns) =>
      `the names of all columns stand in one cell, ${columns.en}: the table was not split; split it (in Excel: Data, Text to Columns), or give the CSV file it was made of`,
    ({ columns }) =>
      `所有列名都在一个单元格里（${columns.zh}）：表格没有分列；请分列（Excel：数据 > 分列），或直接给出原来的 CSV 文件`,
  ),
  'columns.quoted': both(
    ({ columns }: InColumns) =>
      `the columns are ${columns.en}: only double quotes (") may stand around a cell; replace the others, or take them away`,
    ({ columns }) => `现有的列：${columns.zh}：单元格只能用英文双引号（"）括起；请替换或去掉其他引号`,
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
  'columns.answer-beside': both(
    ({ count, column, map }: { readonly count: number; readonly column: string; readonly map: string }) =>
      `${counted(count, 'answer')} ${count === 1 ? 'only says' : 'only say'} where the answer stands; ${map} sends the column "${column}" in place of them`,
    ({ count, column, map }) =>
      `${renderNumber(count)} 个答案只说明答案在别处；要改用“${column}”列作答案，请加 ${map}`,
  ),
  'columns.switched-off': both(
    ({ count, column, word }: { readonly count: number; readonly column: string; readonly word: string }) =>
      `warning: ${counted(count, 'row')} with "${word}" or the like in the column "${column}": sent like others; remove ${count === 1 ? 'it' : 'them'} if that is not meant`,
    ({ count, column, word }) =>
      `警告：有 ${renderNumber(count)} 行的“${column}”列是“${word}”之类：照常发送；如不需要请删去这些行`,
  ),
  'columns.two-questions': both(
    ({ columns, field, maps }: InColumns & OfField & { readonly maps: string }) =>
      `the columns ${columns.en} all mean the ${field}, and their cells differ; choose one of: ${maps}`,
    ({ columns, field, maps }) => `${columns.zh} 这几列都表示 ${field}，内容却不同；请选择其一：${maps}`,
  ),
  'columns.seeming': both(
    ({ columns, field, map, none }: Seeming & { readonly map: string }) =>
      `the column ${columns.en} seems to hold the ${field}; add ${map} to use it, or ${none} to leave it out`,
    ({ columns, field, map, none }) =>
      `${columns.zh} 列看起来是 ${field}；要使用请加 ${map}，不使用请加 ${none}`,
  ),
  'columns.seeming-some': both(
    ({ columns, field, maps, none }: Seeming & { readonly maps: string }) =>
      `the columns ${columns.en} seem to hold the ${field}; choose one of: ${maps}, or ${none} to leave them out`,
    ({ columns, field, maps, none }) =>
      `${columns.zh} 这几列看起来是 ${field}；请选择其一：${maps}，都不使用请加 ${none}`,
  ),
  'columns.parts': both(
    ({ columns, none }: InColumns & { readonly none: string }) =>
      `the columns ${columns.en} are options, or parts of an answer, and none of them is sent: put the answer into one column named answer, or add ${none} to send the questions without one`,
    ({ columns, none }) =>
      `${columns.zh} 这几列是选项，或答案的各部分，都不发送：请把答案放进一列，列名为 答案；不带答案发送请加 ${none}`,
  ),
  'columns.passages': both(
    ({ columns, question, map }: InColumns & { readonly question: string; readonly map: string }) =>
      `the column ${columns.en} seems to hold texts that the questions are about, and only ${question} is sent: put the text into the cell of each question; ${map} sends the questions without it`,
    ({ columns, question, map }) =>
      `${columns.zh} 列看起来是题目所依据的文字，而只发送 ${question} 列：请把文字并入每道题的单元格；不带它发送请加 ${map}`,
  ),
  'columns.none-fits': both(
    ({ column, field, first, none }: Named & { readonly first: string; readonly none: string }) =>
      `the column ${column} is taken for the ${field}, but no cell of it can be (such as ${first}), so no row can be sent: add ${none} to leave it out, or mend the cells`,
    ({ column, field, first, none }) =>
      `${column} 列取作 ${field}，但没有一个单元格可用（如 ${first}），所以没有一行可以发送：不使用这一列请加 ${none}，或者改正单元格`,
  ),
  'columns.ranked': both(
    ({ field, column, columns }: InColumns & Named) =>
      `${field} is read from ${column}, not from ${columns.en}`,
    ({ field, column, columns }) => `${field} 取自 ${column} 列，不取 ${columns.zh}`,
  ),
  'columns.twice': both(
    ({ column }: { readonly column: string }) =>
      `the header ${column} appears twice; rename one of the columns`,
    ({ column }) => `列名 ${column} 出现了两次；请改掉其中一个`,
  ),
  'columns.second-table': both(
    ({ columns }: InColumns) =>
      `the headers ${columns.en} stand twice, side by side; put the rows of the second table below those of the first`,
    ({ columns }) => `${columns.zh} 这些列名左右重复出现；请把右边的表格移到左边表格的下面`,
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
      `it has ${renderNumber(count)} columns; a table of questions has at most ${renderNumber(most)}`,
    ({ count, most }) => `文件有 ${renderNumber(count)} 列；题目表最多 ${renderNumber(most)} 列`,
  ),
};

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
