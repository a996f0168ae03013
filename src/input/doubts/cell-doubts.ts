/** Pure. What is noted about cells: they are sent or read as the note says, and are probably not what their writer meant. */

import type { Words } from '../../messages/both.ts';
import type { Field } from '../../money/question.ts';
import { hasMarkdownImage, isHtml, isSheetError, isSheetFormula } from '../../text/cell-kinds.ts';

/** A cell as far as notes look at it. */
export interface NotedCell {
  readonly field: Field;
  readonly text: string;
}

export interface CellDoubt {
  /** Stable, kebab-case. */
  readonly id: string;
  /** What the cell has, as in `2 cells with HTML`. */
  readonly what: Words;
  /** What becomes of it, and what to do. */
  readonly so: Words;
  /** It is asked of every cell of a million rows: cheap checks come first. */
  isAbout(cell: NotedCell): boolean;
  /** A cell that it notes, and one close by that it does not. */
  readonly odd: NotedCell;
  readonly plain: NotedCell;
}

/** A cell that is noted for several reasons is counted for each. */
export const cellDoubts: readonly CellDoubt[] = [
  {
    id: 'error',
    what: {
      en: 'with an error of a spreadsheet such as #NAME? or #REF!',
      zh: '是电子表格的错误值，如 #NAME? 或 #REF!',
    },
    so: { en: 'sent as it is; mend it in the spreadsheet', zh: '按原样发送；请在表格中改正' },
    isAbout: (cell) => isText(cell) && isSheetError(cell.text),
    odd: { field: 'answer', text: ' #REF! ' },
    plain: { field: 'answer', text: '#REF! was shown' },
  },
  {
    id: 'formula',
    what: { en: 'with a formula of a spreadsheet', zh: '是电子表格的公式' },
    so: { en: 'sent as it is, not calculated; save its value', zh: '按原样发送，不计算；请保存为值' },
    isAbout: (cell) => isText(cell) && isSheetFormula(cell.text),
    odd: { field: 'answer', text: '=SUM(A1:A3)' },
    plain: { field: 'answer', text: '=2x+1' },
  },
  {
    id: 'html',
    what: { en: 'with HTML', zh: '含有 HTML' },
    so: {
      en: 'sent as it is; --html text turns it into text, and takes its images along',
      zh: '按原样发送；--html text 可转为文字，并带上其中的图片',
    },
    isAbout: (cell) => isText(cell) && isHtml(cell.text),
    odd: { field: 'question', text: 'x<br>y' },
    plain: { field: 'question', text: 'a<b and b>c' },
  },
  {
    id: 'markdown-image',
    what: { en: 'with an image of Markdown, ![](...)', zh: '含有 Markdown 图片 ![](...)' },
    so: {
      en: 'sent as text; list the image in a column questionImages',
      zh: '按文字发送；请把图片写在 questionImages 列',
    },
    isAbout: (cell) => isText(cell) && hasMarkdownImage(cell.text),
    odd: { field: 'question', text: 'see ![figure 1](images/a.png "A")' },
    plain: { field: 'question', text: '5! [sic]' },
  },
];

function isText({ field }: NotedCell): boolean {
  return field === 'question' || field === 'answer';
}
