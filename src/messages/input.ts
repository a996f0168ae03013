/** What is said of a file of questions: its rows, its columns and its ids. */

import type { IdDoubt } from '../money/row-identity.ts';
import { both, counted, type Words } from './both.ts';
import { renderNumber } from './numbers.ts';

/** Where a row is: by its line in a text, with its row in a spreadsheet where that is another one; by its row in a table. */
export type Place =
  | { readonly line: number; readonly row: number | null }
  | { readonly line: null; readonly row: number };

export type PlaceOf = (line: number) => Place;

interface Counted {
  readonly count: number;
}

/** Tables that the program writes. */
export const tables = {
  report: { en: 'a report', zh: '报告' },
  manifest: { en: 'the manifest of an export', zh: '导出清单' },
  marks: { en: 'a table of marks', zh: '标记表' },
  uncertain: { en: 'a list of uncertain rows', zh: '结果不明的行的列表' },
} as const;

export type MadeTable = keyof typeof tables;

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
    ({ count }: Counted) => `${counted(count, 'more problem')} ${count === 1 ? 'is' : 'are'} not listed`,
    ({ count }) => `另有 ${renderNumber(count)} 个问题未列出`,
  ),
  'rows.problem-again': both(
    ({ what, count }: Counted & { readonly what: Words }) =>
      `${what.en} (the same in ${counted(count, 'more line')})`,
    ({ what, count }) => `${what.zh}（另有 ${renderNumber(count)} 行也是如此）`,
  ),
  'rows.more-unsendable': both(
    ({ count, folder }: Counted & { readonly folder: string }) =>
      `${renderNumber(count)} more cannot be sent; failed.csv in ${folder} will list all of them`,
    ({ count, folder }) => `另有 ${renderNumber(count)} 行无法提交；${folder} 中的 failed.csv 会列出全部`,
  ),
  'rows.none': both(
    () => 'there are no rows below the header',
    () => '标题行下面没有内容',
  ),
  'rows.html': both(
    ({ count, images }: Counted & { readonly images: number }) =>
      `${counted(count, 'cell')} of HTML read as text, with ${counted(images, 'image')}`,
    ({ count, images }) =>
      `${renderNumber(count)} 个 HTML 单元格已转为文字，含 ${renderNumber(images)} 幅图片`,
  ),
  'rows.html-unseen': both(
    ({ count }: Counted) =>
      `${counted(count, 'cell')} of HTML with hidden or struck-out text or images: left out`,
    ({ count }) => `${renderNumber(count)} 个 HTML 单元格有隐藏或划掉的文字或图片：已略去`,
  ),
  'rows.apostrophes': both(
    ({ count }: Counted) =>
      `the ' that keeps spreadsheets from running a formula was removed from ${counted(count, 'cell')}`,
    ({ count }) => `${renderNumber(count)} 个单元格开头的 '（用来防止电子表格执行公式）已去掉`,
  ),
  'rows.lone-apostrophes': both(
    ({ count }: Counted) =>
      `${counted(count, 'cell')} with a ' before a sign that begins a formula, and none behind it: sent as written; remove the ' where a spreadsheet or program put it there`,
    ({ count }) =>
      `${renderNumber(count)} 个单元格在公式起始符号前有一个 '，后面没有与之配对的：按原样发送；如果它是电子表格或程序加上的，请删去`,
  ),
  'rows.headings': both(
    ({ count, place, text }: Headings) =>
      `${counted(count, 'heading')} ${count === 1 ? 'is' : 'are'} not sent, ${count === 1 ? '' : 'e.g. '}${placeInEnglish(place)}: ${text}; --odd send sends ${count === 1 ? 'it' : 'them'}`,
    ({ count, place, text }) =>
      `${renderNumber(count)} 行是小节标题，不发送，${count === 1 ? '' : '例如'}${placeInChinese(place)}：${text}；要发送请加 --odd send`,
  ),
  'rows.held': both(
    ({ count, held }: Held) =>
      `${counted(count, 'row')} ${count === 1 ? 'looks' : 'look'} odd and ${count === 1 ? 'is' : 'are'} not sent: ${oddInEnglish(held)}${count > held.length ? ', ...' : ''}; --odd send sends ${count === 1 ? 'it' : 'them'}`,
    ({ count, held }) =>
      `${renderNumber(count)} 行看起来不对，不发送：${oddInChinese(held)}${count > held.length ? '……' : ''}；要发送请加 --odd send`,
  ),
  'rows.odd-sent': both(
    ({ count, held }: Held) =>
      `${counted(count, 'row')} ${count === 1 ? 'looks' : 'look'} odd and ${count === 1 ? 'is' : 'are'} sent like the others (--odd send): ${oddInEnglish(held)}${count > held.length ? ', ...' : ''}`,
    ({ count, held }) =>
      `${renderNumber(count)} 行看起来不对，按 --odd send 照常发送：${oddInChinese(held)}${count > held.length ? '……' : ''}`,
  ),
  'rows.unlike': both(
    ({ place, text, what }: Unlike) =>
      `${placeInEnglish(place)} is unlike the others (${what.en}): "${text}"`,
    ({ place, text, what }) => `${placeInChinese(place)}与其他行不同（${what.zh}）：“${text}”`,
  ),
  'rows.odd-unheld': both(
    ({ count }: Counted) =>
      `${counted(count, 'row')} that ${count === 1 ? 'looks' : 'look'} odd and ${count === 1 ? 'was' : 'were'} held back to be sent (--odd send)`,
    ({ count }) => `此前因看起来不对而未发送的 ${renderNumber(count)} 行，按 --odd send 发送`,
  ),
  'rows.all-odd': both(
    ({ column, what, maps }: { readonly column: string; readonly what: Words; readonly maps: Words }) =>
      `the column ${column} is taken for the question, but nearly all of its cells look like this: ${what.en}; nothing was read: say which column holds the question, with ${maps.en}, or send these cells as they are with --odd send`,
    ({ column, what, maps }) =>
      `题目取自 ${column} 列，但其中几乎所有单元格都像是：${what.zh}；没有读取：请用 ${maps.zh} 指定题目所在的列；要按原样发送请加 --odd send`,
  ),
  'rows.pieces': both(
    ({ count, rows }: Counted & { readonly rows: number }) =>
      `this looks like an exam paper or another text with one line a row (options, parts, answers and pieces of the question above: ${renderNumber(count)} of ${counted(rows, 'row')}); nothing was read: put each question into one row, with its options in the same cell (--odd send sends each row as it is)`,
    ({ count, rows }) =>
      `这像是一份试卷或其他按行拆开的文本（${renderNumber(rows)} 行中有 ${renderNumber(count)} 行是选项、小问、答案或上一题的一部分）；没有读取：请让每道题占一行，选项放在同一个单元格里（要照原样发送每一行，请加 --odd send）`,
  ),
  'rows.noted-cells': both(
    ({ what, so, count, place, column }: NotedCells) =>
      `warning: ${counted(count, 'cell')} ${what.en} (${count === 1 ? '' : 'first: '}${placeInEnglish(place)}, column ${column}): ${so.en}`,
    ({ what, so, count, place, column }) =>
      `警告：${renderNumber(count)} 个单元格${what.zh}（${count === 1 ? '' : '首处：'}${placeInChinese(place)}，${column} 列）：${so.zh}`,
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

  'rows.other-table': both(
    () =>
      'here a header names the columns in another order, so a second table begins; put it into a file of its own',
    () => '此处的表头按另一顺序列出各列，是第二个表格的开头；请把它另存为一个文件',
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
    ({ count }: Counted) =>
      `${renderNumber(count)} more of these rows ${count === 1 ? 'is' : 'are'} not listed`,
    ({ count }) => `另有 ${renderNumber(count)} 行未列出`,
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

interface Unlike extends Pick<Headings, 'place' | 'text'> {
  readonly what: Words;
}

interface Headings extends Counted {
  /** Of the first one. */
  readonly place: Place;
  /** The start of it. */
  readonly text: string;
}

interface Held {
  readonly count: number;
  /** The first ones. */
  readonly held: readonly OddPlace[];
}

interface Given {
  readonly id: string;
  /** Null for a row that has left the file. */
  readonly place: Place | null;
}

/** Of every row that is named. */
export function placeInEnglish({ line, row }: Place): string {
  if (line === null) return `row ${row}`;
  return row === null ? `line ${line}` : `line ${line}, sheet row ${row}`;
}

function oddInEnglish(rows: readonly OddPlace[]): string {
  return rows.map(({ place, text, what }) => `${placeInEnglish(place)} ${text} (${what.en})`).join(', ');
}

function oddInChinese(rows: readonly OddPlace[]): string {
  return rows.map(({ place, text, what }) => `${placeInChinese(place)} ${text}（${what.zh}）`).join('，');
}

function whose(place: Place | null): string {
  if (place === null) return 'a row that has left the file';
  return `${place.line === null ? '' : 'the row on '}${placeInEnglish(place)}`;
}

function placeOfRow({ line, row }: Place): string {
  if (line === null) return `表格第 ${row} 行`;
  return row === null ? `第 ${line} 行` : `第 ${line} 行（表格第 ${row} 行）`;
}

/** As a part of a sentence; `placeOfRow` names the row itself. */
export function placeInChinese({ line, row }: Place): string {
  if (line === null) return `第 ${row} 行`;
  return row === null ? `第 ${line} 行` : `第 ${line} 行，表格第 ${row} 行`;
}
