/** What is said of a file that is to be text: its encoding, CSV, JSON, and what else it may be. */

import { both, counted, type Words } from './both.ts';
import { renderNumber } from './numbers.ts';

/** How often something occurred, and the first lines. */
export interface Lines {
  readonly count: number;
  readonly lines: readonly number[];
}

/** What people take for text, and what to do. */
const binaries = {
  package: {
    en: 'a ZIP file or an Excel workbook; save the sheet as CSV (UTF-8)',
    zh: ' ZIP 文件或 Excel 工作簿；请存为 CSV（UTF-8）',
  },
  office: {
    en: 'an old Excel or Word file; save the sheet as CSV (UTF-8)',
    zh: '旧版 Excel 或 Word 文件；请存为 CSV（UTF-8）',
  },
  pdf: { en: 'a PDF; copy the questions into a CSV file', zh: ' PDF；请把题目复制到 CSV 文件' },
  database: {
    en: 'an SQLite database; export the questions as CSV',
    zh: ' SQLite 数据库；请把题目导出为 CSV',
  },
  packed: { en: 'a compressed file; unpack it first', zh: '压缩文件；请先解压' },
  image: { en: 'an image; list it in the images column of a CSV file', zh: '图片；请写进 CSV 文件的图片列' },
  video: { en: 'a video; give the file with the questions', zh: '视频；请给出题目文件' },
  media: { en: 'a video or an image; give the file with the questions', zh: '视频或图片；请给出题目文件' },
} as const;

export type Binary = keyof typeof binaries;

/** Why an encoding was chosen. */
export const guesses = {
  nuls: {
    en: 'it has no byte order mark, but NUL bytes as in UTF-16',
    zh: '没有字节顺序标记，但有 UTF-16 那样的 NUL 字节',
  },
  'not-utf-8': { en: 'it is not valid UTF-8', zh: '不是有效的 UTF-8' },
} as const;

export type EncodingGuess = keyof typeof guesses;

const delimiters: Readonly<Record<string, Words>> = {
  ',': { en: 'commas', zh: '逗号' },
  ';': { en: 'semicolons', zh: '分号' },
  '\t': { en: 'tabs', zh: '制表符' },
  '，': { en: 'full-width commas (，)', zh: '全角逗号（，）' },
};

/** Of a broken row. */
interface Begun {
  /** The line where it starts; null where that is this line. */
  readonly rowLine: number | null;
}

interface InLines {
  readonly lines: Lines;
}

interface Doubtful {
  /** The first words by GB18030; null where it is not that either. */
  readonly rare: string | null;
  /** What `--encoding` takes, with the first words by it. */
  readonly encodings: readonly { readonly label: string; readonly sample: string }[];
}

interface Escaped {
  /** Its name. */
  readonly encoding: string;
  /** The first words by it; '' where they are not known. */
  readonly words: string;
  /** The option that reads it; null for none. */
  readonly option: string | null;
}

interface Counted {
  readonly count: number;
}

