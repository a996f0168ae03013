/** What is said of tables of marks, and of what --only names. */

import { both } from '../both.ts';
import { type EncodingGuess, guesses } from '../formats.ts';

interface OfFile {
  readonly file: string;
}

interface OfRow {
  readonly id: string;
}

/** A corrected text that no mark sends. */
interface Unsent extends OfRow {
  /** It was written on the page, and stands in no table. */
  readonly isOnPage: boolean;
}

const inTable = {
  en: 'mark it as bad to send the text, or empty the cell',
  zh: '要发送该文字请标记为 bad，否则清空该单元格',
};
const onPage = {
  en: 'mark it Bad on the page to send the text, or take the text back there',
  zh: '要发送该文字，请在页面上标记为“差”，否则在那里撤回文字',
};

/** A line of a table. */
interface AtLine extends OfFile {
  readonly line: number;
}

const placeOf = ({ file, line }: AtLine): string => `${file}:${line}`;

export const markMessages = {
  'marks.none-such': both(
    ({ file, mark }: { readonly file: string; readonly mark: string }) =>
      `${file}: no row is marked as ${mark}; mark some on the page and export the marks again`,
    ({ file, mark }) => `${file}：没有标为${mark}的行；请在页面上做标记，再导出一次`,
  ),
  'marks.no-ids': both(
    ({ file }: { readonly file: string }) => `${file}: no row has an id`,
    ({ file }) => `${file}：没有一行有编号`,
  ),
  'marks.no-id-column': both(
    ({ file }: { readonly file: string }) =>
      `${file}: the file has no column "id"; use a CSV file that has one, or a table that batch wrote`,
    ({ file }) => `${file}：没有 "id" 列；请用有这一列的 CSV 文件，或 batch 写出的表`,
  ),
  'marks.twice': both(
    ({ file, line, id }: { readonly file: string; readonly line: number; readonly id: string }) =>
      `${file}:${line}: row ${id} stands twice, with another attempt`,
    ({ file, line, id }) => `${file}:${line}：${id} 出现了两次，尝试次数不同`,
  ),
  'marks.no-attempts': both(
    ({ file }: { readonly file: string }) => `${file}: no row has an attempt in a column "prefer"`,
    ({ file }) => `${file}："prefer" 列中没有一行写了尝试次数`,
  ),
  'marks.bad-attempt': both(
    ({ file, line, attempt }: { readonly file: string; readonly line: number; readonly attempt: string }) =>
      `${file}:${line}: the attempt ${attempt} is not a whole number; use the number of the attempt that was marked`,
    ({ file, line, attempt }) => `${file}:${line}：尝试次数 ${attempt} 不是整数；请用所标记的那次尝试的序号`,
  ),
  'marks.quote': both(
    (at: AtLine) =>
      `${placeOf(at)}: a quote is never closed; put the text between two quotes, and write "" for a quote inside it`,
    (at) => `${placeOf(at)}：引号没有结束；请把文字放在两个引号之间，其中的引号写成 ""`,
  ),
  'marks.cells': both(
    (at: AtLine) =>
      `${placeOf(at)}: the row has more cells than the header; put a text with commas between quotes`,
    (at) => `${placeOf(at)}：这一行的单元格比表头多；请把含逗号的文字放在引号之间`,
  ),
  'marks.character': both(
    (at: AtLine) =>
      `${placeOf(at)}: a corrected text has a character that cannot be read; save the file as UTF-8`,
    (at) => `${placeOf(at)}：改正后的文字中有无法读取的字符；请把文件存为 UTF-8`,
  ),
  'marks.attempt': both(
    (at: AtLine) =>
      `${placeOf(at)}: the attempt is not that of the key in the column "batch"; put the cells of each row on one line again, or empty one of the two`,
    (at) => `${placeOf(at)}：尝试次数与“batch”列的标识不符；请把每行的单元格放回同一行，或清空其中一格`,
  ),
  'marks.no-mark': both(
    ({ file }: OfFile) =>
      `${file}: this is a table of marks without its column "mark"; name the column "mark" again, or give a list with a column "id" alone`,
    ({ file }) => `${file}：这是一张标记表，却没有“mark”列；请把该列的名字改回 mark，或给出只有“id”列的清单`,
  ),
  'marks.encoding': both(
    ({ file }: OfFile) =>
      `${file}: this is not UTF-8, and its corrected texts may be in several encodings; save the file as UTF-8`,
    ({ file }) => `${file}：这不是 UTF-8，其中改正的文字可能是几种编码之一；请把文件存为 UTF-8`,
  ),
  'marks.read-as': both(
    ({ file, encoding, guess }: OfFile & { readonly encoding: string; readonly guess: EncodingGuess }) =>
      `${file}: read as ${encoding}: ${guesses[guess].en}`,
    ({ file, encoding, guess }) => `${file}：按 ${encoding} 读取：${guesses[guess].zh}`,
  ),
  'marks.changed': both(
    ({ file, failure }: OfFile & { readonly failure: string }) => `${file}: ${failure}`,
    ({ file, failure }) => `${file}：文件有改动：${failure}`,
  ),
  'marks.missing': both(
    ({ file }: OfFile) => `${file}: the file does not exist`,
    ({ file }) => `${file}：文件不存在`,
  ),
  'marks.unreadable': both(
    ({ file, failure }: OfFile & { readonly failure: string }) =>
      `${file}: the file cannot be read (${failure})`,
    ({ file, failure }) => `${file}：文件无法读取（${failure}）`,
  ),
  'marks.how': both(
    () => 'use @ before the name of a CSV file, @@ before an id that starts with @',
    () => 'CSV 文件名前请加 @，以 @ 开头的编号前请加 @@',
  ),
  'marks.unknown': both(
    ({ id, mark }: OfRow & { readonly mark: string }) =>
      `row ${id}: the mark ${mark} is not known; use good or bad, or leave it empty`,
    ({ id, mark }) => `行 ${id}：标记 ${mark} 不认识；请用 good 或 bad（好、坏），或留空`,
  ),
  'marks.none': both(
    ({ id, isOnPage }: Unsent) =>
      `row ${id} has a corrected text and no mark; ${isOnPage ? onPage.en : inTable.en}`,
    ({ id, isOnPage }) => `行 ${id} 有改正的文字，但没有标记；${isOnPage ? onPage.zh : inTable.zh}`,
  ),
  'marks.good': both(
    ({ id, isOnPage }: Unsent) =>
      `row ${id} has a corrected text and the mark good; ${isOnPage ? onPage.en : inTable.en}`,
    ({ id, isOnPage }) =>
      `行 ${id} 有改正的文字，但标记为${isOnPage ? '“好”' : ' good'}；${isOnPage ? onPage.zh : inTable.zh}`,
  ),
};
