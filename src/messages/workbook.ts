/** What is said of a workbook and its sheets, and of files that only look like one. */

import { andMore, both, counted, type Words } from './both.ts';
import type { Lines } from './formats.ts';
import { renderNumber } from './numbers.ts';

interface OfSheet {
  readonly sheet: string;
}

interface Counted {
  readonly count: number;
}

interface InCells {
  readonly places: Words;
}

interface OfPart {
  /** Its name in the package. */
  readonly part: string;
}

interface OfRow {
  readonly row: number;
}

/** What to do about a drawing that cannot be sent. */
export const asPicture = {
  en: 'replace it with a picture of itself (copy it, then paste it as a picture)',
  zh: '请换成它自己的图片（复制，再粘贴为图片）',
} as const;

/** What is wrong with a part of a workbook. */
const flaws = {
  'not-whole': { en: 'is not whole', zh: '不完整' },
  'no-text': { en: 'is not text', zh: '不是文本' },
  'endless-tag': { en: 'has a tag that never ends', zh: '有没有结束的标签' },
  'cut-off': { en: 'ends in the middle', zh: '在中间结束' },
  doctype: { en: 'declares a document type, which workbooks never do', zh: '声明了文档类型，工作簿从不如此' },
  deep: { en: 'is nested too deeply', zh: '嵌套过深' },
  reference: { en: 'refers to something that it does not hold', zh: '引用了不存在的内容' },
} as const;

export type PartFlaw = keyof typeof flaws;

const damaged = { en: 'the workbook is damaged', zh: '工作簿已损坏' } as const;