export const formatMessages = {
  'csv.delimiter': both(
    ({ delimiter }: { readonly delimiter: string }) =>
      `cells are separated by ${delimiters[delimiter]?.en ?? delimiter}`,
    ({ delimiter }) => `单元格以${delimiters[delimiter]?.zh ?? delimiter}分隔`,
  ),
  'csv.other-delimiter': both(
    ({ delimiter, option }: { readonly delimiter: string; readonly option: string }) =>
      `the names of the columns are separated by ${delimiter}; if the cells are too, add ${option}`,
    ({ delimiter, option }) => `列名以 ${delimiter} 分隔；如果单元格也是，请加上 ${option}`,
  ),
  'csv.blank': both(
    ({ count }: Counted) => `${counted(count, 'blank row')} skipped`,
    ({ count }) => `跳过 ${renderNumber(count)} 个空行`,
  ),
  'csv.header-again': both(
    ({ lines }: InLines) => `the header is repeated on ${listed(lines).en}: skipped`,
    ({ lines }) => `标题行在${listed(lines).zh}重复：已跳过`,
  ),
  'csv.short': both(
    ({ lines }: InLines) =>
      `${counted(lines.count, 'row')} with fewer cells than the header (${listed(lines).en}): missing cells are read as empty`,
    ({ lines }) => `${lines.count} 行的单元格比标题行少（${listed(lines).zh}）：缺少的按空白处理`,
  ),
  'csv.equals-quotes': both(
    ({ lines }: InLines) =>
      `${counted(lines.count, 'row')} with cells written as ="..." (${listed(lines).en}): read as the text within the quotes`,
    ({ lines }) => `${lines.count} 行有写作 ="..." 的单元格（${listed(lines).zh}）：取引号内的文字`,
  ),
  'csv.quotes': both(
    ({ lines }: InLines) =>
      `${counted(lines.count, 'line')} with a quote inside a cell without quotes around it (${listed(lines).en}): taken as it is`,
    ({ lines }) => `${lines.count} 行的单元格内有引号，而两端没有引号（${listed(lines).zh}）：按原样读取`,
  ),
  'csv.long': both(
    ({ count, width }: Counted & { readonly width: number }) =>
      `${counted(count, 'cell')} where the header has ${renderNumber(width)}; put cells that contain the delimiter in quotes`,
    ({ count, width }) =>
      `这一行有 ${renderNumber(count)} 个单元格，标题行只有 ${renderNumber(width)} 个；含有分隔符的单元格请加引号`,
  ),
  'csv.short-header': both(
    () =>
      'every row has one cell more than the header; if the first ones are row names, as R writes them, put a name for them in front of the header, or write the file without them (row.names = FALSE)',
    () =>
      '每一行都比标题行多一个单元格；如果第一格是 R 写出的行名，请在标题行最前面补上列名，或不写行名（row.names = FALSE）',
  ),
  'csv.other-cells': both(
    ({ delimiter, other }: { readonly delimiter: string; readonly other: string }) =>
      `the header is separated by ${delimiters[delimiter]?.en ?? delimiter}, and the rows by ${delimiters[other]?.en ?? other}; write both alike`,
    ({ delimiter, other }) =>
      `标题行以${delimiters[delimiter]?.zh ?? delimiter}分隔，各行却以${delimiters[other]?.zh ?? other}分隔；请改成一样的`,
  ),
  'csv.open-quote': both(
    () => 'a quote opened here or below is never closed',
    () => '从这里或下面开始的引号没有结束',
  ),
  'csv.swallowed': both(
    ({ last }: { readonly last: number }) =>
      `the quote that opens in this line closes in line ${last}, and the lines in between look like rows of their own; remove the quote if it is a stray one, or write it twice within quotes`,
    ({ last }) =>
      `这一行开始的引号到第 ${last} 行才结束，中间各行看起来是单独的行；多余的引号请删去，或在引号内写两遍`,
  ),
  'csv.after-quote': both(
    ({ rowLine }: Begun) =>
      `there is text after the closing quote of a cell${begun(rowLine).en}; inside a quoted cell, write each quote twice ("")`,
    ({ rowLine }) =>
      `单元格的结束引号后面还有文字${begun(rowLine).zh}；加了引号的单元格里，引号要写两遍（""）`,
  ),
  'csv.bare-quote': both(
    ({ rowLine }: Begun) =>
      `there is a quote inside an unquoted cell${begun(rowLine).en}; put the cell in quotes and write the inner quote twice ("")`,
    ({ rowLine }) =>
      `没有加引号的单元格里有引号${begun(rowLine).zh}；请给单元格加上引号，里面的引号写两遍（""）`,
  ),
  'csv.unreadable': both(
    ({ code, rowLine }: Begun & { readonly code: string }) =>
      `this cannot be read as CSV (${code})${begun(rowLine).en}`,
    ({ code, rowLine }) => `无法按 CSV 读取（${code}）${begun(rowLine).zh}`,
  ),
  'csv.endless-row': both(
    () => 'a row starting here is longer than 64 MB; is a quote missing?',
    () => '从这里开始的一行超过 64 MB；是不是少了引号？',
  ),

  'json.found': both(
    () => 'read as JSONL: its first line is a JSON object',
    () => '按 JSONL 读取：第一行是 JSON 对象',
  ),
  'json.no-object': both(
    () => 'this is not a JSON object; write one per line, such as {"question": "…"}',
    () => '这不是 JSON 对象；请每行写一个，例如 {"question": "…"}',
  ),
  'json.invalid': both(
    ({ column }: { readonly column: number }) =>
      `this is not valid JSON (column ${column}); each line must be one complete JSON object`,
    ({ column }) => `这不是有效的 JSON（第 ${column} 列）；每行必须是一个完整的 JSON 对象`,
  ),
  'json.array': both(
    () => 'this is one JSON array; use one object per line instead (jq -c ".[]" converts it)',
    () => '这是一个 JSON 数组；请改成每行一个对象（jq -c ".[]" 可以转换）',
  ),
  'json.spread': both(
    () =>
      'this is JSON, but not one object in each line; write it so, without commas between the objects (jq -c . does it)',
    () => '这是 JSON，但不是每行一个对象；请每行写一个，对象之间不加逗号（jq -c . 可以转换）',
  ),
  'json.deep': both(
    ({ count }: Counted) => `this row is nested deeper than ${renderNumber(count)} levels; make it flat`,
    ({ count }) => `这一行嵌套超过 ${renderNumber(count)} 层；请展开`,
  ),
  'json.key-twice': both(
    ({ key }: { readonly key: string }) => `the key ${key} appears twice in this row; remove one of them`,
    ({ key }) => `键 ${key} 在这一行出现了两次；请删掉一个`,
  ),

  'text.read-as': both(
    ({ encoding, guess }: { readonly encoding: string; readonly guess: EncodingGuess }) =>
      `read as ${encoding}: ${guesses[guess].en}`,
    ({ encoding, guess }) => `按 ${encoding} 读取：${guesses[guess].zh}`,
  ),
  'text.doubtful': both(
    ({ rare, encodings }: Doubtful) =>
      `this is not UTF-8${rare === null ? '' : `, and as GB18030 it is mostly rare characters (${rare})`}; nothing was read: add the one that reads right, ${encodings.map(({ label, sample }) => `--encoding ${label} (${sample})`).join(' or ')}`,
    ({ rare, encodings }) =>
      `这不是 UTF-8${rare === null ? '' : `，按 GB18030 读出来多是生僻字（${rare}）`}；没有读取：请加上读得通的一个：${encodings.map(({ label, sample }) => `--encoding ${label}（${sample}）`).join(' 或 ')}`,
  ),
  'text.escaped': both(
    ({ encoding, words, option }: Escaped) =>
      `this is text in ${encoding}${words === '' ? '' : ` (${words})`}; nothing was read: ${option === null ? 'save the file as UTF-8' : `add ${option}`}`,
    ({ encoding, words, option }) =>
      `这是 ${encoding} 编码的文字${words === '' ? '' : `（${words}）`}；没有读取：请${option === null ? '把文件存为 UTF-8' : `加上 ${option}`}`,
  ),
  'text.invalid-line': both(
    ({ encoding, isAsked }: { readonly encoding: string; readonly isAsked: boolean }) =>
      `this line is not valid ${encoding}; ${isAsked ? 'is --encoding right?' : 'save the file as UTF-8, or specify its encoding with --encoding'}`,
    ({ encoding, isAsked }) =>
      `这一行不是有效的 ${encoding}；${isAsked ? '--encoding 对吗？' : '请把文件存为 UTF-8，或用 --encoding 指明编码'}`,
  ),
  'text.end-mark': both(
    () => 'what programs leave at the end of a text (Ctrl-Z, U+001A, or NULs, U+0000) is dropped',
    () => '文本末尾由程序留下的字符（Ctrl-Z，U+001A，或 NUL，U+0000）已去掉',
  ),
  'text.nul': both(
    () => 'this line contains a NUL character (U+0000); is this a text file?',
    () => '这一行含有 NUL 字符（U+0000）；这是文本文件吗？',
  ),
  'text.endless-line': both(
    () => 'a line starting here or below is longer than 64 MB; is this a text file?',
    () => '从这里或下面开始的一行超过 64 MB；这是文本文件吗？',
  ),
  'text.binary': both(
    ({ binary }: { readonly binary: Binary }) => `this is not text but ${binaries[binary].en}`,
    ({ binary }) => `这不是文本，而是${binaries[binary].zh}`,
  ),

  /** Its `detail`, where the program found it. */
  'parquet.no-end': both(
    () => 'its end is missing',
    () => '缺少结尾',
  ),
  'parquet.long-footer': both(
    () => 'its list of columns is too long',
    () => '列的清单过长',
  ),
  'parquet.other-count': both(
    () => 'its groups have another number of rows than it says',
    () => '各组的行数与所写的不符',
  ),
  'parquet.short-group': both(
    () => 'a group has fewer rows than it says',
    () => '有一组的行数少于所写的',
  ),
  'parquet.no-count': both(
    () => 'a group has no valid number of rows',
    () => '有一组的行数无效',
  ),
  'parquet.large-group': both(
    () => 'a group of rows is larger than 512 MB; write the file with smaller groups',
    () => '有一组超过 512 MB；请用较小的组写出文件',
  ),
  'parquet.endless': both(
    () => 'reading it comes to no end',
    () => '读取没有结束',
  ),
  'parquet.codec': both(
    ({ codec }: { readonly codec: string }) =>
      `the Parquet file is compressed with ${codec}, which is not read here; write it again with compression="snappy"`,
    ({ codec }) => `Parquet 文件用 ${codec} 压缩，这里无法读取；请用 compression="snappy" 重新写出`,
  ),
  'parquet.pictured': both(
    ({ column, map }: { readonly column: string; readonly map: string }) =>
      `the column ${column} holds pictures, not texts: ${map} sends them as pictures`,
    ({ column, map }) => `${column} 列里是图片，不是文字：加上 ${map} 会把它们作为图片发送`,
  ),
  'parquet.damaged': both(
    ({ detail }: { readonly detail: string }) =>
      `the Parquet file is damaged or of an unknown kind: ${detail}`,
    ({ detail }) => `Parquet 文件已损坏或类型未知：${detail}`,
  ),
};

function listed({ count, lines }: Lines): Words {
  const [shown, more] = [lines.join(', '), count - lines.length];
  return {
    en: `line${count === 1 ? '' : 's'} ${shown}${more > 0 ? ` and ${renderNumber(more)} more` : ''}`,
    zh: `第 ${shown} 行${more > 0 ? `及另外 ${renderNumber(more)} 行` : ''}`,
  };
}

function begun(rowLine: number | null): Words {
  if (rowLine === null) return { en: '', zh: '' };
  return { en: `, in the row that starts at line ${rowLine}`, zh: `（这一行从第 ${rowLine} 行开始）` };
}