export const workbookMessages = {
  'workbook.sheet': both(
    ({ sheet }: OfSheet) => `sheet ${sheet}`,
    ({ sheet }) => `工作表 ${sheet}`,
  ),
  'workbook.one-sheet': both(
    ({ sheet, sheets }: OfSheet & { readonly sheets: Words }) =>
      `sheet ${sheet}; not read: ${sheets.en} (--sheet chooses)`,
    ({ sheet, sheets }) => `工作表 ${sheet}；未读：${sheets.zh}（用 --sheet 选择）`,
  ),
  'workbook.same-columns': both(
    ({ count }: { readonly count: number }) =>
      `warning: ${counted(count, 'sheet')} that ${count === 1 ? 'is' : 'are'} not read ${count === 1 ? 'has' : 'have'} the same columns; run ${count === 1 ? 'it' : 'each'} with --sheet, or put all rows into one sheet`,
    ({ count }) =>
      `警告：未读的工作表中有 ${renderNumber(count)} 个列名相同；请用 --sheet 分别运行，或把各表的行合到一张`,
  ),
  'workbook.no-sheet': both(
    ({ sheet, sheets }: OfSheet & { readonly sheets: Words }) =>
      `there is no sheet ${sheet}; the sheets are ${sheets.en}`,
    ({ sheet, sheets }) => `没有工作表 ${sheet}；现有的工作表：${sheets.zh}`,
  ),
  'workbook.sheets': both(
    ({ sheets }: { readonly sheets: Words }) =>
      `the sheets and their columns: ${sheets.en}; choose one with --sheet NAME, its header with --header-row N`,
    ({ sheets }) => `各工作表及其列：${sheets.zh}；请用 --sheet 名称 选择，用 --header-row N 指定标题行`,
  ),
  'workbook.empty': both(
    () => 'the workbook is empty',
    () => '工作簿是空的',
  ),
  'workbook.no-cells': both(
    () => 'the workbook has no sheet with cells',
    () => '工作簿中没有含单元格的工作表',
  ),
  'workbook.too-many-columns': both(
    ({ sheet, count, most }: OfSheet & Counted & { readonly most: number }) =>
      `${sheet} has ${renderNumber(count)} columns; a table of questions has at most ${renderNumber(most)}`,
    ({ sheet, count, most }) => `${sheet} 有 ${renderNumber(count)} 列；题目表最多 ${renderNumber(most)} 列`,
  ),
  'workbook.empty-rows': both(
    ({ sheet, from, to }: OfSheet & { readonly from: number; readonly to: number }) =>
      `${sheet}: the rows ${from} to ${to} are empty; delete them`,
    ({ sheet, from, to }) => `${sheet}：第 ${from} 至 ${to} 行是空的；请删除`,
  ),

  'workbook.above': both(
    ({ count, places }: Counted & InCells) =>
      `${counted(count, 'drawing')} above the rows (${places.en}) not sent`,
    ({ count, places }) => `各行上方的 ${renderNumber(count)} 幅图形（${places.zh}）不发送`,
  ),
  'workbook.hidden': both(
    ({ count }: Counted) => `${counted(count, 'hidden row')} read like the others`,
    ({ count }) => `${renderNumber(count)} 个隐藏行与其他行同样读取`,
  ),
  'workbook.hidden-read': both(
    ({ places }: InCells) => `hidden columns read like the others: ${places.en}`,
    ({ places }) => `隐藏列与其他列同样读取：${places.zh}`,
  ),
  'workbook.hidden-unsent': both(
    ({ places }: InCells) => `hidden columns not sent: ${places.en}`,
    ({ places }) => `不发送的隐藏列：${places.zh}`,
  ),
  'workbook.unshown': both(
    ({ count, places }: Counted & InCells) =>
      `${counted(count, 'cell')} that the number format hides (${places.en}): read as empty`,
    ({ count, places }) => `${renderNumber(count)} 个单元格的内容被数字格式隐藏（${places.zh}）：按空白处理`,
  ),
  'workbook.background': both(
    () => 'warning: the sheet has a picture behind its cells: not sent',
    () => '警告：工作表的单元格后面有背景图片：不发送',
  ),
  'workbook.merged': both(
    ({ count }: Counted) => `${counted(count, 'merged cell')}: each counts for its first row and column only`,
    ({ count }) => `${renderNumber(count)} 个合并单元格：只算在第一行第一列`,
  ),
  'workbook.raised': both(
    ({ count }: Counted) =>
      `${counted(count, 'cell')} with raised or lowered letters: written as x^2 and H_2O`,
    ({ count }) => `${renderNumber(count)} 个单元格有上下标：写成 x^2 和 H_2O`,
  ),
  'workbook.symbol': both(
    ({ count }: Counted) =>
      `${counted(count, 'cell')} with letters in the font Symbol: sent as the sheet shows them, such as α for a`,
    ({ count }) => `${renderNumber(count)} 个单元格有 Symbol 字体的字母：按表中显示的样子发送，如 a 显示为 α`,
  ),
  'workbook.header-again': both(
    ({ places }: InCells) => `the header is repeated in ${places.en}: skipped`,
    ({ places }) => `标题行在 ${places.zh} 重复：已跳过`,
  ),
  'workbook.totals': both(
    ({ lines }: { readonly lines: Lines }) =>
      lines.count === 1
        ? `row ${rowsOf(lines).en} is the totals row of a table: not read`
        : `the rows ${rowsOf(lines).en} are totals rows of tables: not read`,
    ({ lines }) => `第 ${rowsOf(lines).zh} 行是表格的汇总行：不读`,
  ),
  'workbook.stray': both(
    ({ count, places }: Counted & InCells) =>
      `${counted(count, 'cell')} without a header not read (${places.en})`,
    ({ count, places }) => `${renderNumber(count)} 个没有列名的单元格不读（${places.zh}）`,
  ),
  'workbook.linked': both(
    ({ count, places }: Counted & InCells) =>
      `${counted(count, 'picture cell')} with a link (${places.en}): read as the address that it leads to`,
    ({ count, places }) => `${renderNumber(count)} 个图片单元格带有链接（${places.zh}）：按链接的地址读取`,
  ),
  'workbook.tall': both(
    ({ count, places }: Counted & InCells) =>
      `warning: ${counted(count, 'picture')} over several rows (${places.en}): each belongs to the row of its upper left corner`,
    ({ count, places }) => `警告：${renderNumber(count)} 幅图片跨了几行（${places.zh}）：归左上角所在的行`,
  ),
  'workbook.moved': both(
    ({ count, places }: Counted & InCells) =>
      `${counted(count, 'picture')} with the upper edge a little above (${places.en}): each belongs to the row that it mostly covers`,
    ({ count, places }) =>
      `${renderNumber(count)} 幅图片的上边略微超出所在的行（${places.zh}）：归其主要覆盖的行`,
  ),
  'workbook.unseen': both(
    ({ count, places }: Counted & InCells) =>
      `warning: ${counted(count, 'drawing')} hidden or of size zero (${places.en}), which nobody sees: not sent`,
    ({ count, places }) =>
      `警告：${renderNumber(count)} 幅图片或图形已隐藏或大小为零（${places.zh}），表中看不到：不发送`,
  ),
  'workbook.cropped': both(
    ({ count, places }: Counted & InCells) =>
      `warning: ${counted(count, 'cropped picture')} (${places.en}): sent whole, with the parts that the sheet hides`,
    ({ count, places }) =>
      `警告：${renderNumber(count)} 幅图片被裁剪过（${places.zh}）：整幅发送，包括表中隐藏的部分`,
  ),
  'workbook.pictures': both(
    () => 'pictures in cells are sent as images of their row',
    () => '单元格中的图片作为该行的图片发送',
  ),

  'workbook.no-cell': both(
    () =>
      'a picture or drawing of the sheet is anchored to the page and not to a cell; anchor it to the cell of its question',
    () => '工作表中有图片或图形固定在页面上，而不在单元格上；请固定到题目的单元格',
  ),
  'workbook.objects': both(
    () =>
      `the sheet has embedded objects, such as equations, without a cell; they cannot be sent; ${asPicture.en}`,
    () => `工作表中有不属于任何单元格的嵌入对象（例如公式），无法发送；${asPicture.zh}`,
  ),
  'workbook.drawings': both(
    () => 'the sheet has too many drawings',
    () => '工作表中的图形过多',
  ),
  'workbook.long-cell': both(
    () => 'a cell has more than 4 million letters',
    () => '有单元格超过 400 万个字符',
  ),
  'workbook.long-texts': both(
    () => 'the workbook has more than 1 GB of text',
    () => '工作簿的文字超过 1 GB',
  ),

  'package.parts': both(
    () => 'it has too many parts',
    () => '文件的部件过多',
  ),
  'package.twice': both(
    ({ part }: OfPart) => `it has two parts named ${part}`,
    ({ part }) => `文件有两个名为 ${part} 的部件`,
  ),
  'package.packing': both(
    ({ part }: OfPart) => `${part} is packed in an unknown way`,
    ({ part }) => `${part} 的压缩方式未知`,
  ),
  'package.encrypted': both(
    ({ part }: OfPart) => `${part} is encrypted; save it without a password`,
    ({ part }) => `${part} 已加密；请存为不加密的`,
  ),
  'package.bomb': both(
    ({ part }: OfPart) => `${part} unpacks to more than a workbook can hold; nothing was read`,
    ({ part }) => `${part} 解压后超过工作簿可能的大小；没有读取任何内容`,
  ),

  'damaged.end': both(
    () => `${damaged.en}: its end is missing; was the download or the copy cut off?`,
    () => `${damaged.zh}：缺少结尾；下载或复制中断了吗？`,
  ),
  'damaged.list': both(
    () => `${damaged.en}: its list of parts is not whole`,
    () => `${damaged.zh}：部件列表不完整`,
  ),
  'damaged.part': both(
    ({ part, flaw }: OfPart & { readonly flaw: PartFlaw }) => `${damaged.en}: ${part} ${flaws[flaw].en}`,
    ({ part, flaw }) => `${damaged.zh}：${part} ${flaws[flaw].zh}`,
  ),
  'damaged.no-part': both(
    ({ part }: OfPart) => `${damaged.en}: ${part} is missing`,
    ({ part }) => `${damaged.zh}：缺少 ${part}`,
  ),
  'damaged.row': both(
    ({ row }: OfRow) => `${damaged.en}: the row after row ${row} has no valid number`,
    ({ row }) => `${damaged.zh}：第 ${row} 行之后的一行没有有效的行号`,
  ),
  'damaged.place': both(
    ({ row }: OfRow) => `${damaged.en}: a cell of row ${row} has no valid place`,
    ({ row }) => `${damaged.zh}：第 ${row} 行有单元格没有有效的位置`,
  ),
  'damaged.no-text': both(
    ({ cell }: { readonly cell: string }) => `${damaged.en}: ${cell} refers to a text that is missing`,
    ({ cell }) => `${damaged.zh}：${cell} 引用的文字不存在`,
  ),
  'damaged.xml': both(
    ({ part, detail }: OfPart & { readonly detail: string }) =>
      `${damaged.en}: ${part} is not well formed: ${detail}`,
    ({ part, detail }) => `${damaged.zh}：${part} 不是格式正确的 XML：${detail}`,
  ),
};

function rowsOf({ count, lines }: Lines): Words {
  return andMore(lines.join(', '), count - lines.length);
}
